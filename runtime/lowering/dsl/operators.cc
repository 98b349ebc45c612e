// Python's operators on Vals.
#include <fmt/format.h>

#include <cmath>

#include "runtime/lowering/build/emitter.h"
#include "runtime/lowering/build/tensor.h"
#include "runtime/lowering/dsl/builtins.h"
#include "runtime/lowering/dsl/placement.h"

namespace onnxport::lowering {
namespace {

using ir::Dim;
using ir::DType;

constexpr int kIntModOpset = 10;  // ONNX Mod
constexpr size_t kMaxList = 1 << 20;

[[noreturn]] void NoOperator(const char* op, const Val& a, const Val& b) {
  throw Refusal(fmt::format("no `{}` for {} and {}", op, a.ToString(), b.ToString()));
}

[[noreturn]] void TooLarge(const char* op, const Val& a, const Val& b) {
  throw Refusal(fmt::format("{} {} {} does not fit 64 bits", a.ToString(), op, b.ToString()));
}

// Whether a node computes: a tensor with a tensor or a number.
bool OnTensors(const char* op, const Val& a, const Val& b) {
  if (!a.is_tensor() && !b.is_tensor()) return false;
  for (const Val* side : {&a, &b})
    if (!side->is_tensor() && !side->is_number()) NoOperator(op, a, b);
  return true;
}
bool AreInts(const Val& a, const Val& b) { return (a.is_int() || a.is_bool()) && (b.is_int() || b.is_bool()); }
void NeedNumbers(const char* op, const Val& a, const Val& b) {
  if (!a.is_number() || !b.is_number()) NoOperator(op, a, b);
}

// Size arithmetic: both operands are sizes whose expressions are known, one a tensor.
bool AreSizes(const Val& a, const Val& b) {
  const auto size = [](const Val& v) {
    return v.is_int() || (v.is_tensor() && ValueOf(v.AsTensor()).dtype == DType::kInt64 && SizeOf(v));
  };
  return size(a) && size(b);
}

// The node `op`, unless its result is a number or was computed before.
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
  emitter.MarkNumber(id);
  return value;
}

bool IsIntTensor(const Val& v) { return v.is_tensor() && ir::IsInt(ValueOf(v.AsTensor()).dtype); }

// It cannot be negative.
bool NotNegative(const Val& v) {
  const auto size = SizeOf(v);
  if (!size) return false;
  const ir::Ranges none;
  const ir::Ranges& ranges = v.is_tensor() ? v.AsTensor().emitter->graph().ranges : none;
  const ir::Range range = RunBounds(*size, ranges);
  return range.min && *range.min >= 0;
}

// 0 <= a < b, by the bounds of sizes.
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
    throw Refusal(fmt::format("opset {} has no Mod for values that may be negative", opset));
  }
  return a - EmitOn("Div", {a, b}) * b;
}

// Python's: the rest has the sign of b, also when it is zero.
double FloatMod(double a, double b) {
  const double rest = std::fmod(a, b);
  if (rest == 0) return std::copysign(0.0, b);
  return (rest < 0) != (b < 0) ? rest + b : rest;
}

// Python's: from the rest, so that 1.0 // 0.1 is 9.0 although 1.0 / 0.1 rounds to 10.0.
double FloatFloorDiv(double a, double b) {
  const double rest = std::fmod(a, b);
  const double quotient = (a - rest) / b - (rest != 0 && (rest < 0) != (b < 0) ? 1 : 0);
  return quotient == 0 ? std::copysign(0.0, a / b) : std::nearbyint(quotient);
}

int64_t IntFloorDiv(int64_t a, int64_t b) {
  const int64_t quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

void NotZero(const char* op, const Val& a, const Val& b) {
  if (b.AsFloat() == 0) throw Refusal(fmt::format("{} {} {} divides by zero", a.ToString(), op, b.ToString()));
}

Val Repeat(const Val& list, const Val& times) {
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

int64_t IntPow(int64_t base, int64_t exponent) {
  int64_t result = 1;
  for (; exponent > 0; --exponent) {
    if (__builtin_mul_overflow(result, base, &result)) TooLarge("**", base, exponent);
    if (result == 0 || (result == 1 && base == 1)) break;
    if (base == -1) return exponent % 2 ? -1 : 1;
  }
  return result;
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
  if (a.is_text() && b.is_text()) return a.AsText() + b.AsText();
  NeedNumbers("+", a, b);
  if (!AreInts(a, b)) return a.AsFloat() + b.AsFloat();
  int64_t sum;
  if (__builtin_add_overflow(a.AsInt(), b.AsInt(), &sum)) TooLarge("+", a, b);
  return sum;
}

Val operator-(const Val& a, const Val& b) {
  if (OnTensors("-", a, b)) {
    return AreSizes(a, b) ? EmitSize("Sub", a, b, *SizeOf(a) - *SizeOf(b)) : EmitOn("Sub", {a, b});
  }
  NeedNumbers("-", a, b);
  if (!AreInts(a, b)) return a.AsFloat() - b.AsFloat();
  int64_t difference;
  if (__builtin_sub_overflow(a.AsInt(), b.AsInt(), &difference)) TooLarge("-", a, b);
  return difference;
}

Val operator*(const Val& a, const Val& b) {
  if (a.is_list()) return Repeat(a, b);
  if (b.is_list()) return Repeat(b, a);
  if (OnTensors("*", a, b)) {
    return AreSizes(a, b) ? EmitSize("Mul", a, b, *SizeOf(a) * *SizeOf(b)) : EmitOn("Mul", {a, b});
  }
  NeedNumbers("*", a, b);
  if (!AreInts(a, b)) return a.AsFloat() * b.AsFloat();
  int64_t product;
  if (__builtin_mul_overflow(a.AsInt(), b.AsInt(), &product)) TooLarge("*", a, b);
  return product;
}

Val operator/(const Val& a, const Val& b) {
  if (OnTensors("/", a, b)) {
    if (IsIntTensor(a) || IsIntTensor(b)) {
      throw Refusal(fmt::format("`/` of integers is a float in PyTorch: cast {} or {} first, or use `//`", a.ToString(),
                                b.ToString()));
    }
    return EmitOn("Div", {a, b});
  }
  NeedNumbers("/", a, b);
  NotZero("/", a, b);
  return a.AsFloat() / b.AsFloat();
}

Val operator%(const Val& a, const Val& b) {
  if (OnTensors("%", a, b)) {
    if (AreSizes(a, b)) {
      if (IsBelow(a, b)) return a;
      const Dim result = Dim::Mod(*SizeOf(a), *SizeOf(b));
      if (auto known = FindSize(EmitterOf(a, b), result)) return *known;
    }
    return TensorMod(a, b);
  }
  NeedNumbers("%", a, b);
  NotZero("%", a, b);
  if (!AreInts(a, b)) return FloatMod(a.AsFloat(), b.AsFloat());
  if (b.AsInt() == -1) return 0;  // the machine's division overflows for the smallest int
  return a.AsInt() - IntFloorDiv(a.AsInt(), b.AsInt()) * b.AsInt();
}

Val operator-(const Val& a) {
  if (a.is_tensor()) return AreSizes(a, 0) ? EmitSize("Sub", 0, a, Dim(0) - *SizeOf(a)) : EmitOn("Neg", {a});
  if (a.is_float()) return -a.AsFloat();
  return Val(0) - a;
}

Val FloorDiv(const Val& a, const Val& b) {
  if (OnTensors("//", a, b)) {
    if (!IsIntTensor(a) && !IsIntTensor(b)) return EmitOn("Floor", {EmitOn("Div", {a, b})});
    const bool truncates = NotNegative(a) && NotNegative(b);  // as ONNX Div does
    if (AreSizes(a, b)) {
      if (IsBelow(a, b)) return 0;
      const Dim result = Dim::FloorDiv(*SizeOf(a), *SizeOf(b));
      if (truncates) return EmitSize("Div", a, b, result);
      if (auto known = FindSize(EmitterOf(a, b), result)) return *known;
    }
    return truncates ? EmitOn("Div", {a, b}) : EmitOn("Div", {a - TensorMod(a, b), b});
  }
  NeedNumbers("//", a, b);
  NotZero("//", a, b);
  if (!AreInts(a, b)) return FloatFloorDiv(a.AsFloat(), b.AsFloat());
  if (b.AsInt() == -1) return Val(0) - a;
  return IntFloorDiv(a.AsInt(), b.AsInt());
}

Val Pow(const Val& a, const Val& b) {
  if (OnTensors("**", a, b)) return EmitOn("Pow", {a, b});
  NeedNumbers("**", a, b);
  if (AreInts(a, b) && b.AsInt() >= 0) return IntPow(a.AsInt(), b.AsInt());
  if (a.AsFloat() == 0 && b.AsFloat() < 0) NotZero("**", b, a);
  const double power = std::pow(a.AsFloat(), b.AsFloat());
  const bool finite = std::isfinite(a.AsFloat()) && std::isfinite(b.AsFloat());
  if (finite && std::isnan(power)) throw Refusal(fmt::format("{} ** {} is complex", a.ToString(), b.ToString()));
  if (finite && std::isinf(power)) throw Refusal(fmt::format("{} ** {} is too large", a.ToString(), b.ToString()));
  return power;
}

}  // namespace onnxport::lowering
