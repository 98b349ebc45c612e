// The slots of a hash table whose entries lie elsewhere.
#ifndef ONNXPORT_RUNTIME_BASE_HASH_SLOTS_H_
#define ONNXPORT_RUNTIME_BASE_HASH_SLOTS_H_

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/base/error.h"

namespace onnxport {

// Entries are numbered from 0, in the order in which they are added. A slot has an entry's number and its hash. So most
// other texts are ruled out, and the table grows, without a look at the texts: in a large graph each of those is far
// away in memory. A table takes 16 to 32 bytes for an entry, as it is one array of 8 bytes, at least half of them free.
template <template <typename> typename Allocator = std::allocator>
class HashSlots {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;

  HashSlots() = default;
  // With room for so many.
  explicit HashSlots(size_t entries) : slots_(entries == 0 ? 0 : SlotsFor(entries)) {}

  size_t size() const { return size_; }

  // The number of the entry of this text; kNone when there is none. `is_text(number)`: whether the entry is of this
  // text.
  template <typename IsText>
  uint32_t Find(std::string_view text, const IsText& is_text) const {
    if (size_ == 0) return kNone;
    const uint32_t hash = HashOf(text);
    return slots_[Probe(hash, is_text)].number();
  }

  // The same, but where there is none, there is one from now on, with the number size(). The second: whether it is new.
  template <typename IsText>
  std::pair<uint32_t, bool> Add(std::string_view text, const IsText& is_text) {
    if (2 * (size_ + 1) > slots_.size()) Grow();  // fuller, it would be searched for longer
    const uint32_t hash = HashOf(text);
    Slot& slot = slots_[Probe(hash, is_text)];
    if (slot.after_number != 0) return {slot.number(), false};
    slot = {hash, static_cast<uint32_t>(++size_)};
    return {slot.number(), true};
  }

 private:
  static constexpr size_t kFirstSlots = 16;                // as all later numbers of slots a power of two
  static constexpr size_t kMostEntries = size_t{1} << 31;  // then the 32 bits of a hash tell as many slots apart

  struct Slot {
    uint32_t hash = 0;
    uint32_t after_number = 0;  // 0: free
    uint32_t number() const { return after_number - 1; }
  };
  using Slots = std::vector<Slot, Allocator<Slot>>;

  static uint32_t HashOf(std::string_view text) {
    const uint64_t hash = std::hash<std::string_view>()(text);
    return static_cast<uint32_t>(hash ^ (hash >> 32));
  }

  // Where the entry is, or else the free slot where it would be. There is always a free one.
  template <typename IsText>
  size_t Probe(uint32_t hash, const IsText& is_text) const {
    size_t at = hash & (slots_.size() - 1);
    while (slots_[at].after_number != 0 && !(slots_[at].hash == hash && is_text(slots_[at].number()))) at = After(at);
    return at;
  }
  size_t After(size_t at) const { return (at + 1) & (slots_.size() - 1); }

  static size_t SlotsFor(size_t entries) {
    if (entries > kMostEntries) {
      throw Error(ErrorKind::kMemoryBudget, "it has more than " + std::to_string(kMostEntries) +
                                                " different names, and so many cannot be told apart");
    }
    return std::bit_ceil(2 * entries);
  }

  void Grow() {
    const Slots before = std::exchange(slots_, Slots(std::max(kFirstSlots, SlotsFor(size_ + 1))));
    for (const Slot& slot : before) {
      if (slot.after_number == 0) continue;
      size_t at = slot.hash & (slots_.size() - 1);
      while (slots_[at].after_number != 0) at = After(at);
      slots_[at] = slot;
    }
  }

  Slots slots_;
  size_t size_ = 0;
};

}  // namespace onnxport

#endif  // ONNXPORT_RUNTIME_BASE_HASH_SLOTS_H_
