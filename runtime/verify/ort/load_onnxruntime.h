// ONNX Runtime is loaded, not linked: its C API is the same for every release, so one program serves whichever a user
// has.
#ifndef ONNXPORT_RUNTIME_VERIFY_ORT_LOAD_ONNXRUNTIME_H_
#define ONNXPORT_RUNTIME_VERIFY_ORT_LOAD_ONNXRUNTIME_H_

#include <string>

namespace onnxport::ort {

struct OnnxRuntime {
  std::string file;
  void* get_api_base;  // OrtGetApiBase
};

// Loads `library`, or if that is empty the one that ONNXPORT_ONNXRUNTIME_LIBRARY names. Without either it loads
// `of_build`, if there is such a file, or the first one that it finds. It looks beside this program, in the active
// environment of Python, where the system's loader looks, and in the environment of `python3`. Throws
// std::runtime_error, which says where it looked.
OnnxRuntime LoadOnnxRuntime(const std::string& library, const std::string& of_build);

}  // namespace onnxport::ort

#endif  // ONNXPORT_RUNTIME_VERIFY_ORT_LOAD_ONNXRUNTIME_H_
