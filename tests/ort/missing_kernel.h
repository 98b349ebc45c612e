// Recognizes the errors of ONNX Runtime that mean: the model is right, but there is no kernel for it.
#ifndef ONNXPORT_TESTS_ORT_MISSING_KERNEL_H_
#define ONNXPORT_TESTS_ORT_MISSING_KERNEL_H_

#include <optional>
#include <string>

namespace onnxport::ort {

// The operator that has none, "unknown" where the error does not name it; nothing for an error of another kind. If ONNX
// Runtime does not know the domain, the name includes it: "acme:Foo".
std::optional<std::string> MissingKernel(const std::string& error);

// Returns whether the name is of an unknown domain.
bool IsOfUnknownDomain(const std::string& op);

}  // namespace onnxport::ort

#endif  // ONNXPORT_TESTS_ORT_MISSING_KERNEL_H_
