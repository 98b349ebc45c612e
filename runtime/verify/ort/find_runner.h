// The program with ONNX Runtime, which lies beside who starts it.
#ifndef ONNXPORT_RUNTIME_VERIFY_ORT_FIND_RUNNER_H_
#define ONNXPORT_RUNTIME_VERIFY_ORT_FIND_RUNNER_H_

#include <string>

namespace onnxport::ort {

// `program`, or if that is empty what ONNXPORT_ONNXRUNTIME names, or exporter-onnxruntime beside this program or on
// PATH. Throws Error if there is no such file.
std::string FindRunner(const std::string& program);

}  // namespace onnxport::ort

#endif  // ONNXPORT_RUNTIME_VERIFY_ORT_FIND_RUNNER_H_
