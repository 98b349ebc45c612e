// Short lists of values of a graph.
#ifndef ONNXPORT_RUNTIME_IR_VALUE_IDS_H_
#define ONNXPORT_RUNTIME_IR_VALUE_IDS_H_

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "runtime/ir/value_id.h"

namespace onnxport::ir {

// The results of a node, with the interface of a vector. Nearly every node has one result. It needs no memory of its
// own here, while a vector would allocate 32 bytes for each node.
class ValueIds {
 public:
  using value_type = ValueId;
  using iterator = ValueId*;
  using const_iterator = const ValueId*;

  ValueIds() = default;
  explicit ValueIds(size_t count) { std::fill_n(Resize(count), count, ValueId::kNone); }
  // Implicit, because code that makes a node has its results in this form.
  ValueIds(std::span<const ValueId> ids) { std::ranges::copy(ids, Resize(ids.size())); }
  ValueIds(const std::vector<ValueId>& ids) : ValueIds(std::span(ids)) {}
  ValueIds(std::initializer_list<ValueId> ids) : ValueIds(std::span(ids.begin(), ids.size())) {}
  ValueIds(const ValueIds& other) : ValueIds(std::span(other)) {}
  ValueIds(ValueIds&& other) noexcept
      : one_(other.one_), size_(std::exchange(other.size_, 0)), many_(std::move(other.many_)) {}
  ValueIds& operator=(ValueIds other) noexcept {
    one_ = other.one_;
    size_ = other.size_;
    many_ = std::move(other.many_);
    return *this;
  }
  ~ValueIds() = default;

  std::vector<ValueId> ToVector() const { return {begin(), end()}; }

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  iterator begin() { return data(); }
  iterator end() { return data() + size_; }
  const_iterator begin() const { return data(); }
  const_iterator end() const { return data() + size_; }
  ValueId* data() { return many_ != nullptr ? many_.get() : &one_; }
  const ValueId* data() const { return many_ != nullptr ? many_.get() : &one_; }
  ValueId& operator[](size_t i) { return data()[i]; }
  ValueId operator[](size_t i) const { return data()[i]; }
  ValueId front() const { return data()[0]; }
  ValueId back() const { return data()[size_ - 1]; }

  void push_back(ValueId id) {
    if (std::has_single_bit(size_)) {  // the room is full, or counts as full
      auto more = std::make_unique<ValueId[]>(2 * size_t{size_});
      std::ranges::copy(*this, more.get());
      many_ = std::move(more);
    }
    data()[size_++] = id;
  }
  iterator erase(iterator at) {
    std::move(at + 1, end(), at);
    --size_;
    return at;
  }
  void clear() { *this = ValueIds(); }

  friend bool operator==(const ValueIds& a, const ValueIds& b) { return std::ranges::equal(a, b); }

 private:
  // The list must be empty. Returns a pointer to its elements.
  ValueId* Resize(size_t count) {
    size_ = static_cast<uint32_t>(count);
    if (count > 1) many_ = std::make_unique<ValueId[]>(std::bit_ceil(count));
    return data();
  }

  ValueId one_ = ValueId::kNone;  // the only element, unless `many_` is set
  uint32_t size_ = 0;
  std::unique_ptr<ValueId[]> many_;  // room for a power of two of elements, at least `size_`
};

}  // namespace onnxport::ir

#endif  // ONNXPORT_RUNTIME_IR_VALUE_IDS_H_
