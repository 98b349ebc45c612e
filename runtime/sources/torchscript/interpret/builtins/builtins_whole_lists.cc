// Questions about a whole list: sum, any, all, order.
#include <algorithm>

#include "runtime/sources/torchscript/interpret/builtins/call_site.h"

namespace onnxport::torchscript {
namespace whole_lists {
namespace {

std::optional<Value> Sum(const CallSite& call) {
  const CellPtr* list = KnownList(call);
  if (list == nullptr) return std::nullopt;
  Value sum = (*list)->element.Is("float") ? Value{0.0} : Value{int64_t{0}};
  for (const Value& item : (*list)->items) sum = AddNumbers(call, sum, item);
  return sum;
}

template <bool kAll>
std::optional<Value> Quantify(const CallSite& call) {
  const CellPtr* list = KnownList(call);
  if (list == nullptr || call.size() != 1) return std::nullopt;
  std::optional<Value> open;
  for (const Value& item : (*list)->items) {
    const auto* text = item.As<std::string>();
    if (!IsNumber(item) && text == nullptr) throw Refusal("any() and all() are of numbers and texts");
    const auto* number = item.As<Number>();
    if (number == nullptr) {
      const bool truth = text != nullptr ? !text->empty() : AsDouble(item) != 0;
      if (truth != kAll) return Value{truth};
      continue;
    }
    const bool is_truth = call.tracer->TypeOf(number->id).kind == ir::ValueKind::kBool;
    const Value truth = is_truth ? item : call.Arithmetic(ir::Instruction::kNe, {item, Value{int64_t{0}}});
    if (open) {
      open = call.Run(kAll ? ir::Instruction::kAnd : ir::Instruction::kOr, {*ToScalarArg(*open), *ToScalarArg(truth)});
    } else {
      open = truth;
    }
  }
  return open ? open : Value{kAll};
}

bool IsLess(const Value& a, const Value& b, int depth = 0) {
  if (a.As<int64_t>() != nullptr && b.As<int64_t>() != nullptr) return *a.As<int64_t>() < *b.As<int64_t>();
  if (IsKnownNumber(a) && IsKnownNumber(b)) return AsDouble(a) < AsDouble(b);
  const auto* x = a.As<std::string>();
  const auto* y = b.As<std::string>();
  if (x != nullptr && y != nullptr && !IsOpen(*x) && !IsOpen(*y)) return *x < *y;
  const ValueList* left = KnownItems(a);
  const ValueList* right = KnownItems(b);
  if (left == nullptr || right == nullptr || depth > 8)
    throw Refusal("the order of the elements is not known at export");
  return std::lexicographical_compare(left->begin(), left->end(), right->begin(), right->end(),
                                      [&](const Value& p, const Value& q) { return IsLess(p, q, depth + 1); });
}

ValueList Sorted(ValueList items, bool reverse) {
  std::stable_sort(items.begin(), items.end(),
                   [&](const Value& a, const Value& b) { return reverse ? IsLess(b, a) : IsLess(a, b); });
  return items;
}

// Numbers known only at run time are put in order there (SearchBuiltins).
bool IsOrderKnown(const CellPtr* list) {
  return list != nullptr &&
         std::ranges::none_of((*list)->items, [](const Value& item) { return item.As<Number>() != nullptr; });
}

std::optional<Value> SortedCopy(const CallSite& call) {
  const CellPtr* list = KnownList(call);
  return !IsOrderKnown(list) ? std::nullopt
                             : std::optional<Value>(NewListLike(call, Sorted((*list)->items, false), *list));
}

std::optional<Value> Sort(const CallSite& call) {
  const CellPtr* list = KnownList(call);
  if (!IsOrderKnown(list)) return std::nullopt;
  ValueList items = Sorted((*list)->items, call.Bool(1, false));
  call.heap->Edit(*list).items = std::move(items);
  return Value{None{}};
}

// ---- numbers of a list whose length is known only at run time

// Returns them as one tensor; null for another list. `stack` joins the elements of a sequence.
std::optional<ir::ValueId> NumbersOf(const CallSite& call, ir::ValueId (*stack)(const CallSite&, ir::ValueId)) {
  const CellPtr* list = AsList(call.At(0));
  if (list == nullptr || !(*list)->is_dynamic()) return std::nullopt;
  const Type& element = (*list)->element;
  if (!element.Is("int") && !element.Is("float") && !element.Is("bool")) return std::nullopt;
  return (*list)->stacked != ir::ValueId::kNone ? (*list)->stacked : stack(call, (*list)->sequence);
}

// It must not be empty, because the program would raise.
ir::ValueId StackSome(const CallSite& call, ir::ValueId sequence) {
  return call.Run("aten::stack", {{sequence}, {int64_t{0}}}).As<Tensor>()->id;
}

std::optional<Value> SumOfNumbers(const CallSite& call) {
  const auto numbers = NumbersOf(call, JoinNumbersAndZero);
  if (!numbers || call.size() != 1) return std::nullopt;
  return ItemOf(call, call.Run("aten::sum", {{*numbers}, {ir::None{}}}));
}

template <bool kMost>
std::optional<Value> ExtremeOfNumbers(const CallSite& call) {
  const auto numbers = NumbersOf(call, StackSome);
  if (!numbers || call.size() != 1) return std::nullopt;
  return ItemOf(call, call.Run(kMost ? "aten::max" : "aten::min", {{*numbers}}));
}

template <bool kAll>
std::optional<Value> QuantifyNumbers(const CallSite& call) {
  const auto numbers = NumbersOf(call, kAll ? JoinNumbers : JoinNumbersAndZero);
  if (!numbers || call.size() != 1) return std::nullopt;
  const Value truth = call.Run("aten::ne.Scalar", {{*numbers}, {int64_t{0}}});
  return ItemOf(call, call.Run(kAll ? "aten::all" : "aten::any", {{truth.As<Tensor>()->id}}));
}

constexpr BuiltinRow kRows[] = {
    {"aten::sum", Sum},
    {"aten::any", Quantify<false>},
    {"aten::all", Quantify<true>},
    {"aten::sorted", SortedCopy},
    {"aten::sort", Sort},
    {"aten::sum", SumOfNumbers},
    {"aten::any", QuantifyNumbers<false>},
    {"aten::all", QuantifyNumbers<true>},
    {"prim::max", ExtremeOfNumbers<true>},
    {"prim::min", ExtremeOfNumbers<false>},
};

}  // namespace
}  // namespace whole_lists

std::span<const BuiltinRow> WholeListBuiltins() { return whole_lists::kRows; }

}  // namespace onnxport::torchscript
