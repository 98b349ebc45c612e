// Reads the promises in the report of a refused export.
#ifndef ONNXPORT_TESTS_SUPPORT_REFUSAL_H_
#define ONNXPORT_TESTS_SUPPORT_REFUSAL_H_

#include <string>

namespace onnxport::tests {

// The lowest opset at which the report says that the whole model can be exported. It is 0 if some call cannot be
// expressed at any opset, or if the text is no report of calls.
int PromisedOpset(const std::string& report);

}  // namespace onnxport::tests

#endif  // ONNXPORT_TESTS_SUPPORT_REFUSAL_H_
