// A size of a tensor: a number, a name, an expression, or unknown.
#ifndef ONNXPORT_DIM_H_
#define ONNXPORT_DIM_H_

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace onnxport {

class Dim {
 public:
  Dim() = default;  // unknown
  template <std::integral Number>
  Dim(Number number) : number_(static_cast<int64_t>(number)), is_number_(true) {}  // NOLINT: {batch, 3, 224, 224}

  bool is_number() const { return is_number_; }
  bool is_symbolic() const { return !symbol_.empty(); }
  bool is_unknown() const { return !is_number_ && symbol_.empty(); }
  int64_t number() const { return number_; }             // is_number() only
  const std::string& symbol() const { return symbol_; }  // "batch", "2*s0 + 1"; is_symbolic() only

  // Promises that the sizes of a free axis are in this range, both ends included: Sym("batch").Between(1, 64). Without
  // a bound, the model's own limit holds.
  Dim Between(std::optional<int64_t> min, std::optional<int64_t> max) const {
    Dim dim = *this;
    dim.min_ = min;
    dim.max_ = max;
    return dim;
  }
  std::optional<int64_t> min() const { return min_; }
  std::optional<int64_t> max() const { return max_; }

  // "4", "batch", "2*s0 + 1", "?"
  std::string Text() const { return is_number_ ? std::to_string(number_) : symbol_.empty() ? "?" : symbol_; }

  friend bool operator==(const Dim&, const Dim&) = default;
  friend Dim Sym(std::string name);

 private:
  int64_t number_ = 0;
  bool is_number_ = false;
  std::string symbol_;
  std::optional<int64_t> min_;
  std::optional<int64_t> max_;
};

// A free axis: its size may differ from run to run. Axes of the same name have the same size in a run. A name has
// letters, digits and `_`, at most 64, and no digit first.
inline Dim Sym(std::string name) {
  Dim dim;
  dim.symbol_ = std::move(name);
  return dim;
}

}  // namespace onnxport

#endif  // ONNXPORT_DIM_H_
