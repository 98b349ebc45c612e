// A set of numbered texts, and a map from texts to values. Both only grow, and a lookup takes a view.
#ifndef ONNXPORT_RUNTIME_BASE_TEXT_MAP_H_
#define ONNXPORT_RUNTIME_BASE_TEXT_MAP_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/base/hash_slots.h"

namespace onnxport {

// Numbers texts from 0 in the order in which they are added. All texts are in one array.
template <template <typename> typename Allocator = std::allocator>
class TextIndex {
 public:
  static constexpr uint32_t kNone = HashSlots<Allocator>::kNone;

  // Returns the text's number; kNone if it was not added.
  uint32_t Find(std::string_view text) const { return slots_.Find(text, Is{this, text}); }

  // Adds the text. Returns its number, and true if it is new.
  std::pair<uint32_t, bool> Add(std::string_view text) {
    const std::pair<uint32_t, bool> added = slots_.Add(text, Is{this, text});
    if (added.second) {
      characters_.insert(characters_.end(), text.begin(), text.end());
      ends_.push_back(characters_.size());
    }
    return added;
  }

  size_t size() const { return slots_.size(); }

 private:
  std::string_view TextOf(uint32_t number) const {
    const size_t begin = number == 0 ? 0 : ends_[number - 1];
    return {characters_.data() + begin, ends_[number] - begin};
  }
  struct Is {
    bool operator()(uint32_t number) const { return index->TextOf(number) == text; }
    const TextIndex* index;
    std::string_view text;
  };

  HashSlots<Allocator> slots_;
  std::vector<char, Allocator<char>> characters_;
  std::vector<size_t, Allocator<size_t>> ends_;
};

template <typename T>
class TextMap {
 public:
  // Returns null if the text is not there. The pointer stays valid.
  const T* Find(std::string_view text) const {
    const uint32_t number = index_.Find(text);
    return number == TextIndex<>::kNone ? nullptr : &values_[number];
  }

  // Adds the text with `value` unless the text is there. Returns its value, and true if it is new. The pointer stays
  // valid.
  std::pair<T*, bool> Add(std::string_view text, T value) {
    const auto [number, is_new] = index_.Add(text);
    if (is_new) values_.push_back(std::move(value));
    return {&values_[number], is_new};
  }

  size_t size() const { return values_.size(); }

 private:
  TextIndex<> index_;
  std::deque<T> values_;  // a deque, so that values do not move
};

}  // namespace onnxport

#endif  // ONNXPORT_RUNTIME_BASE_TEXT_MAP_H_
