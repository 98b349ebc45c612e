// Tracks, during a run, what is known about the memory of tensors.
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

// The set of things that values depend on. Each input has a bit. One more bit is for everything else that may differ in
// another run (random numbers, replaced weights). Inputs from the 63rd on share a bit.
using DependsOn = uint64_t;
inline constexpr DependsOn kNothing = 0;
inline constexpr DependsOn kOtherThings = 1;
constexpr DependsOn OnInput(size_t input) { return uint64_t{2} << std::min<size_t>(input, 62); }

// Tracks what values depend on. Detects if code other than operators wrote to memory that an operator made.
class Memory {
 public:
  // Notes an input, a weight or a constant, which no operator of the run has made.
  void NoteOld(const at::Tensor& tensor, DependsOn on);
  // Notes that an operator made the tensor, or wrote to it.
  void NoteMade(const at::Tensor& tensor, DependsOn on);
  // Notes that an operator returned the tensor: a new one, or a view of an older one.
  void NoteResult(const at::Tensor& tensor, DependsOn on);
  // Fills the memory of a tensor with a pattern, so that writes become visible. Call it before NoteResult, for a tensor
  // with undefined contents.
  static void Mark(const at::Tensor& tensor);

  // True if LibTorch did not allocate the memory (from_blob). Its owner may free it or write to it at any time.
  static bool IsBorrowed(const at::Tensor& tensor);
  // True if only the user keeps it alive.
  static bool IsLoose(const at::Tensor& tensor);
  static uint64_t HashOf(const at::Tensor& tensor);

  // True if operators of the run made its memory.
  bool IsMade(const at::Tensor& tensor) const;
  // Returns the things whose change in another run may change the tensor's values. Unknown memory: none.
  DependsOn Varies(const at::Tensor& tensor) const;
  // True if the bytes are still those that the last operator left. Also true for old memory that LibTorch owns, and for
  // unknown memory.
  bool IsAsMade(const at::Tensor& tensor) const;
  // True if the tensor has another storage, but its bytes are in a tensor that depends on the inputs.
  bool LiesInWhatVaries(const at::Tensor& tensor) const;

  // Returns memory that operators of the run made and that no tensor uses any more.
  std::unordered_set<const c10::StorageImpl*> Dead() const;
  // Forgets their addresses, so that other storages can get them.
  void Forget(const std::unordered_set<const c10::StorageImpl*>& dead);

 private:
  struct Note {
    c10::weak_intrusive_ptr<c10::StorageImpl> storage;  // keeps the address from being reused
    bool made = false;
    bool borrowed = false;
    DependsOn on = kNothing;
    std::vector<uint64_t> hashes = {};  // of blocks, if code other than operators may write to them
  };
  Note& NoteOf(const at::Tensor& tensor);
  const Note* Find(const at::Tensor& tensor) const;
  static void Hash(const at::Tensor& tensor, Note* note);

  std::unordered_map<const c10::StorageImpl*, Note> notes_;
};

}  // namespace onnxport::torch_export

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCH_MEMORY_H_
