// Texts that are numbered, and a map from texts: both only grow, and are looked up by a view.
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

// Numbers texts from 0 in the order in which they come. All of them lie in one array.
template <template <typename> typename Allocator = std::allocator>
class TextIndex {
 public:
  static constexpr uint32_t kNone = HashSlots<Allocator>::kNone;

  // The number of the text; kNone when it was not added.
  uint32_t Find(std::string_view text) const { return slots_.Find(text, Is{this, text}); }

  // The number of the text, which it has from now on, and whether it is new.
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
  // Null when the text is not there. Stays valid.
  const T* Find(std::string_view text) const {
    const uint32_t number = index_.Find(text);
    return number == TextIndex<>::kNone ? nullptr : &values_[number];
  }

  // Returns the text's value, which is `value` if the text is new, and whether it is new. The pointer stays valid.
  std::pair<T*, bool> Add(std::string_view text, T value) {
    const auto [number, is_new] = index_.Add(text);
    if (is_new) values_.push_back(std::move(value));
    return {&values_[number], is_new};
  }

  size_t size() const { return values_.size(); }

 private:
  TextIndex<> index_;
  std::deque<T> values_;  // which stay where they are
};

}  // namespace onnxport

#endif  // ONNXPORT_RUNTIME_BASE_TEXT_MAP_H_
