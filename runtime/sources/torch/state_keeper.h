// Restores the state of the user's program after a run.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCH_STATE_KEEPER_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCH_STATE_KEEPER_H_

#include <ATen/core/Tensor.h>

#include <string>
#include <unordered_map>

namespace onnxport::torch_export {

// While it lives, the program may draw random numbers and write to tensors that were kept.
class StateKeeper {
 public:
  StateKeeper();
  ~StateKeeper();
  StateKeeper(const StateKeeper&) = delete;

  // Copies the tensor's memory, once, before something may write to it.
  void Keep(const at::Tensor& tensor);
  // Restores everything that was kept.
  void Restore();

 private:
  struct Copy {
    c10::Storage storage;
    std::string bytes;
  };
  std::unordered_map<const c10::StorageImpl*, Copy> copies_;
  at::Tensor random_;
};

}  // namespace onnxport::torch_export

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCH_STATE_KEEPER_H_
