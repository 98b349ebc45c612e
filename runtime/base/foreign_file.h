// Tells the user's Python files from PyTorch's own and from generated code. Messages name places in the user's files.
#ifndef ONNXPORT_RUNTIME_BASE_FOREIGN_FILE_H_
#define ONNXPORT_RUNTIME_BASE_FOREIGN_FILE_H_

#include <string_view>

namespace onnxport {

inline bool IsForeignFile(std::string_view file) {
  return file.find("-packages/torch/") != std::string_view::npos || file.starts_with("torch/") || file.starts_with('<');
}

}  // namespace onnxport

#endif  // ONNXPORT_RUNTIME_BASE_FOREIGN_FILE_H_
