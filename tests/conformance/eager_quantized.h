// `qdq::` operators in eager PyTorch: the `quantized::` operator of the same name, on tensors that are quantized and
// parameters that are packed here. All inputs lie on the grids of this file, see GridStep.
#ifndef ONNXPORT_TESTS_CONFORMANCE_EAGER_QUANTIZED_H_
#define ONNXPORT_TESTS_CONFORMANCE_EAGER_QUANTIZED_H_

#include <ATen/core/ivalue.h>
#include <ATen/core/jit_type.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace onnxport::conformance {

// The value that a test gives for an argument, as a value of that type; nothing when the operator has no such argument.
using FindArgument = std::function<std::optional<c10::IValue>(const std::string& name, const c10::TypePtr& type)>;

// `name` without "qdq::".
std::vector<c10::IValue> RunQuantized(const std::string& name, const FindArgument& find);

}  // namespace onnxport::conformance

#endif  // ONNXPORT_TESTS_CONFORMANCE_EAGER_QUANTIZED_H_
