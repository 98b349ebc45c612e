#include "runtime/sources/torch/memory.h"

#include <ATen/core/Tensor.h>
#include <c10/core/CPUAllocator.h>

#include <cstring>
#include <span>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace onnxport::torch_export {
namespace {

constexpr int kMark = 0x5a;
// A view is compared in blocks. So many views of a large tensor cost as much as their own elements.
constexpr size_t kBlock = size_t{64} << 10;

bool HasMemory(const at::Tensor& tensor) { return tensor.has_storage() && tensor.device().is_cpu(); }

struct Blocks {
  size_t begin = 0;
  size_t end = 0;
};

size_t BlockCount(const at::Tensor& tensor) {
  return HasMemory(tensor) ? (tensor.storage().nbytes() + kBlock - 1) / kBlock : 0;
}

// From the tensor's first element to its last.
Blocks BlocksOf(const at::Tensor& tensor) {
  if (!HasMemory(tensor) || tensor.numel() == 0) return {};
  int64_t last = tensor.storage_offset();
  for (int64_t axis = 0; axis < tensor.dim(); ++axis) last += (tensor.size(axis) - 1) * tensor.stride(axis);
  const auto item = static_cast<size_t>(tensor.itemsize());
  return {static_cast<size_t>(tensor.storage_offset()) * item / kBlock,
          std::min(BlockCount(tensor), static_cast<size_t>(last) * item / kBlock + 1)};
}

uint64_t HashOfBlock(const at::Tensor& tensor, size_t block) {
  const auto* bytes = static_cast<const std::byte*>(tensor.storage().data());
  const size_t begin = block * kBlock;
  return XXH3_64bits(bytes + begin, std::min(kBlock, tensor.storage().nbytes() - begin));
}

std::span<const std::byte> BytesOf(const c10::StorageImpl& storage) {
  return {static_cast<const std::byte*>(storage.data()), storage.nbytes()};
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

// Hashes the tensor's elements, or all memory if its size has changed.
void Memory::Hash(const at::Tensor& tensor, Note* note) {
  const size_t count = BlockCount(tensor);
  const Blocks blocks = note->hashes.size() == count ? BlocksOf(tensor) : Blocks{0, count};
  note->hashes.resize(count);
  for (size_t i = blocks.begin; i < blocks.end; ++i) note->hashes[i] = HashOfBlock(tensor, i);
}

// Only borrowed memory is hashed here, because to hash all parameters would mean to read them all. Constants from
// outside are hashed when they are recorded (RunRecorder::AddWeight).
void Memory::NoteOld(const at::Tensor& tensor, DependsOn on) {
  if (!tensor.has_storage()) return;
  const bool known = Find(tensor) != nullptr;
  Note& note = NoteOf(tensor);
  note.on |= on;
  if (known || !IsBorrowed(tensor)) return;
  note.borrowed = true;
  Hash(tensor, &note);
}

void Memory::NoteMade(const at::Tensor& tensor, DependsOn on) {
  if (!tensor.has_storage()) return;
  const bool known = Find(tensor) != nullptr;
  Note& note = NoteOf(tensor);
  // An operator that writes to old memory does not make it: a parameter stays a parameter.
  note.made = note.made || !known;
  note.on |= on;
  if (note.made || note.borrowed) Hash(tensor, &note);
}

void Memory::NoteResult(const at::Tensor& tensor, DependsOn on) {
  if (Find(tensor) == nullptr) return NoteMade(tensor, on);
  NoteOf(tensor).on |= on;
}

void Memory::Mark(const at::Tensor& tensor) {
  if (HasMemory(tensor)) std::memset(tensor.storage().mutable_data(), kMark, tensor.storage().nbytes());
}

bool Memory::IsBorrowed(const at::Tensor& tensor) {
  return HasMemory(tensor) && tensor.storage().nbytes() > 0 &&
         tensor.storage().data_ptr().get_deleter() != c10::GetCPUAllocator()->raw_deleter();
}

bool Memory::IsLoose(const at::Tensor& tensor) {
  return IsBorrowed(tensor) && tensor.storage().data_ptr().get_context() == nullptr;
}

uint64_t Memory::HashOf(const at::Tensor& tensor) {
  return HasMemory(tensor) ? XXH3_64bits(tensor.storage().data(), tensor.storage().nbytes()) : 0;
}

bool Memory::IsMade(const at::Tensor& tensor) const {
  const Note* note = Find(tensor);
  return note != nullptr && note->made;
}

DependsOn Memory::Varies(const at::Tensor& tensor) const {
  const Note* note = Find(tensor);
  return note == nullptr ? kNothing : note->on;
}

bool Memory::IsAsMade(const at::Tensor& tensor) const {
  const Note* note = Find(tensor);
  if (note == nullptr || (!note->made && !note->borrowed)) return true;
  if (note->hashes.size() != BlockCount(tensor)) return false;
  const Blocks blocks = BlocksOf(tensor);
  for (size_t i = blocks.begin; i < blocks.end; ++i) {
    if (note->hashes[i] != HashOfBlock(tensor, i)) return false;
  }
  return true;
}

// from_blob(x.data_ptr(), ...) makes another storage for the same bytes, so only addresses can be compared.
bool Memory::LiesInWhatVaries(const at::Tensor& tensor) const {
  if (!HasMemory(tensor)) return false;
  const std::span<const std::byte> bytes = BytesOf(*tensor.storage().unsafeGetStorageImpl());
  return std::ranges::any_of(notes_, [&](const auto& entry) {
    if (entry.second.on == kNothing || entry.first == tensor.storage().unsafeGetStorageImpl()) return false;
    const auto other = entry.second.storage.lock();
    if (!other || !other->device().is_cpu()) return false;
    const std::span<const std::byte> theirs = BytesOf(*other);
    return bytes.data() < theirs.data() + theirs.size() && theirs.data() < bytes.data() + bytes.size();
  });
}

std::unordered_set<const c10::StorageImpl*> Memory::Dead() const {
  std::unordered_set<const c10::StorageImpl*> dead;
  for (const auto& [storage, note] : notes_) {
    if (note.made && note.storage.expired()) dead.insert(storage);
  }
  return dead;
}

void Memory::Forget(const std::unordered_set<const c10::StorageImpl*>& dead) {
  for (const c10::StorageImpl* storage : dead) notes_.erase(storage);
}

}  // namespace onnxport::torch_export
