// Internal to the readers of pickles: the stack and the memo of a pickle.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_ARCHIVE_SLOT_STACK_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_ARCHIVE_SLOT_STACK_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/base/memory_budget.h"
#include "runtime/base/refusal.h"

namespace onnxport::torchscript {

// `IsMark(slot)` returns true for marks. All functions throw Refusal if a pickle does something that LibTorch's do not.
// The text ends a sentence that begins with "the pickle".
template <typename Slot>
class SlotStack {
 public:
  void Push(Slot slot) { slots_.push_back(std::move(slot)); }

  Slot Pop() {
    if (slots_.empty()) throw Refusal("takes from an empty stack");
    Slot slot = std::move(slots_.back());
    slots_.pop_back();
    return slot;
  }

  // Null if the stack is empty.
  Slot* Top() { return slots_.empty() ? nullptr : &slots_.back(); }

  // Passes the topmost `count` slots to `take`, deepest first, and removes them.
  template <typename Take>
  void PopMany(size_t count, const Take& take) {
    if (slots_.size() < count) throw Refusal("takes from an empty stack");
    take(std::span(slots_).last(count));
    slots_.resize(slots_.size() - count);
  }

  // The same for everything above the topmost mark, which is removed, too.
  template <typename Take>
  void PopToMark(const Take& take) {
    size_t above = 0;
    while (above < slots_.size() && !IsMark(slots_[slots_.size() - above - 1])) ++above;
    if (above == slots_.size()) throw Refusal("has no mark where one belongs");
    PopMany(above, take);
    slots_.pop_back();
  }

  // Stores the topmost slot in the memo, under a key that is at most `most`.
  void Remember(uint64_t key, size_t most) {
    if (slots_.empty()) throw Refusal("remembers nothing");
    // Writers of pickles number the keys in order, a few bytes for each.
    if (key > most) throw Refusal("has a memo key beyond reason");
    memo_.insert_or_assign(key, slots_.back());
  }

  void Recall(uint64_t key) {
    const auto found = memo_.find(key);
    if (found == memo_.end()) throw Refusal("recalls what it never remembered");
    slots_.push_back(found->second);
  }

  // The only slot left at the end.
  const Slot& Last() const {
    if (slots_.size() != 1) throw Refusal("leaves more than one value");
    return slots_[0];
  }

 private:
  std::vector<Slot, BudgetAllocator<Slot>> slots_;
  std::unordered_map<uint64_t, Slot, std::hash<uint64_t>, std::equal_to<>,
                     BudgetAllocator<std::pair<const uint64_t, Slot>>>
      memo_;
};

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_ARCHIVE_SLOT_STACK_H_
