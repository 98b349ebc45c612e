// Numbers and strings of serialized TorchScript.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_SYNTAX_LITERALS_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_SYNTAX_LITERALS_H_

#include <optional>
#include <string>
#include <string_view>

#include "runtime/sources/torchscript/syntax/ast.h"

namespace onnxport::torchscript {

// `12`, `1.`, `1e-05`, `2.j`, with the minus that stood before it. Nothing for what is no number or no int64.
std::optional<Expr> ReadNumber(std::string_view text, bool negative);

// With its quotes. Nothing for an unknown escape.
std::optional<std::string> ReadString(std::string_view quoted);

// As LibTorch prints them. ReadString(Quote(s)) == s for all bytes; ReadNumber gives exactly the double again.
std::string Quote(std::string_view text);
std::string FloatText(double value);

bool IsIdentifier(std::string_view text);

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_SYNTAX_LITERALS_H_
