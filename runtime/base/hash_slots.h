// The slots of a hash table. The table's owner stores the entries.
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

// Entries are numbered from 0 in the order in which they are added. A slot holds the number and the hash of an entry.
// The hash rules out most other texts, and the table grows without reading the texts, which in a large graph are far
// away in memory. A table takes 16 to 32 bytes for an entry: it is one array of slots of 8 bytes, and at least half of
// them are free.
template <template <typename> typename Allocator = std::allocator>
class HashSlots {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;

  HashSlots() = default;
  // Makes room for this many entries.
  explicit HashSlots(size_t entries) : slots_(entries == 0 ? 0 : SlotsFor(entries)) {}

  size_t size() const { return size_; }

  // Returns the number of the text's entry, or kNone. `is_text(number)` returns true if that entry has this text.
  template <typename IsText>
  uint32_t Find(std::string_view text, const IsText& is_text) const {
    if (size_ == 0) return kNone;
    const uint32_t hash = HashOf(text);
    return slots_[Probe(hash, is_text)].number();
  }

  // Returns the number of the text's entry, and true if the entry is new. A new entry gets the number size().
  template <typename IsText>
  std::pair<uint32_t, bool> Add(std::string_view text, const IsText& is_text) {
    if (2 * (size_ + 1) > slots_.size()) Grow();  // searches in a fuller table take longer
    const uint32_t hash = HashOf(text);
    Slot& slot = slots_[Probe(hash, is_text)];
    if (slot.after_number != 0) return {slot.number(), false};
    slot = {hash, static_cast<uint32_t>(++size_)};
    return {slot.number(), true};
  }

 private:
  static constexpr size_t kFirstSlots = 16;                // a power of two, as all later sizes are
  static constexpr size_t kMostEntries = size_t{1} << 31;  // its 2^32 slots are all that a hash of 32 bits can address

  struct Slot {
    uint32_t hash = 0;
    uint32_t after_number = 0;  // the number + 1; 0: the slot is free
    uint32_t number() const { return after_number - 1; }
  };
  using Slots = std::vector<Slot, Allocator<Slot>>;

  static uint32_t HashOf(std::string_view text) {
    const uint64_t hash = std::hash<std::string_view>()(text);
    return static_cast<uint32_t>(hash ^ (hash >> 32));
  }

  // Returns the place of the entry, or the free slot where it would be. There always is a free one.
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
