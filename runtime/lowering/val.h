// What the expressions of a spec compute while a model is exported: a host value, or a tensor of the graph being built.
//
// Generated code reads like the spec because `Val` carries Python's operators. On host values they compute; when a
// tensor takes part they emit the ONNX node (`Add`, `Sub`, `Mul`, `Div` ...), a host operand becoming a constant of the
// tensor's dtype. An unknown size is such a tensor: 0-d int64. Comparisons answer at export time and throw `Refusal`
// when the answer depends on a size or value that only a run would know.
#ifndef ONNXPORT_RUNTIME_LOWERING_VAL_H_
#define ONNXPORT_RUNTIME_LOWERING_VAL_H_

#include <array>
#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "runtime/ir/dtype.h"
#include "runtime/ir/graph.h"

namespace onnxport::lowering {

using ir::DType;

class Context;
class Val;
using Vals = std::vector<Val>;

// The call cannot be lowered; caught by the lowering loop, which adds operator, source line and module path.
class Refusal : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A comparison that needs a value unknown until the model runs.
class NotDecided : public Refusal {
 public:
  using Refusal::Refusal;
};

// A tensor of the graph under construction.
struct Tensor {
  Context* context;
  ir::ValueId id;
};

class Val {
 public:
  Val() = default;  // None
  Val(std::same_as<bool> auto b) : v_(bool{b}) {}
  template <std::integral T>
    requires(!std::same_as<T, bool>)
  Val(T i) : v_(static_cast<int64_t>(i)) {}
  Val(double d) : v_(d) {}
  Val(const char* text) : v_(std::string(text)) {}
  Val(std::string text) : v_(std::move(text)) {}
  Val(DType dtype) : v_(dtype) {}
  Val(ir::Word word) : v_(std::move(word)) {}
  Val(Tensor tensor) : v_(tensor) {}
  Val(Vals list) : v_(std::make_shared<const Vals>(std::move(list))) {}

  bool is_none() const { return std::holds_alternative<std::monostate>(v_); }
  bool is_bool() const { return std::holds_alternative<bool>(v_); }
  bool is_int() const { return std::holds_alternative<int64_t>(v_); }
  bool is_float() const { return std::holds_alternative<double>(v_); }
  bool is_number() const { return is_bool() || is_int() || is_float(); }
  bool is_text() const { return std::holds_alternative<std::string>(v_) || std::holds_alternative<ir::Word>(v_); }
  bool is_dtype() const { return std::holds_alternative<DType>(v_); }
  bool is_list() const { return std::holds_alternative<std::shared_ptr<const Vals>>(v_); }
  bool is_tensor() const { return std::holds_alternative<Tensor>(v_); }

  // Each throws Refusal when the value is of another kind. AsInt takes bools and whole floats, AsFloat any number.
  bool AsBool() const;
  int64_t AsInt() const;
  double AsFloat() const;
  const std::string& AsText() const;
  DType AsDType() const;
  const Vals& AsList() const&;
  Vals AsList() &&;  // of a value that ends with the statement
  Tensor AsTensor() const;

  // Python's truth of a host value; a tensor is true (it is present).
  explicit operator bool() const;
  // A list's element or slice; a negative index counts from the end. Throws Refusal when out of range.
  Val operator[](const Val& index) const;
  Val Slice(const Val& begin, const Val& end) const;  // None: open end

  std::string ToString() const;  // for messages

 private:
  std::variant<std::monostate, bool, int64_t, double, std::string, DType, ir::Word, Tensor, std::shared_ptr<const Vals>>
      v_;
};

// `+` also joins lists, `*` repeats them. `/` of host ints is a float; FloorDiv and `%` are Python's.
Val operator+(const Val& a, const Val& b);
Val operator-(const Val& a, const Val& b);
Val operator*(const Val& a, const Val& b);
Val operator/(const Val& a, const Val& b);
Val operator%(const Val& a, const Val& b);
Val operator-(const Val& a);
Val FloorDiv(const Val& a, const Val& b);
Val Pow(const Val& a, const Val& b);

// Throw NotDecided when an operand is a tensor whose contents are not known well enough (symbol ranges are used).
// A tensor compared with None is present.
bool operator==(const Val& a, const Val& b);
bool operator<(const Val& a, const Val& b);
bool operator<=(const Val& a, const Val& b);
inline bool operator!=(const Val& a, const Val& b) { return !(a == b); }
inline bool operator>(const Val& a, const Val& b) { return b < a; }
inline bool operator>=(const Val& a, const Val& b) { return b <= a; }
bool Contains(const Val& list, const Val& element);  // `e in list`

// `a or b`, `a and b` as values, the second evaluated only when needed.
Val Or(const Val& a, const std::function<Val()>& b);
Val And(const Val& a, const std::function<Val()>& b);

// ---- builtins of the spec language, in the order of spec/README.md ----

Val rank(const Val& tensor);                  // refuses an unknown rank
Val dim(const Val& tensor, const Val& axis);  // int when known, else a 0-d int64 tensor
Val dims(const Val& tensor);                  // list of dim
Val static_dims(const Val& tensor);           // list of int; refuses an unknown one
Val numel(const Val& tensor);                 // product of dims
Val dtype(const Val& value);                  // of a tensor; of a host number Python's default (int64, float32, bool)
bool is_static(const Val& value);             // no tensor in it
bool present(const Val& value);               // not None
bool is_int(const Val& value);                // tensor, dtype or host number
bool is_float(const Val& value);
bool is_bool(const Val& value);
bool is_complex(const Val& value);
Val as_complex(const Val& parts);    // real[..., 2] -> complex[...]
Val as_real(const Val& complex);     // and back
bool is_sequence(const Val& value);  // a list whose length only a run knows; false for host lists
bool statically_true(const std::function<bool()>& condition);  // false when it throws NotDecided
Val cast(const Val& value, const Val& to);        // `to`: a dtype, a tensor (its dtype) or None (no change)
Val constant(const Val& value, const Val& like);  // `const(...)`: a tensor of like's dtype, 0-d or 1-d
Val shape_tensor(const Val& list);                // a 1-d int64 tensor of ints and unknown sizes
Val range(const Val& end);
Val range(const Val& begin, const Val& end);
Val range(const Val& begin, const Val& end, const Val& step);
Val len(const Val& list);
Val swap(const Val& list, const Val& i, const Val& j);
Val repeat_to(const Val& value, const Val& n);  // [2] or 2 -> n times 2; a list of n stays; else Refusal
Val inverse_perm(const Val& perm);
Val without(const Val& list, const Val& values);  // the elements that are not in `values` (a list or one value)
Val move_last(const Val& list, const Val& value);
Val sorted(const Val& list);
Val reversed(const Val& list);
Val min(const Val& a, const Val& b);
Val max(const Val& a, const Val& b);
Val min(const Val& list);
Val max(const Val& list);
Val sum(const Val& list);
Val product(const Val& list);
Val abs(const Val& number);
Val sqrt(const Val& number);  // host or tensor (Sqrt), as are exp and log
Val exp(const Val& number);
Val log(const Val& number);
Val floor(const Val& number);  // host only, as are the rest
Val ceil(const Val& number);
Val to_int(const Val& number);    // `int(...)`
Val to_float(const Val& number);  // `float(...)`
Val finfo_min(const Val& dtype);
Val finfo_max(const Val& dtype);
Val iinfo_min(const Val& dtype);
Val iinfo_max(const Val& dtype);
bool all(const Val& list);
bool any(const Val& list);
Val zip(const Val& a, const Val& b);  // list of pairs
Val enumerate(const Val& list);
Val normal_axis(const Val& axis, const Val& rank);  // `axis(i, rank)`: counted from the front; refuses out of range
[[noreturn]] Val refuse(const Val& reason);         // the call is refused; for an arm of a conditional
// `a, b = list`
template <size_t n>
std::array<Val, n> Unpack(const Val& list) {
  std::array<Val, n> values;
  for (size_t i = 0; i < n; ++i) values[i] = list[i];
  return values;
}
// `[f(e) for e in list if keep(e)]`
Val Map(const Val& list, const std::function<Val(const Val&)>& f);
Val Filter(const Val& list, const std::function<bool(const Val&)>& keep);

// The block of an If or Loop that calls go into now; 0: the graph's body.
int CurrentBlock();
bool IsOpenBlock(int block);

// A value computed when first asked for: a `let` that only some branch needs. What was computed inside a block is
// computed again when it is asked for after the block has ended.
class Lazy {
 public:
  explicit Lazy(std::function<Val()> compute) : compute_(std::move(compute)) {}
  const Val& operator()() {
    if (!block_ || (*block_ != 0 && !IsOpenBlock(*block_))) {
      value_ = compute_();
      block_ = CurrentBlock();
    }
    return value_;
  }

 private:
  std::function<Val()> compute_;
  Val value_;
  std::optional<int> block_;  // where it was computed
};

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_VAL_H_
