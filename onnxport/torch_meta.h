// Makes modules without memory. Included by "onnxport/torch.h".
#ifndef ONNXPORT_TORCH_META_H_
#define ONNXPORT_TORCH_META_H_

#include <memory>

namespace onnxport {

// While it lives, tensors that this thread makes are on LibTorch's meta device, unless the code asks for a device: they
// have types and no memory. So a module that is larger than memory can be made and exported, with weights from a file
// or as inputs (ExportOptions::weights, ::weights_as_inputs).
//
//   std::optional<Net> net;
//   {
//     const onnxport::MetaTensors no_memory;
//     net.emplace();
//   }
class MetaTensors {
 public:
  MetaTensors();
  ~MetaTensors();
  MetaTensors(const MetaTensors&) = delete;

 private:
  struct Guard;
  std::unique_ptr<Guard> guard_;
};

}  // namespace onnxport

#endif  // ONNXPORT_TORCH_META_H_
