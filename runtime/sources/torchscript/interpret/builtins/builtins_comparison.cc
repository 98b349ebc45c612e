// Comparison and logic, of known values and of values known only at run time.
#include "runtime/sources/torchscript/interpret/builtins/call_site.h"

namespace onnxport::torchscript {

using ir::Instruction;

namespace comparison {
namespace {

enum class Order : uint8_t { kLess, kLessOrEqual, kGreater, kGreaterOrEqual };

template <typename T>
bool Holds(Order order, const T& a, const T& b) {
  switch (order) {
    case Order::kLess:
      return a < b;
    case Order::kLessOrEqual:
      return a <= b;
    case Order::kGreater:
      return a > b;
    case Order::kGreaterOrEqual:
      return a >= b;
  }
  return false;
}

Value CompareNumbers(const CallSite& call, Order order, Instruction instruction, const Value& a, const Value& b) {
  if (!IsKnownNumber(a) || !IsKnownNumber(b)) return call.Arithmetic(instruction, {a, b});
  if (a.As<double>() == nullptr && b.As<double>() == nullptr) return {Holds(order, IntOf(a), IntOf(b))};
  return {Holds(order, AsDouble(a), AsDouble(b))};
}

template <Order kOrder, Instruction kInstruction>
std::optional<Value> Compare(const CallSite& call) {
  if (const std::optional<Operands> x = NumberOperands(call))
    return CompareNumbers(call, kOrder, kInstruction, x->a, x->b);
  const auto* a = call.As<std::string>(0);
  const auto* b = call.As<std::string>(1);
  if (a == nullptr || b == nullptr) return std::nullopt;
  if (IsOpen(*a) || IsOpen(*b)) throw Refusal(onnxport::Code::kNotDecided, "it compares a text known only at run time");
  return Value{Holds(kOrder, *a, *b)};
}

// Compares two values that are, or hold, numbers known only at run time.
class RunEquality {
 public:
  explicit RunEquality(const CallSite& call) : call_(call) {}

  Value Of(const Value& a, const Value& b, int depth) {
    if (depth > kMaxDepth || --left_ < 0)
      throw Refusal(onnxport::Code::kValueIsTooLarge, "these are too large to be compared");
    const ValueList* x = ItemsOf(a);
    const ValueList* y = ItemsOf(b);
    if (x != nullptr && y != nullptr && a.v.index() == b.v.index()) return OfItems(*x, *y, depth + 1);
    if (const std::optional<bool> known = Equal(a, b)) return {*known};
    if (IsNumber(a) && IsNumber(b)) return call_.Arithmetic(Instruction::kEq, {a, b});
    throw Refusal("whether these are equal is not known at export");
  }

 private:
  static constexpr int kMaxDepth = 64;

  static const ValueList* ItemsOf(const Value& value) {
    if (const auto* tuple = value.As<TuplePtr>()) return &(*tuple)->items;
    const CellPtr* list = AsList(value);
    return list != nullptr && !(*list)->is_dynamic() ? &(*list)->items : nullptr;
  }

  Value OfItems(const ValueList& a, const ValueList& b, int depth) {
    if (a.size() != b.size()) return {false};
    Value all{true};
    for (size_t i = 0; i < a.size(); ++i) {
      const Value equal = Of(a[i], b[i], depth);
      if (const auto* known = equal.As<bool>(); known != nullptr && !*known) return {false};
      if (equal.As<bool>() == nullptr)
        all = all.As<bool>() != nullptr ? equal : call_.Arithmetic(Instruction::kAnd, {all, equal});
    }
    return all;
  }

  const CallSite& call_;
  int left_ = 10'000;  // comparisons
};

Value EqualValues(const CallSite& call, const Value& a, const Value& b) {
  if (const std::optional<bool> known = Equal(a, b)) return {*known};
  return RunEquality(call).Of(a, b, 0);
}

bool HasTensor(const CallSite& call) { return call.As<Tensor>(0) != nullptr || call.As<Tensor>(1) != nullptr; }

std::optional<Value> IsEqual(const CallSite& call) {
  if (HasTensor(call) || call.size() != 2) return std::nullopt;
  return EqualValues(call, Plain(call.At(0)), Plain(call.At(1)));
}

Value Inverse(const CallSite& call, const Value& truth) {
  if (const auto* known = truth.As<bool>()) return {!*known};
  return call.Arithmetic(Instruction::kNot, {truth});
}

std::optional<Value> IsUnequal(const CallSite& call) {
  if (HasTensor(call) || call.size() != 2) return std::nullopt;
  return Inverse(call, EqualValues(call, Plain(call.At(0)), Plain(call.At(1))));
}

std::optional<Value> Is(const CallSite& call) { return Value{Identical(call.At(0), call.At(1))}; }
std::optional<Value> IsNot(const CallSite& call) { return Value{!Identical(call.At(0), call.At(1))}; }

std::optional<Value> Not(const CallSite& call) {
  const Value x = Plain(call.At(0));
  if (!IsNumber(x)) return std::nullopt;
  if (x.As<Number>() != nullptr) return call.Arithmetic(Instruction::kNot, {x});
  return Value{AsDouble(x) == 0};
}

// ---- logic, and bits of ints

enum class Bits : uint8_t { kAnd, kOr, kXor };

int64_t BitsOf(Bits bits, int64_t a, int64_t b) {
  return bits == Bits::kAnd ? (a & b) : bits == Bits::kOr ? (a | b) : (a ^ b);
}

bool IsTruth(const CallSite& call, const Value& value) {
  const auto* number = value.As<Number>();
  return number == nullptr ? value.As<bool>() != nullptr : call.tracer->TypeOf(number->id).kind == ir::ValueKind::kBool;
}

// ONNX has bit arithmetic of tensors.
Value BitsOfRun(const CallSite& call, Bits bits, const Operands& x) {
  const char* op = bits == Bits::kAnd  ? "aten::bitwise_and.Tensor"
                   : bits == Bits::kOr ? "aten::bitwise_or.Tensor"
                                       : "aten::bitwise_xor.Tensor";
  std::vector<ir::Arg> tensors;
  for (const Value* operand : {&x.a, &x.b}) {
    const auto* number = operand->As<Number>();
    const bool is_float = number == nullptr ? operand->As<double>() != nullptr
                                            : call.tracer->TypeOf(number->id).kind == ir::ValueKind::kFloat;
    if (is_float) throw Refusal("bit arithmetic of floats");
    tensors.push_back(*ToScalarArg(TensorOf(call, *operand, ir::DType::kInt64)));
  }
  return ItemOf(call, call.Run(op, std::move(tensors)));
}

template <Bits kBits>
std::optional<Value> Logic(const CallSite& call) {
  const std::optional<Operands> x = NumberOperands(call);
  if (!x) return std::nullopt;
  const bool is_truth = IsTruth(call, x->a) && IsTruth(call, x->b);
  if (x->is_known) {
    if (x->has_float) throw Refusal("bit arithmetic of floats");
    const int64_t bits = BitsOf(kBits, IntOf(x->a), IntOf(x->b));
    return is_truth ? Value{bits != 0} : Value{bits};
  }
  if (!is_truth) return BitsOfRun(call, kBits, *x);
  const Value& known = x->a.As<bool>() != nullptr ? x->a : x->b;
  const Value& other = x->a.As<bool>() != nullptr ? x->b : x->a;
  if (const auto* truth = known.As<bool>()) {
    if (kBits == Bits::kAnd) return *truth ? other : Value{false};
    if (kBits == Bits::kOr) return *truth ? Value{true} : other;
    return *truth ? Inverse(call, other) : other;
  }
  if (kBits == Bits::kXor) return call.Arithmetic(Instruction::kNe, {x->a, x->b});
  return call.Run(kBits == Bits::kAnd ? Instruction::kAnd : Instruction::kOr, {*ToScalarArg(x->a), *ToScalarArg(x->b)});
}

constexpr BuiltinRow kRows[] = {
    {"aten::lt", Compare<Order::kLess, Instruction::kLt>},
    {"aten::le", Compare<Order::kLessOrEqual, Instruction::kLe>},
    {"aten::gt", Compare<Order::kGreater, Instruction::kGt>},
    {"aten::ge", Compare<Order::kGreaterOrEqual, Instruction::kGe>},
    {"aten::eq", IsEqual},
    {"aten::ne", IsUnequal},
    {"aten::__is__", Is},
    {"aten::__isnot__", IsNot},
    {"aten::__not__", Not},
    {"aten::__and__", Logic<Bits::kAnd>},
    {"aten::__or__", Logic<Bits::kOr>},
    {"aten::__xor__", Logic<Bits::kXor>},
};

}  // namespace
}  // namespace comparison

std::span<const BuiltinRow> ComparisonBuiltins() { return comparison::kRows; }

Value LessNumbers(const CallSite& call, const Value& a, const Value& b) {
  return comparison::CompareNumbers(call, comparison::Order::kLess, Instruction::kLt, Plain(a), Plain(b));
}

}  // namespace onnxport::torchscript
