// Lays a C++ tree out in lines of at most 120 columns, nearly as clang-format does.
//
// Code that fits stays on one line. A list that does not fit is broken at its commas and aligned with its first
// element. The right side of an operator goes below the left one. Each arm of a conditional has a line of its own. A
// lambda at the end of a call opens a block.
#ifndef ONNXPORT_CODEGEN_EMIT_CPP_PRINTER_H_
#define ONNXPORT_CODEGEN_EMIT_CPP_PRINTER_H_

#include <string>
#include <string_view>

#include "codegen/emit/cpp.h"

namespace onnxport::codegen::cpp {

// Each text ends with a line feed.
std::string ToText(const Function& function);
std::string ToText(const Block& block, int indent);
// An expression on lines of its own, followed by `end` ("," or ";").
std::string ToText(const Expr& expr, int indent, std::string_view end);

// A comment ("// ..."), broken at spaces.
std::string Comment(std::string_view text);

}  // namespace onnxport::codegen::cpp

#endif  // ONNXPORT_CODEGEN_EMIT_CPP_PRINTER_H_
