// What is known, during a run, of the memory that tensors have.
#ifndef ONNXPORT_RUNTIME_TORCH_MEMORY_H_
#define ONNXPORT_RUNTIME_TORCH_MEMORY_H_

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <unordered_map>

namespace onnxport::torch_export {

// Whether values vary with the inputs, and whether something besides operators wrote to what an operator made.
class Memory {
 public:
  // Of an input, a weight or a constant: operators of the run have not made it.
  void NoteOld(const at::Tensor& tensor, bool varies);
  // An operator made the tensor, or wrote to it.
  void NoteMade(const at::Tensor& tensor, bool varies);
  // To be called before NoteMade of a tensor that holds whatever its memory held before: so that writes show.
  static void Mark(const at::Tensor& tensor);

  // Whether operators of the run made its memory.
  bool IsMade(const at::Tensor& tensor) const;
  // Whether another run may give other values. Of unknown memory: no.
  bool Varies(const at::Tensor& tensor) const;
  // Whether what the last operator left there is still there. Of old and unknown memory: yes.
  bool IsAsMade(const at::Tensor& tensor) const;

 private:
  struct Note {
    c10::weak_intrusive_ptr<c10::StorageImpl> storage;  // so that its address is not used again
    bool made = false;
    bool varies = false;
    uint64_t hash = 0;
  };
  Note& NoteOf(const at::Tensor& tensor);
  const Note* Find(const at::Tensor& tensor) const;

  std::unordered_map<const c10::StorageImpl*, Note> notes_;
};

}  // namespace onnxport::torch_export

#endif  // ONNXPORT_RUNTIME_TORCH_MEMORY_H_
