// Python's operators on Vals.
#include <fmt/format.h>

#include <algorithm>

#include "runtime/lowering/build/emitter.h"
#include "runtime/lowering/build/tensor.h"
#include "runtime/lowering/dsl/builtins.h"
#include "runtime/lowering/dsl/host_operands.h"
#include "runtime/lowering/dsl/placement.h"

namespace onnxport::lowering {
namespace {

using ir::Dim;
using ir::DType;

constexpr int kIntModOpset = 10;  // ONNX Mod
constexpr size_t kMaxList = 1 << 20;

[[noreturn]] void NoOperator(const char* op, const Val& a, const Val& b) {
  host::RefuseOperator(op, a.ToString(), b.ToString());
}

// For operands that are not tensors.
Val Compute(const char* op, host::Value (*compute)(const host::Value&, const host::Value&), const Val& a,
            const Val& b) {
  const auto left = HostOf(a), right = HostOf(b);
  if (!left || !right) NoOperator(op, a, b);
  return ValOf(compute(*left, *right));
}

// Returns true if a node is needed: a tensor with a tensor or a number.
bool OnTensors(const char* op, const Val& a, const Val& b) {
  if (!a.is_tensor() && !b.is_tensor()) return false;
  for (const Val* side : {&a, &b})
    if (!side->is_tensor() && !side->is_number()) NoOperator(op, a, b);
  return true;
}

// Size arithmetic: both operands are sizes with known expressions, and one is a tensor.
bool AreSizes(const Val& a, const Val& b) {
  const auto size = [](const Val& v) {
    return v.is_int() || (v.is_tensor() && ValueOf(v.AsTensor()).dtype == DType::kInt64 && SizeOf(v));
  };
  return size(a) && size(b);
}

// Returns the node `op`, unless its result is a number or was computed before. A new result is stored by its
// expression. So the model computes `n - 1` once, and shapes that use it stay readable.
Val EmitSize(const char* op, const Val& a, const Val& b, const Dim& result) {
  Emitter& emitter = *EmitterOf(a, b);
  if (auto known = FindSize(&emitter, result)) return *known;
  Val value = EmitOn(op, {a, b});
  const ir::ValueId id = value.AsTensor().id;
  if (result.is_symbolic()) {
    ir::Value stated;
    stated.contents = ir::Dims{result};
    emitter.Refine(id, stated);
  }
  emitter.sizes().Remember(id);
  emitter.facts().MarkNumber(id);
  return value;
}

bool IsIntTensor(const Val& v) { return v.is_tensor() && ir::IsInt(ValueOf(v.AsTensor()).dtype); }

// Returns true if it cannot be negative.
bool NotNegative(const Val& v) {
  const auto size = SizeOf(v);
  if (!size) return false;
  const ir::Ranges none;
  const ir::Ranges& ranges = v.is_tensor() ? v.AsTensor().emitter->graph().ranges : none;
  const ir::Range range = RunBounds(*size, ranges);
  return range.min && *range.min >= 0;
}

// Returns true if 0 <= a < b, by the bounds of sizes.
bool IsBelow(const Val& a, const Val& b) {
  const auto left = SizeOf(a);
  const auto right = SizeOf(b);
  if (!left || !right || !NotNegative(a)) return false;
  const ir::Range difference = RunBounds(*right - *left, EmitterOf(a, b)->graph().ranges);
  return difference.min && *difference.min > 0;
}

Val TensorMod(const Val& a, const Val& b) {
  const int opset = EmitterOf(a, b)->opset();
  if (!IsIntTensor(a) && !IsIntTensor(b)) return a - EmitOn("Floor", {EmitOn("Div", {a, b})}) * b;
  if (opset >= kIntModOpset) return EmitOn("Mod", {a, b});
  if (!NotNegative(a) || !NotNegative(b)) {
    throw Refusal(Code::kNotAtThisOpset, fmt::format("opset {} has no Mod for values that may be negative", opset));
  }
  return a - EmitOn("Div", {a, b}) * b;
}

// The quotient of integers of any size, for which `a - TensorMod(a, b)` may overflow. Python rounds down and ONNX
// towards zero. ONNX's result is too large by one if the remainders of the two differ.
Val RoundedDown(const Val& a, const Val& b) {
  const Val floored_rest = TensorMod(a, b);
  const Val quotient = EmitOn("Div", {a, b});
  const Val rest = EmitOn("Sub", {a, EmitOn("Mul", {quotient, b})});
  const Val is_large = EmitOn("Not", {EmitOn("Equal", {rest, floored_rest})});
  return EmitOn("Sub", {quotient, cast(is_large, ValueOf(quotient.AsTensor()).dtype)});
}

Val Repeat(const Val& list, const Val& times) {
  if (times.is_float()) NoOperator("*", list, times);
  Vals out;
  const Vals& elements = list.AsList();
  const int64_t count = std::max<int64_t>(times.AsInt(), 0);
  if (elements.empty()) return list;
  if (count > static_cast<int64_t>(kMaxList / elements.size())) {
    throw Refusal(fmt::format("a list of {} times {} elements is too long", count, elements.size()));
  }
  for (int64_t i = 0; i < count; ++i) out.insert(out.end(), elements.begin(), elements.end());
  return out;
}

}  // namespace

Val operator+(const Val& a, const Val& b) {
  if (a.is_list() && b.is_list()) {
    Vals joined = a.AsList();
    joined.insert(joined.end(), b.AsList().begin(), b.AsList().end());
    return joined;
  }
  if (OnTensors("+", a, b)) {
    return AreSizes(a, b) ? EmitSize("Add", a, b, *SizeOf(a) + *SizeOf(b)) : EmitOn("Add", {a, b});
  }
  return Compute("+", host::Add, a, b);
}

Val operator-(const Val& a, const Val& b) {
  if (OnTensors("-", a, b)) {
    return AreSizes(a, b) ? EmitSize("Sub", a, b, *SizeOf(a) - *SizeOf(b)) : EmitOn("Sub", {a, b});
  }
  return Compute("-", host::Subtract, a, b);
}

Val operator*(const Val& a, const Val& b) {
  if (a.is_list()) return Repeat(a, b);
  if (b.is_list()) return Repeat(b, a);
  if (OnTensors("*", a, b)) {
    return AreSizes(a, b) ? EmitSize("Mul", a, b, *SizeOf(a) * *SizeOf(b)) : EmitOn("Mul", {a, b});
  }
  return Compute("*", host::Multiply, a, b);
}

Val operator/(const Val& a, const Val& b) {
  if (OnTensors("/", a, b)) {
    if (IsIntTensor(a) || IsIntTensor(b)) {
      throw Refusal(fmt::format("`/` of integers is a float in PyTorch: cast {} or {} first, or use `//`", a.ToString(),
                                b.ToString()));
    }
    return EmitOn("Div", {a, b});
  }
  return Compute("/", host::Divide, a, b);
}

Val operator%(const Val& a, const Val& b) {
  if (OnTensors("%", a, b)) {
    if (AreSizes(a, b)) {
      // The bounds of sizes alone often decide a remainder, which saves the nodes.
      if (IsBelow(a, b)) return a;
      const Dim result = Dim::Mod(*SizeOf(a), *SizeOf(b));
      if (auto known = FindSize(EmitterOf(a, b), result)) return *known;
    }
    return TensorMod(a, b);
  }
  return Compute("%", host::Modulo, a, b);
}

Val operator-(const Val& a) {
  if (a.is_tensor()) return AreSizes(a, 0) ? EmitSize("Sub", 0, a, Dim(0) - *SizeOf(a)) : EmitOn("Neg", {a});
  const auto operand = HostOf(a);
  if (!operand) NoOperator("-", 0, a);
  return ValOf(host::Negate(*operand));
}

Val FloorDiv(const Val& a, const Val& b) {
  if (OnTensors("//", a, b)) {
    if (!IsIntTensor(a) && !IsIntTensor(b)) return EmitOn("Floor", {EmitOn("Div", {a, b})});
    // Python rounds down, ONNX towards zero. Both are the same if nothing is negative, and sizes are not. Otherwise
    // Python's remainder is subtracted from the size first, which is far from the limits of int64. Then the quotient is
    // exact in either rounding.
    const bool truncates = NotNegative(a) && NotNegative(b);  // as ONNX Div does
    if (AreSizes(a, b)) {
      if (IsBelow(a, b)) return 0;
      const Dim result = Dim::FloorDiv(*SizeOf(a), *SizeOf(b));
      if (auto known = FindSize(EmitterOf(a, b), result)) return *known;
      return EmitSize("Div", truncates ? a : a - TensorMod(a, b), b, result);
    }
    return truncates ? EmitOn("Div", {a, b}) : RoundedDown(a, b);
  }
  return Compute("//", host::FloorDivide, a, b);
}

Val Pow(const Val& a, const Val& b) {
  if (OnTensors("**", a, b)) return EmitOn("Pow", {a, b});
  return Compute("**", host::Power, a, b);
}

}  // namespace onnxport::lowering
