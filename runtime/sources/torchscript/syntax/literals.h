// Reads numbers and strings of serialized TorchScript.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_SYNTAX_LITERALS_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_SYNTAX_LITERALS_H_

#include <optional>
#include <string>
#include <string_view>

#include "runtime/sources/torchscript/syntax/ast.h"

namespace onnxport::torchscript {

// Reads `12`, `1.`, `1e-05`, `2.j`; `negative` if a minus precedes it. Nothing for other texts, and beyond int64.
std::optional<Expr> ReadNumber(std::string_view text, bool negative);

// Reads a string with its quotes. Nothing for an unknown escape.
std::optional<std::string> ReadString(std::string_view quoted);

// Writes as LibTorch does. ReadString(Quote(s)) == s for all bytes, and ReadNumber returns exactly the same double.
std::string Quote(std::string_view text);
std::string FloatText(double value);

bool IsIdentifier(std::string_view text);

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_SYNTAX_LITERALS_H_
