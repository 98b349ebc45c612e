// What the report of a refused export promises.
#ifndef ONNXPORT_TESTS_SUPPORT_REFUSAL_H_
#define ONNXPORT_TESTS_SUPPORT_REFUSAL_H_

#include <string>

namespace onnxport::tests {

// The lowest opset at which, by the report, the whole model can be exported; 0 when it says of some call that no opset
// can express it, or is no report of calls.
int PromisedOpset(const std::string& report);

}  // namespace onnxport::tests

#endif  // ONNXPORT_TESTS_SUPPORT_REFUSAL_H_
