#include "runtime/torch/weight_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "runtime/archive/archive.h"
#include "runtime/base/error.h"
#include "runtime/torch/tensor_memory.h"
#include "runtime/torchscript/archive/program.h"

namespace onnxport::torch_export {

WeightFile::WeightFile(const std::shared_ptr<const archive::ByteSource>& bytes)
    : path_(bytes->name()), tensors_(torchscript::ReadTensors(archive::Archive::Open(bytes))) {}

std::shared_ptr<const ir::TensorData> WeightFile::Find(const std::string& name, const at::Tensor& wanted) const {
  const auto fail = [&](const std::string& what) {
    throw Error(ErrorKind::kCannotExport, fmt::format("{}: {}", path_, what));
  };
  const auto found = tensors_.find(name);
  if (found == tensors_.end()) {
    fail(tensors_.empty() ? fmt::format("there is no weight '{}' in it, nor any other", name)
                          : fmt::format("there is no weight '{}' in it, but {}, as '{}'", name, tensors_.size(),
                                        tensors_.begin()->first));
  }
  const ir::TensorData& data = *found->second;
  if (data.shape != wanted.sizes().vec() || data.dtype != DTypeOf(wanted.scalar_type())) {
    fail(fmt::format("the weight '{}' is {}[{}] there, and the module's is {}[{}]", name, ir::Name(data.dtype),
                     fmt::join(data.shape, ", "), c10::toString(wanted.scalar_type()),
                     fmt::join(wanted.sizes(), ", ")));
  }
  return found->second;
}

}  // namespace onnxport::torch_export
