// min, max and abs of numbers and lists.
#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/sources/torchscript/interpret/builtins/call_site.h"

namespace onnxport::torchscript {
namespace extremes {
namespace {

// Returns the lesser value; for max the greater.
Value Lesser(const CallSite& call, const Value& a, const Value& b, bool is_max) {
  if (!IsKnownNumber(a) || !IsKnownNumber(b))
    return call.Arithmetic(is_max ? ir::Instruction::kMax : ir::Instruction::kMin, {a, b});
  const bool is_float = a.As<double>() != nullptr || b.As<double>() != nullptr;
  const bool takes_second = is_max ? *LessNumbers(call, a, b).As<bool>() : *LessNumbers(call, b, a).As<bool>();
  const Value& chosen = takes_second ? b : a;
  return is_float ? Value{AsDouble(chosen)} : chosen;
}

Value LeastOf(const CallSite& call, const ValueList& items, bool is_max) {
  if (items.empty()) throw Refusal::Raised("min or max of an empty list");
  Value least = Plain(items[0]);
  for (size_t i = 1; i < items.size(); ++i) {
    if (!IsNumber(items[i])) throw Refusal("min and max are of numbers");
    least = Lesser(call, least, Plain(items[i]), is_max);
  }
  return least;
}

// Returns the one of two lists that comes first in their order.
Value LesserList(const CallSite& call, const CellPtr& a, const CellPtr& b, bool is_max) {
  const size_t size = std::min(a->items.size(), b->items.size());
  for (size_t i = 0; i < size; ++i) {
    const Value& x = a->items[i];
    const Value& y = b->items[i];
    if (!IsKnownNumber(x) || !IsKnownNumber(y)) throw Refusal("the order of lists known only at run time");
    if (*LessNumbers(call, x, y).As<bool>()) return {is_max ? b : a};
    if (*LessNumbers(call, y, x).As<bool>()) return {is_max ? a : b};
  }
  const bool first_is_shorter = a->items.size() <= b->items.size();
  return {first_is_shorter != is_max ? a : b};
}

template <bool kMax>
std::optional<Value> Extreme(const CallSite& call) {
  if (call.size() == 2 && IsNumber(call.At(0)) && IsNumber(call.At(1))) {
    return Lesser(call, Plain(call.At(0)), Plain(call.At(1)), kMax);
  }
  const CellPtr* a = AsList(call.At(0));
  if (a == nullptr || (*a)->is_dynamic()) return std::nullopt;
  if (call.size() == 1) return LeastOf(call, (*a)->items, kMax);
  const CellPtr* b = AsList(call.At(1));
  return b == nullptr ? std::nullopt : std::optional<Value>(LesserList(call, *a, *b, kMax));
}

std::optional<Value> Absolute(const CallSite& call) {
  const Value x = Plain(call.At(0));
  if (const auto* tensor = call.FloatTensor(0)) return call.Run("aten::abs", {{tensor->id}});
  if (!IsNumber(x)) return std::nullopt;
  if (const auto* d = x.As<double>()) return Value{std::abs(*d)};
  if (x.As<Number>() != nullptr)
    return call.Arithmetic(ir::Instruction::kMax, {x, call.Arithmetic(ir::Instruction::kNeg, {x})});
  const int64_t value = call.Int(0);
  if (value == std::numeric_limits<int64_t>::min()) throw Refusal::Raised("integer overflow in abs");
  return Value{value < 0 ? -value : value};
}

constexpr BuiltinRow kRows[] = {
    {"prim::min", Extreme<false>},
    {"prim::max", Extreme<true>},
    {"prim::abs", Absolute},
    {"aten::abs", Absolute},
};

}  // namespace
}  // namespace extremes

std::span<const BuiltinRow> ExtremeBuiltins() { return extremes::kRows; }

}  // namespace onnxport::torchscript
