#include "runtime/lowering/host/host_ops.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string>

#include "runtime/lowering/build/emitter.h"
#include "runtime/lowering/build/tensor.h"
#include "runtime/lowering/host/host_rules.h"

namespace onnxport::lowering {
namespace {

constexpr int kIntLessOpset = 9;  // Less and Greater take integers

bool IsFloatVal(const Val& v) { return v.is_float() || is_float(v); }
bool AnyFloat(const Host& h) { return std::ranges::any_of(h.args, IsFloatVal); }

// Python's float arithmetic is in double precision.
Val AsDouble(const Val& v) { return v.is_tensor() ? cast(v, DType::kFloat64) : Val(v.AsFloat()); }
Val AsInteger(const Val& v) { return v.is_tensor() ? cast(v, DType::kInt64) : Val(v.AsInt()); }

template <typename F>
Val Arithmetic(const Host& h, const F& f) {
  if (!h.computed()) return f(h.a(), h.b());
  return AnyFloat(h) ? f(AsDouble(h.a()), AsDouble(h.b())) : f(AsInteger(h.a()), AsInteger(h.b()));
}

Val Add(const Host& h) {
  return Arithmetic(h, [](const Val& a, const Val& b) { return a + b; });
}
Val Sub(const Host& h) {
  return Arithmetic(h, [](const Val& a, const Val& b) { return a - b; });
}
Val Mul(const Host& h) {
  return Arithmetic(h, [](const Val& a, const Val& b) { return a * b; });
}
Val FloorDivide(const Host& h) {
  return Arithmetic(h, [](const Val& a, const Val& b) { return FloorDiv(a, b); });
}
// Floats as in LibTorch: -3.5 % 0.7 is nearly 0.7, because 0.7 as a float is less than 0.7.
Val Modulo(const Host& h) {
  constexpr int kModOpset = 10;
  if (h.computed() && AnyFloat(h) && h.context.opset() >= kModOpset) {
    const auto rest = [&](const Val& a) { return h.context.op("Mod", {a, AsDouble(h.b())}, {{"fmod", 1}}); };
    return rest(rest(AsDouble(h.a())) + AsDouble(h.b()));
  }
  return Arithmetic(h, [](const Val& a, const Val& b) { return a % b; });
}
Val Divide(const Host& h) {
  if (!h.computed()) return h.a() / h.b();
  return AsDouble(h.a()) / AsDouble(h.b());
}
Val Power(const Host& h) {
  if (!h.computed()) return Pow(h.a(), h.b());
  const bool negative = h.b().is_int() && h.b().AsInt() < 0;
  if (AnyFloat(h) || negative) {
    // Base and exponent may differ in dtype, so nothing else says that a known number is a double.
    const auto in_double = [&](const Val& v) {
      return v.is_tensor() ? AsDouble(v) : h.context.constant(AsDouble(v), DType::kFloat64);
    };
    return Pow(in_double(h.a()), in_double(h.b()));
  }
  // For sizes, repeated multiplication keeps the expression.
  if (h.b().is_int() && h.b().AsInt() <= 8) {
    Val result = 1;
    for (int64_t i = 0; i < h.b().AsInt(); ++i) result = result * h.a();
    return result;
  }
  return Pow(AsInteger(h.a()), AsInteger(h.b()));
}
Val Negate(const Host& h) { return -h.a(); }
Val Least(const Host& h) {
  return Arithmetic(h, [](const Val& a, const Val& b) { return min(a, b); });
}
Val Most(const Host& h) {
  return Arithmetic(h, [](const Val& a, const Val& b) { return max(a, b); });
}

// Returns the answer if the bounds of sizes decide, else a bool tensor.
template <typename Decide>
Val Compare(const Host& h, const char* op, bool inverted, const Decide& decide) {
  // A condition of the program, not of a spec. So assumptions about free sizes must not choose between its sides.
  if (const auto known = h.context.stated([&] { return decide(h.a(), h.b()); })) return *known;
  // If an old opset cannot compare integers, they are compared as doubles. Sizes are far below the limit of exact
  // doubles.
  const bool ordered_ints = *op == 'E' || h.context.opset() >= kIntLessOpset;
  const bool floats = AnyFloat(h) || !ordered_ints;
  const Val a = floats ? AsDouble(h.a()) : AsInteger(h.a());
  const Val b = floats ? AsDouble(h.b()) : AsInteger(h.b());
  const Val result = h.context.op(op, {a, b});
  return inverted ? h.context.op("Not", {result}) : result;
}

Val Equal(const Host& h) {
  return Compare(h, "Equal", false, [](const Val& a, const Val& b) { return a == b; });
}
Val NotEqual(const Host& h) {
  return Compare(h, "Equal", true, [](const Val& a, const Val& b) { return a != b; });
}
Val Less(const Host& h) {
  return Compare(h, "Less", false, [](const Val& a, const Val& b) { return a < b; });
}
Val AtLeast(const Host& h) {
  return Compare(h, "Less", true, [](const Val& a, const Val& b) { return a >= b; });
}
Val Greater(const Host& h) {
  return Compare(h, "Greater", false, [](const Val& a, const Val& b) { return a > b; });
}
Val AtMost(const Host& h) {
  return Compare(h, "Greater", true, [](const Val& a, const Val& b) { return a <= b; });
}

Val AsBoolean(const Val& v) { return v.is_tensor() ? cast(v, DType::kBool) : Val(static_cast<bool>(v)); }
bool IsInteger(const Val& v) { return v.is_int() || (v.is_tensor() && is_int(v)); }

// `&` and `|` of ints.
Val Bits(const Host& h, const char* op) { return h.context.op(op, {AsInteger(h.a()), AsInteger(h.b())}); }

// Python's `and` and `or` of bools.
Val Both(const Host& h) {
  if (IsInteger(h.a()) || IsInteger(h.b())) return Bits(h, "BitwiseAnd");
  if (!h.computed()) return h.a() && h.b();
  // A known side decides, or leaves the decision to the other one. No node is needed.
  if (!h.a().is_tensor()) return h.a() ? AsBoolean(h.b()) : Val(false);
  if (!h.b().is_tensor()) return h.b() ? AsBoolean(h.a()) : Val(false);
  return h.context.op("And", {AsBoolean(h.a()), AsBoolean(h.b())});
}
Val Either(const Host& h) {
  if (IsInteger(h.a()) || IsInteger(h.b())) return Bits(h, "BitwiseOr");
  if (!h.computed()) return h.a() || h.b();
  if (!h.a().is_tensor()) return h.a() ? Val(true) : AsBoolean(h.b());
  if (!h.b().is_tensor()) return h.b() ? Val(true) : AsBoolean(h.a());
  return h.context.op("Or", {AsBoolean(h.a()), AsBoolean(h.b())});
}
Val Inverse(const Host& h) {
  if (h.computed()) return h.context.op("Not", {AsBoolean(h.a())});
  return !static_cast<bool>(h.a());
}

Val SquareRoot(const Host& h) { return sqrt(h.computed() ? AsDouble(h.a()) : h.a()); }
Val Absolute(const Host& h) { return abs(h.a()); }
Val ToFloat(const Host& h) { return AsDouble(h.a()); }

// int(), math.trunc: ONNX's cast drops the fraction.
Val ToInteger(const Host& h) { return h.computed() ? AsInteger(h.a()) : to_int(h.a()); }

template <Val (*Known)(const Val&)>
Val RoundBy(const Host& h, const char* op) {
  if (!h.computed()) return Known(h.a());
  if (!IsFloatVal(h.a())) return AsInteger(h.a());
  return AsInteger(h.context.op(op, {h.a()}));
}
Val Floor(const Host& h) { return RoundBy<floor>(h, "Floor"); }
Val Ceil(const Host& h) { return RoundBy<ceil>(h, "Ceil"); }

Val HalfToEven(const Val& v) { return v.is_float() ? Val(std::nearbyint(v.AsFloat())).AsInt() : v.AsInt(); }
Val Round(const Host& h) {
  if (h.args.size() > 1 && !h.b().is_none()) throw Refusal("rounding to digits is not exported");
  return RoundBy<HalfToEven>(h, "Round");
}

Val IfThenElse(const Host& h) {
  const Val& condition = h.a();
  if (!condition.is_tensor()) return condition ? h.At(1) : h.At(2);
  // Both sides of a Where have one dtype. So an int with a float becomes a float, as in a Python computation.
  const bool floats = IsFloatVal(h.At(1)) || IsFloatVal(h.At(2));
  const auto branch = [&](const Val& v) {
    return h.context.constant(floats ? AsDouble(v) : v, floats ? DType::kFloat64 : dtype(v).AsDType());
  };
  return h.context.op("Where", {AsBoolean(condition), branch(h.At(1)), branch(h.At(2))});
}

Val SymSize(const Host& h) { return dim(h.a(), h.b()); }
Val SymNumel(const Host& h) { return numel(h.a()); }

// The tensor is assumed contiguous. `BindResults` compares the result with the stride that the source states.
Val SymStride(const Host& h) {
  const int64_t axis = normal_axis(h.b(), rank(h.a())).AsInt();
  return product(dims(h.a()).Slice(axis + 1, Val()));
}
// Tensors of ONNX begin at their first element.
Val SymStorageOffset(const Host&) { return 0; }

}  // namespace

std::span<const HostRule> NumberRules() {
  using I = ir::Instruction;
  static constexpr HostRule kRules[] = {
      {I::kAdd, Add},
      {I::kSub, Sub},
      {I::kMul, Mul},
      {I::kFloorDiv, FloorDivide},
      {I::kTrueDiv, Divide},
      {I::kMod, Modulo},
      {I::kNeg, Negate},
      {I::kPow, Power},
      {I::kEq, Equal},
      {I::kNe, NotEqual},
      {I::kLt, Less},
      {I::kLe, AtMost},
      {I::kGt, Greater},
      {I::kGe, AtLeast},
      {I::kAnd, Both},
      {I::kOr, Either},
      {I::kNot, Inverse},
      {I::kMax, Most},
      {I::kMin, Least},
      {I::kAbs, Absolute},
      {I::kSqrt, SquareRoot},
      {I::kInt, ToInteger},
      {I::kTrunc, ToInteger},
      {I::kFloor, Floor},
      {I::kCeil, Ceil},
      {I::kRound, Round},
      {I::kFloat, ToFloat},
      {I::kIte, IfThenElse},
      {I::kSymSize, SymSize},
      {I::kSymNumel, SymNumel},
      {I::kSymStride, SymStride},
      {I::kSymStorageOffset, SymStorageOffset},
  };
  return kRules;
}

namespace {

using Rules = std::array<Val (*)(const Host&), ir::kInstructions>;

const Rules& AllRules() {
  static const auto& rules = *new Rules([] {
    Rules all{};
    for (const auto family : {NumberRules(), SequenceRules(), TensorRules()}) {
      for (const HostRule& rule : family) all[static_cast<size_t>(rule.instruction)] = rule.compute;
    }
    // Fails at the first call of any instruction, not only when a program uses the missing one.
    if (std::ranges::find(all, nullptr) != all.end()) throw std::logic_error("an instruction that nothing computes");
    return all;
  }());
  return rules;
}

}  // namespace

Val Execute(Context& context, ir::Instruction instruction) {
  const ir::InstructionInfo& info = ir::InfoOf(instruction);
  const size_t given = context.args().size();
  if (given < info.least || given > info.most) {
    throw Refusal(fmt::format("takes {} operands, not {}", info.least, given));
  }
  Val result = AllRules()[static_cast<size_t>(instruction)]({context, context.args()});
  if (info.result == ir::InstructionInfo::Result::kNumber && result.is_tensor()) {
    Emitter& emitter = context.emitter();
    emitter.facts().MarkNumber(result.AsTensor().id);
    // A size that the program itself computes is reused for the same expression.
    emitter.sizes().Remember(result.AsTensor().id);
  }
  return result;
}

}  // namespace onnxport::lowering
