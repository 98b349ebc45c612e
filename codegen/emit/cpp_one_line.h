// Internal to the printer: puts expressions on one line, and decides where they need parentheses.
#ifndef ONNXPORT_CODEGEN_EMIT_CPP_ONE_LINE_H_
#define ONNXPORT_CODEGEN_EMIT_CPP_ONE_LINE_H_

#include <cstddef>
#include <optional>
#include <string>

#include "codegen/emit/cpp.h"

namespace onnxport::codegen::cpp {

bool NeedsParentheses(const Node& parent, size_t operand);

// "const Val& x"
std::string TextOf(const Parameter& parameter);

// "[&](const Val& x) -> Val {"
std::string Header(const Node& lambda);

// Returns nothing for an expression that always needs several lines: a lambda with more than a return.
std::optional<std::string> OneLine(const Node& node);
std::optional<std::string> OneLineOperand(const Node& parent, size_t operand);

// The width of an expression when every possible line break is used.
size_t LeastColumns(const Node& node);

}  // namespace onnxport::codegen::cpp

#endif  // ONNXPORT_CODEGEN_EMIT_CPP_ONE_LINE_H_
