#include "runtime/torch/memory.h"

#include <ATen/core/Tensor.h>

#include <cstring>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace onnxport::torch_export {
namespace {

constexpr int kMark = 0x5a;

bool HasMemory(const at::Tensor& tensor) { return tensor.has_storage() && tensor.device().is_cpu(); }

uint64_t HashOf(const at::Tensor& tensor) {
  return HasMemory(tensor) ? XXH3_64bits(tensor.storage().data(), tensor.storage().nbytes()) : 0;
}

}  // namespace

Memory::Note& Memory::NoteOf(const at::Tensor& tensor) {
  c10::StorageImpl* storage = tensor.storage().unsafeGetStorageImpl();
  const auto found = notes_.find(storage);
  if (found != notes_.end()) return found->second;
  const auto strong = c10::intrusive_ptr<c10::StorageImpl>::reclaim_copy(storage);
  return notes_.emplace(storage, Note{.storage = c10::weak_intrusive_ptr<c10::StorageImpl>(strong)}).first->second;
}

const Memory::Note* Memory::Find(const at::Tensor& tensor) const {
  if (!tensor.has_storage()) return nullptr;
  const auto found = notes_.find(tensor.storage().unsafeGetStorageImpl());
  return found == notes_.end() ? nullptr : &found->second;
}

void Memory::NoteOld(const at::Tensor& tensor, bool varies) {
  if (!tensor.has_storage()) return;
  Note& note = NoteOf(tensor);
  note.varies = note.varies || varies;
}

void Memory::NoteMade(const at::Tensor& tensor, bool varies) {
  if (!tensor.has_storage()) return;
  const bool known = Find(tensor) != nullptr;
  Note& note = NoteOf(tensor);
  note.made = note.made || !known;
  note.varies = note.varies || varies;
  if (note.made) note.hash = HashOf(tensor);
}

void Memory::Mark(const at::Tensor& tensor) {
  if (HasMemory(tensor)) std::memset(tensor.storage().mutable_data(), kMark, tensor.storage().nbytes());
}

bool Memory::IsMade(const at::Tensor& tensor) const {
  const Note* note = Find(tensor);
  return note != nullptr && note->made;
}

bool Memory::Varies(const at::Tensor& tensor) const {
  const Note* note = Find(tensor);
  return note != nullptr && note->varies;
}

bool Memory::IsAsMade(const at::Tensor& tensor) const {
  const Note* note = Find(tensor);
  return note == nullptr || !note->made || note->hash == HashOf(tensor);
}

}  // namespace onnxport::torch_export
