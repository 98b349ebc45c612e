// The archive that torch::jit::Module::save writes, without its weights: they stay in their tensors' memory.
#ifndef ONNXPORT_RUNTIME_TORCH_MODULE_BYTES_H_
#define ONNXPORT_RUNTIME_TORCH_MODULE_BYTES_H_

#include <torch/csrc/jit/api/module.h>

#include <memory>

#include "runtime/archive/byte_source.h"

namespace onnxport::torch_export {

// The result keeps the tensors alive. Throws c10::Error for a module that LibTorch cannot save.
std::shared_ptr<const archive::ByteSource> ArchiveOf(const torch::jit::Module& module);

}  // namespace onnxport::torch_export

#endif  // ONNXPORT_RUNTIME_TORCH_MODULE_BYTES_H_
