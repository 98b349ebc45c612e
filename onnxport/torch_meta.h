// Makes modules without memory. Included by "onnxport/torch.h".
#ifndef ONNXPORT_TORCH_META_H_
#define ONNXPORT_TORCH_META_H_

#include <memory>

namespace onnxport {

// While it lives, tensors that this thread creates are on LibTorch's meta device, unless the code asks for a device.
// They have types and no memory. So you can create and export a module that is larger than memory. Its weights come
// from a file (ExportOptions::weights) or are inputs (::weights_as_inputs).
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
