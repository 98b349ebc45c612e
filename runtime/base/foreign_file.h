// Python files that are not the user's: PyTorch itself, and code that tools made. Messages name places in others.
#ifndef ONNXPORT_RUNTIME_BASE_FOREIGN_FILE_H_
#define ONNXPORT_RUNTIME_BASE_FOREIGN_FILE_H_

#include <string_view>

namespace onnxport {

inline bool IsForeignFile(std::string_view file) {
  return file.find("-packages/torch/") != std::string_view::npos || file.starts_with("torch/") || file.starts_with('<');
}

}  // namespace onnxport

#endif  // ONNXPORT_RUNTIME_BASE_FOREIGN_FILE_H_
