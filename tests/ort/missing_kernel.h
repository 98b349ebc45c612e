// What of ONNX Runtime's errors says that the model is right, but that it has no kernel.
#ifndef ONNXPORT_TESTS_ORT_MISSING_KERNEL_H_
#define ONNXPORT_TESTS_ORT_MISSING_KERNEL_H_

#include <optional>
#include <string>

namespace onnxport::ort {

// The operator that has none, "unknown" where the error does not name it; nothing for an error of another kind. Of a
// domain that ONNX Runtime does not know: "acme:Foo".
std::optional<std::string> MissingKernel(const std::string& error);

// Of such a name.
bool IsOfUnknownDomain(const std::string& op);

}  // namespace onnxport::ort

#endif  // ONNXPORT_TESTS_ORT_MISSING_KERNEL_H_
