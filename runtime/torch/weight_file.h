// Weights of a module whose tensors have no memory, from a file.
#ifndef ONNXPORT_RUNTIME_TORCH_WEIGHT_FILE_H_
#define ONNXPORT_RUNTIME_TORCH_WEIGHT_FILE_H_

#include <ATen/core/Tensor.h>

#include <map>
#include <memory>
#include <string>

#include "runtime/archive/byte_source.h"
#include "runtime/ir/graph.h"

namespace onnxport::torch_export {

// What torch.save(model.state_dict(), path), or torch::save(module, path) in C++, wrote. Weights are streamed from it.
class WeightFile {
 public:
  // Throws Error (kBadInput).
  explicit WeightFile(const std::shared_ptr<const archive::ByteSource>& bytes);

  // Throws Error (kCannotExport) when the file has no weight of that name, or one of another type than `wanted`.
  std::shared_ptr<const ir::TensorData> Find(const std::string& name, const at::Tensor& wanted) const;

 private:
  std::string path_;
  std::map<std::string, std::shared_ptr<const ir::TensorData>> tensors_;
};

}  // namespace onnxport::torch_export

#endif  // ONNXPORT_RUNTIME_TORCH_WEIGHT_FILE_H_
