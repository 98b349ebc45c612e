// Operators and functions of the spec language on Vals.
//
// Generated code reads like the spec because `Val` has Python's operators. They compute with host values. If an operand
// is a tensor they add the ONNX node (`Add`, `Sub`, `Mul`, `Div` ...) to its graph, and a host operand becomes a
// constant of the tensor's dtype. An unknown size is such a tensor: 0-d int64. Comparisons are decided at export time.
// They throw `Refusal` if the result depends on a size or value known only at run time.
#ifndef ONNXPORT_RUNTIME_LOWERING_DSL_BUILTINS_H_
#define ONNXPORT_RUNTIME_LOWERING_DSL_BUILTINS_H_

#include <array>
#include <cstddef>
#include <optional>
#include <string>

#include "runtime/base/function_ref.h"
#include "runtime/lowering/build/val.h"

namespace onnxport::lowering {

class Blocks;  // the blocks of the graph under construction: runtime/lowering/build/blocks.h

// `+` also joins lists, and `*` repeats them. `/` of host ints returns a float; FloorDiv and `%` are Python's.
Val operator+(const Val& a, const Val& b);
Val operator-(const Val& a, const Val& b);
Val operator*(const Val& a, const Val& b);
Val operator/(const Val& a, const Val& b);
Val operator%(const Val& a, const Val& b);
Val operator-(const Val& a);
Val FloorDiv(const Val& a, const Val& b);
Val Pow(const Val& a, const Val& b);

// They throw Refusal (kNotDecided) if too little is known about a tensor operand; ranges of symbols are used. Compared
// with None, a tensor is present.
bool operator==(const Val& a, const Val& b);
bool operator<(const Val& a, const Val& b);
bool operator<=(const Val& a, const Val& b);
inline bool operator!=(const Val& a, const Val& b) { return !(a == b); }
inline bool operator>(const Val& a, const Val& b) { return b < a; }
inline bool operator>=(const Val& a, const Val& b) { return b <= a; }
bool Contains(const Val& list, const Val& element);  // `e in list`

// `a or b`, `a and b` as values. The second is evaluated only if needed.
Val Or(const Val& a, FunctionRef<Val()> b);
Val And(const Val& a, FunctionRef<Val()> b);

// ---- builtins of the spec language, in the order of spec/README.md; a few more are methods of Context ----

Val rank(const Val& tensor);                  // refuses an unknown rank
Val dim(const Val& tensor, const Val& axis);  // int when known, else a 0-d int64 tensor
Val dims(const Val& tensor);                  // list of dim
Val static_dims(const Val& tensor);           // list of int; refuses an unknown one
Val numel(const Val& tensor);                 // product of dims
Val dtype(const Val& value);                  // of a tensor; for a host number Python's default (int64, float32, bool)
Val as_dtype(const Val& number);              // c10::ScalarType's number: 6 is float32; refuses an unknown number
bool is_static(const Val& value);             // contains no tensor
bool present(const Val& value);               // not None
bool is_int(const Val& value);                // tensor, dtype or host number
bool is_float(const Val& value);
bool is_bool(const Val& value);
bool is_complex(const Val& value);
Val as_complex(const Val& parts);           // real[..., 2] -> complex[...]
Val as_real(const Val& complex);            // and back
bool is_sequence(const Val& value);         // a list whose length is known only at run time; false for host lists
Val cast(const Val& value, const Val& to);  // `to`: a dtype, a tensor (its dtype) or None (no change)
Val range(const Val& end);
Val range(const Val& begin, const Val& end);
Val range(const Val& begin, const Val& end, const Val& step);
Val len(const Val& list);
Val split_text(const Val& text, const Val& by);  // `by` is not empty; else Refusal
Val codes(const Val& text);
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
[[noreturn]] Val refuse(const Val& reason);         // refuses the call; for an arm of a conditional
// `a, b = list`
template <size_t n>
std::array<Val, n> Unpack(const Val& list) {
  std::array<Val, n> values;
  for (size_t i = 0; i < n; ++i) values[i] = list[i];
  return values;
}
// `[f(e) for e in list if keep(e)]`
Val Map(const Val& list, FunctionRef<Val(const Val&)> f);
Val Filter(const Val& list, FunctionRef<bool(const Val&)> keep);

// A value that is computed on first use. If it was computed inside a block that has ended, it is computed again.
class LazyVal {
 public:
  explicit LazyVal(Emitter* emitter);
  const Val& Get(FunctionRef<Val()> compute);

 private:
  const Blocks& blocks_;
  Val value_;
  std::optional<int> block_;  // the block where it was computed
};

// LazyVal with the function that computes it.
template <typename Compute>
class Lazy {
 public:
  Lazy(Emitter* emitter, const Compute& compute) : value_(emitter), compute_(compute) {}
  const Val& operator()() { return value_.Get(compute_); }

 private:
  LazyVal value_;
  Compute compute_;
};

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_DSL_BUILTINS_H_
