#include <algorithm>
#include <bit>
#include <cstddef>
#include <string>

#include "runtime/ir/read_node.h"
#include "runtime/onnx/evaluate_rules.h"

namespace onnxport::onnx_ops {
namespace {

using ir::DType;

// The result of a function on elements. A std::optional would be built in memory, which takes longer than the
// computation.
struct Element {
  Element(int64_t number) : value(number) {}  // NOLINT: stands for a number
  static Element Nothing() {
    Element element = 0;
    element.is_known = false;
    return element;
  }
  int64_t value;
  bool is_known = true;
};

using BinaryFunction = Element (*)(int64_t a, int64_t b);

template <BinaryFunction kFunction>
bool Combine(std::span<const int64_t> a, std::span<const int64_t> b, std::span<int64_t> result) {
  for (size_t i = 0; i < result.size(); ++i) {
    const Element element = kFunction(a[i], b[i]);
    if (!element.is_known) return false;
    result[i] = element.value;
  }
  return true;
}

// For two operands; the result has their dtype.
template <BinaryFunction kFunction>
DType IntegerArithmetic(const ElementCall& call) {
  if (call.inputs.size() != 2) return DType::kUndefined;
  return Combine<kFunction>(call.inputs[0], call.inputs[1], call.result) ? call.dtype : DType::kUndefined;
}

// For any number of operands.
template <BinaryFunction kFunction>
DType Extremum(const ElementCall& call) {
  std::ranges::copy(call.inputs[0], call.result.begin());
  for (const auto& input : call.inputs.subspan(1)) Combine<kFunction>(call.result, input, call.result);
  return call.dtype;
}

template <BinaryFunction kFunction>
DType IntegerComparison(const ElementCall& call) {
  return IntegerArithmetic<kFunction>(call) == DType::kUndefined ? DType::kUndefined : DType::kBool;
}

template <int64_t (*kFunction)(int64_t)>
DType IntegerUnary(const ElementCall& call) {
  std::ranges::transform(call.inputs[0], call.result.begin(), kFunction);
  return call.dtype;
}

// Programs divide by powers of two to unpack numbers, millions of them, and a division is slow.
inline bool IsPowerOf2(int64_t b) { return b > 0 && (b & (b - 1)) == 0; }

// Unsigned arithmetic, as signed overflow is undefined.
Element Plus(int64_t a, int64_t b) { return static_cast<uint64_t>(a) + static_cast<uint64_t>(b); }
Element Minus(int64_t a, int64_t b) { return static_cast<uint64_t>(a) - static_cast<uint64_t>(b); }
Element Times(int64_t a, int64_t b) { return static_cast<uint64_t>(a) * static_cast<uint64_t>(b); }
inline Element Quotient(int64_t a, int64_t b) {
  if (IsPowerOf2(b)) {
    // The rule is that below, but in one condition: the signs of packed numbers vary, so a branch would often be
    // mispredicted.
    if ((static_cast<uint64_t>(a) >> 63 & static_cast<uint64_t>((a & (b - 1)) != 0)) != 0) return Element::Nothing();
    return a >> std::countr_zero(static_cast<uint64_t>(b));
  }
  if (b == 0 || (b == -1 && a == INT64_MIN)) return Element::Nothing();
  if (a % b != 0 && (a < 0) != (b < 0)) return Element::Nothing();  // some round down, others to zero
  return a / b;
}
inline Element Remainder(int64_t a, int64_t b) {
  if (IsPowerOf2(b)) return a & (b - 1);
  if (b == 0 || (b == -1 && a == INT64_MIN)) return Element::Nothing();
  const int64_t rest = a % b;
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;  // the remainder has the divisor's sign
}
Element Smaller(int64_t a, int64_t b) { return std::min(a, b); }
Element Larger(int64_t a, int64_t b) { return std::max(a, b); }
Element IsEqual(int64_t a, int64_t b) { return a == b; }
Element IsLess(int64_t a, int64_t b) { return a < b; }
Element IsLessOrEqual(int64_t a, int64_t b) { return a <= b; }
Element IsGreater(int64_t a, int64_t b) { return a > b; }
Element IsGreaterOrEqual(int64_t a, int64_t b) { return a >= b; }
Element Both(int64_t a, int64_t b) { return a && b; }
Element Either(int64_t a, int64_t b) { return a || b; }
Element OneOf(int64_t a, int64_t b) { return a != b; }
Element BitsOfBoth(int64_t a, int64_t b) { return a & b; }
Element BitsOfEither(int64_t a, int64_t b) { return a | b; }
Element BitsOfOne(int64_t a, int64_t b) { return a ^ b; }

// Runtimes shift by as many bits as the type has, or more, in the way of their processor. The operands are unsigned.
template <int64_t kBits>
Element ShiftedLeft(int64_t a, int64_t b) {
  return b < 0 || b >= kBits ? Element::Nothing() : Element(static_cast<uint64_t>(a) << b);
}
template <int64_t kBits>
Element ShiftedRight(int64_t a, int64_t b) {
  return b < 0 || b >= kBits ? Element::Nothing() : Element(a >> b);
}
template <int64_t kBits>
DType Shifted(const ElementCall& call, bool left) {
  return left ? IntegerArithmetic<ShiftedLeft<kBits>>(call) : IntegerArithmetic<ShiftedRight<kBits>>(call);
}

// The negative of INT64_MIN is INT64_MIN, as always in two's complement.
int64_t Negated(int64_t a) { return -static_cast<uint64_t>(a); }
int64_t Magnitude(int64_t a) { return a < 0 ? Negated(a) : a; }
int64_t Inverted(int64_t a) { return a == 0; }
int64_t BitsInverted(int64_t a) { return ~a; }

}  // namespace

namespace integers {

DType Abs(const ElementCall& call) { return IntegerUnary<Magnitude>(call); }
DType Add(const ElementCall& call) { return IntegerArithmetic<Plus>(call); }
DType And(const ElementCall& call) { return IntegerComparison<Both>(call); }

DType BitShift(const ElementCall& call) {
  const ir::Arg* direction = FindAttribute(call.node, "direction");
  const auto* word = direction == nullptr ? nullptr : std::get_if<std::string>(&direction->v);
  if (word == nullptr) return DType::kUndefined;
  const bool left = *word == "LEFT";
  switch (call.dtype) {
    case DType::kUInt8:
      return Shifted<8>(call, left);
    case DType::kUInt16:
      return Shifted<16>(call, left);
    case DType::kUInt32:
      return Shifted<32>(call, left);
    default:
      return DType::kUndefined;
  }
}

DType BitwiseAnd(const ElementCall& call) { return IntegerArithmetic<BitsOfBoth>(call); }
DType BitwiseNot(const ElementCall& call) { return IntegerUnary<BitsInverted>(call); }
DType BitwiseOr(const ElementCall& call) { return IntegerArithmetic<BitsOfEither>(call); }
DType BitwiseXor(const ElementCall& call) { return IntegerArithmetic<BitsOfOne>(call); }

// For integer and bool results; floats::Cast makes floats.
DType Cast(const ElementCall& call) {
  std::ranges::copy(call.inputs[0], call.result.begin());
  return ir::DTypeOfNumber(IntAttribute(call.node, "to", 0));
}

DType Div(const ElementCall& call) { return IntegerArithmetic<Quotient>(call); }
DType Equal(const ElementCall& call) { return IntegerComparison<IsEqual>(call); }
DType Greater(const ElementCall& call) { return IntegerComparison<IsGreater>(call); }
DType GreaterOrEqual(const ElementCall& call) { return IntegerComparison<IsGreaterOrEqual>(call); }
DType Less(const ElementCall& call) { return IntegerComparison<IsLess>(call); }
DType LessOrEqual(const ElementCall& call) { return IntegerComparison<IsLessOrEqual>(call); }
DType Max(const ElementCall& call) { return Extremum<Larger>(call); }
DType Min(const ElementCall& call) { return Extremum<Smaller>(call); }

DType Mod(const ElementCall& call) {
  return IntAttribute(call.node, "fmod", 0) != 0 ? DType::kUndefined : IntegerArithmetic<Remainder>(call);
}

DType Mul(const ElementCall& call) { return IntegerArithmetic<Times>(call); }
DType Neg(const ElementCall& call) { return IntegerUnary<Negated>(call); }
DType Not(const ElementCall& call) { return IntegerUnary<Inverted>(call); }
DType Or(const ElementCall& call) { return IntegerComparison<Either>(call); }
DType Sub(const ElementCall& call) { return IntegerArithmetic<Minus>(call); }
DType Xor(const ElementCall& call) { return IntegerComparison<OneOf>(call); }

}  // namespace integers
}  // namespace onnxport::onnx_ops
