// Operators that a name may have meant.
#ifndef ONNXPORT_RUNTIME_CLI_NEAREST_OPERATORS_H_
#define ONNXPORT_RUNTIME_CLI_NEAREST_OPERATORS_H_

#include <string_view>
#include <vector>

#include "onnxport/operators.h"

namespace onnxport::cli {

// "aten::add.Tensor" -> "aten::add"
std::string_view BaseName(std::string_view name);
// "aten::add.Tensor" -> "add.Tensor"
std::string_view WithoutNamespace(std::string_view name);

// Names without overloads that are a few edits away, the nearest first, at most five. Namespaces do not count: an
// operator of the user is often named after the one that it does the work of.
std::vector<std::string_view> NearestOperators(std::string_view wanted, const std::vector<OperatorSupport>& operators);

}  // namespace onnxport::cli

#endif  // ONNXPORT_RUNTIME_CLI_NEAREST_OPERATORS_H_
