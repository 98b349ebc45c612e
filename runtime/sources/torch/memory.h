// Knowledge, during a run, about the memory that tensors have.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCH_MEMORY_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCH_MEMORY_H_

#include <ATen/core/Tensor.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace onnxport::torch_export {

// The things that values depend on: a bit for each input, and one for everything else that may differ in another run
// (random numbers, weights that are replaced). Inputs from the 63rd on share a bit.
using DependsOn = uint64_t;
inline constexpr DependsOn kNothing = 0;
inline constexpr DependsOn kOtherThings = 1;
constexpr DependsOn OnInput(size_t input) { return uint64_t{2} << std::min<size_t>(input, 62); }

// Knows the things that values depend on. Sees whether something besides operators wrote to memory that an operator
// made.
class Memory {
 public:
  // For an input, a weight or a constant: operators of the run have not made it.
  void NoteOld(const at::Tensor& tensor, DependsOn on);
  // An operator made the tensor, or wrote to it.
  void NoteMade(const at::Tensor& tensor, DependsOn on);
  // It is what an operator gave: made, or a view of what there was.
  void NoteResult(const at::Tensor& tensor, DependsOn on);
  // To be called before NoteResult of a tensor that holds whatever its memory held before: so that writes show.
  static void Mark(const at::Tensor& tensor);

  // True if LibTorch did not allocate its memory (from_blob): nobody knows how long that lives, and who writes to it.
  static bool IsBorrowed(const at::Tensor& tensor);
  // True if nobody but the user keeps it alive.
  static bool IsLoose(const at::Tensor& tensor);
  static uint64_t HashOf(const at::Tensor& tensor);

  // True if operators of the run made its memory.
  bool IsMade(const at::Tensor& tensor) const;
  // The things whose change in another run may change its values. Unknown memory: nothing.
  DependsOn Varies(const at::Tensor& tensor) const;
  // True if the bytes that the last operator left are still there. Old memory that LibTorch owns, and unknown memory:
  // true.
  bool IsAsMade(const at::Tensor& tensor) const;
  // True if its bytes are those of a tensor that depends on the inputs, under another storage.
  bool LiesInWhatVaries(const at::Tensor& tensor) const;

  // Memory that operators of the run made, and no tensor has any more.
  std::unordered_set<const c10::StorageImpl*> Dead() const;
  // Lets go of their addresses, which other storages may have from then on.
  void Forget(const std::unordered_set<const c10::StorageImpl*>& dead);

 private:
  struct Note {
    c10::weak_intrusive_ptr<c10::StorageImpl> storage;  // so that its address is not used again
    bool made = false;
    bool borrowed = false;
    DependsOn on = kNothing;
    std::vector<uint64_t> hashes = {};  // of blocks, where something besides operators may write
  };
  Note& NoteOf(const at::Tensor& tensor);
  const Note* Find(const at::Tensor& tensor) const;
  static void Hash(const at::Tensor& tensor, Note* note);

  std::unordered_map<const c10::StorageImpl*, Note> notes_;
};

}  // namespace onnxport::torch_export

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCH_MEMORY_H_
