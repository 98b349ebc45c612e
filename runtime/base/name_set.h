// Tells which names there are already.
#ifndef ONNXPORT_RUNTIME_BASE_NAME_SET_H_
#define ONNXPORT_RUNTIME_BASE_NAME_SET_H_

#include <algorithm>
#include <bit>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace onnxport {

// A set of strings that lie elsewhere. A large graph has hundreds of thousands of names, for each of which
// std::unordered_set takes 60 bytes; this takes 16 to 32, as it is one array of pointers, most of them null.
class NameSet {
 public:
  NameSet() = default;
  // With room for so many.
  explicit NameSet(size_t names) : slots_(std::bit_ceil(2 * names)) {}

  // Whether it is new. The string must stay where it is, and as it is, while this is used.
  bool Insert(const std::string& name) {
    if (2 * (size_ + 1) > slots_.size()) Grow();  // fuller, it would be searched for longer
    const std::string*& slot = slots_[SlotOf(name)];
    if (slot != nullptr) return false;
    slot = &name;
    ++size_;
    return true;
  }
  bool Contains(std::string_view name) const { return size_ > 0 && slots_[SlotOf(name)] != nullptr; }
  void Clear() { *this = NameSet(); }

 private:
  static constexpr size_t kFirstSlots = 16;  // as all later numbers of slots a power of two

  // Where the name is, or else the free slot where it would be. There is always a free one.
  size_t SlotOf(std::string_view name) const {
    size_t slot = std::hash<std::string_view>()(name) & (slots_.size() - 1);
    while (slots_[slot] != nullptr && *slots_[slot] != name) slot = (slot + 1) & (slots_.size() - 1);
    return slot;
  }

  void Grow() {
    const std::vector<const std::string*> names = std::move(slots_);
    slots_ = std::vector<const std::string*>(std::max(kFirstSlots, 2 * names.size()));
    for (const std::string* name : names) {
      if (name != nullptr) slots_[SlotOf(*name)] = name;
    }
  }

  std::vector<const std::string*> slots_;
  size_t size_ = 0;
};

}  // namespace onnxport

#endif  // ONNXPORT_RUNTIME_BASE_NAME_SET_H_
