// Optionals and lists that are nearly always empty, in one word each. A graph has one for each value and node, a
// program one for each expression.
#ifndef ONNXPORT_RUNTIME_BASE_RARE_H_
#define ONNXPORT_RUNTIME_BASE_RARE_H_

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace onnxport {

// Like std::optional, but the value is on the heap. A copy copies the value.
template <typename T>
class Rare {
 public:
  Rare() = default;
  // Implicit, as in std::optional.
  Rare(std::nullopt_t /*nothing*/) {}
  Rare(T value) : value_(std::make_unique<T>(std::move(value))) {}
  Rare(std::optional<T> value) : value_(value ? std::make_unique<T>(*std::move(value)) : nullptr) {}
  Rare(const Rare& other) : value_(other ? std::make_unique<T>(*other) : nullptr) {}
  Rare(Rare&&) noexcept = default;
  Rare& operator=(Rare other) noexcept {
    value_.swap(other.value_);
    return *this;
  }
  ~Rare() = default;

  bool has_value() const { return value_ != nullptr; }
  explicit operator bool() const { return has_value(); }
  T& operator*() { return *value_; }
  const T& operator*() const { return *value_; }
  T* operator->() { return value_.get(); }
  const T* operator->() const { return value_.get(); }

  void reset() { value_.reset(); }
  template <typename... Args>
  T& emplace(Args&&... args) {
    value_ = std::make_unique<T>(std::forward<Args>(args)...);
    return *value_;
  }

  friend bool operator==(const Rare& a, const Rare& b) { return a && b ? *a == *b : !a && !b; }

 private:
  std::unique_ptr<T> value_;
};

// Like std::vector, with the functions that somebody uses.
template <typename T, typename Allocator = std::allocator<T>>
class RareList {
 public:
  using List = std::vector<T, Allocator>;
  using value_type = T;
  using iterator = T*;
  using const_iterator = const T*;

  RareList() = default;
  // Implicit, because callers build a plain List.
  RareList(List items) {
    if (!items.empty()) items_.emplace(std::move(items));
  }
  RareList(std::initializer_list<T> items) : RareList(List(items)) {}

  // Gives access to the list, to change it.
  List& vector() { return items_ ? *items_ : items_.emplace(); }

  size_t size() const { return items_ ? items_->size() : 0; }
  bool empty() const { return size() == 0; }
  iterator begin() { return items_ ? items_->data() : nullptr; }
  iterator end() { return begin() + size(); }
  const_iterator begin() const { return items_ ? items_->data() : nullptr; }
  const_iterator end() const { return begin() + size(); }
  T& operator[](size_t i) { return (*items_)[i]; }
  const T& operator[](size_t i) const { return (*items_)[i]; }
  T& back() { return items_->back(); }
  const T& back() const { return items_->back(); }

  void push_back(T item) { vector().push_back(std::move(item)); }
  template <typename... Args>
  T& emplace_back(Args&&... args) {
    return vector().emplace_back(std::forward<Args>(args)...);
  }
  void clear() { items_.reset(); }

 private:
  Rare<List> items_;
};

}  // namespace onnxport

#endif  // ONNXPORT_RUNTIME_BASE_RARE_H_
