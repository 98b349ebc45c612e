// Internal to the printer: expressions on one line, and where they need parentheses.
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

// Nothing for what needs several lines whatever its length: a lambda with more than a return.
std::optional<std::string> OneLine(const Node& node);
std::optional<std::string> OneLineOperand(const Node& parent, size_t operand);

// The columns that an expression needs when it is broken wherever it can be.
size_t LeastColumns(const Node& node);

}  // namespace onnxport::codegen::cpp

#endif  // ONNXPORT_CODEGEN_EMIT_CPP_ONE_LINE_H_
