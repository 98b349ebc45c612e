// Searches in lists of numbers, and their order, where elements or the length are known only at run time: they are done
// on one tensor of the numbers.
#include <algorithm>

#include "runtime/sources/torchscript/interpret/builtins/call_site.h"

namespace onnxport::torchscript {
namespace searches {
namespace {

using ir::ValueId;

// The numbers as a tensor of one axis; nothing for a list of something else.
std::optional<ValueId> NumbersOf(const CallSite& call) {
  const CellPtr* list = AsList(call.At(0));
  if (list == nullptr) return std::nullopt;
  if ((*list)->is_dynamic()) {
    if (IsTensorElement((*list)->element)) return std::nullopt;
    return (*list)->stacked != ValueId::kNone ? (*list)->stacked : JoinNumbers(call, (*list)->sequence);
  }
  const ValueList& items = (*list)->items;
  if (items.empty() || !std::ranges::all_of(items, IsNumber)) return std::nullopt;
  return StackNumbers(call, items).As<Tensor>()->id;
}

// Puts the numbers into the list. A list of known length stays one.
void Become(const CallSite& call, const CellPtr& list, ValueId numbers, size_t size) {
  if (list->is_dynamic()) {
    Cell& cell = call.heap->Edit(list);
    cell.sequence = ValueId::kNone;
    cell.stacked = numbers;
    return;
  }
  ValueList items;
  for (size_t i = 0; i < size; ++i) {
    items.push_back(ItemOf(call, call.Run("aten::select.int", {{numbers}, {int64_t{0}}, {static_cast<int64_t>(i)}})));
  }
  call.heap->Edit(list).items = std::move(items);
}

// The numbers, if the second argument is a number to search for.
std::optional<ValueId> SearchedNumbers(const CallSite& call) {
  if (call.size() != 2 || !IsNumber(call.At(1))) return std::nullopt;
  return NumbersOf(call);
}

// For each of the numbers, if it equals the second argument.
ir::Arg EqualOnes(const CallSite& call, ValueId numbers) {
  const Value wanted = TensorOf(call, call.At(1), std::nullopt);
  return *ToScalarArg(call.Run("aten::eq.Tensor", {{numbers}, *ToScalarArg(wanted)}));
}

// The first place. If there is none, the model stops, as the program does.
Value FirstPlace(const CallSite& call, ValueId numbers) {
  const Value places = call.Run("aten::nonzero", {EqualOnes(call, numbers)});
  const Value first = call.Run("aten::select.int", {*ToScalarArg(places), {int64_t{0}}, {int64_t{0}}});
  return ItemOf(call, call.Run("aten::select.int", {*ToScalarArg(first), {int64_t{0}}, {int64_t{0}}}));
}

std::optional<Value> Count(const CallSite& call) {
  const std::optional<ValueId> numbers = SearchedNumbers(call);
  if (!numbers) return std::nullopt;
  return ItemOf(call, call.Run("aten::sum", {EqualOnes(call, *numbers), {ir::None{}}}));
}

std::optional<Value> Contains(const CallSite& call) {
  const std::optional<ValueId> numbers = SearchedNumbers(call);
  if (!numbers) return std::nullopt;
  return ItemOf(call, call.Run("aten::any", {EqualOnes(call, *numbers)}));
}

std::optional<Value> Index(const CallSite& call) {
  const std::optional<ValueId> numbers = SearchedNumbers(call);
  return numbers ? std::optional(FirstPlace(call, *numbers)) : std::nullopt;
}

std::optional<Value> Remove(const CallSite& call) {
  const std::optional<ValueId> numbers = SearchedNumbers(call);
  if (!numbers) return std::nullopt;
  const CellPtr& list = *AsList(call.At(0));
  const Value place = FirstPlace(call, *numbers);
  const Value after = call.Arithmetic(ir::Instruction::kAdd, {place, {int64_t{1}}});
  const auto slice = [&](const ir::Arg& start, const ir::Arg& end) {
    return *ToScalarArg(call.Run("aten::slice.Tensor", {{*numbers}, {int64_t{0}}, start, end, {int64_t{1}}}));
  };
  ir::ArgList parts = {slice({int64_t{0}}, *ToScalarArg(place)), slice(*ToScalarArg(after), {INT64_MAX})};
  const Value rest = call.Run("aten::cat", {{std::move(parts)}, {int64_t{0}}});
  Become(call, list, rest.As<Tensor>()->id, list->items.size() - 1);
  return Value{None{}};
}

ValueId InOrder(const CallSite& call, ValueId numbers, bool reverse) {
  const bool is_truth = call.tracer->TypeOf(numbers).dtype == ir::DType::kBool;
  if (is_truth) numbers = call.Run(ir::Instruction::kCast, {{numbers}, {ir::DType::kInt64}}).As<Tensor>()->id;
  const std::vector<ir::Arg> results = call.tracer->Call("aten::sort", {{numbers}, {int64_t{0}}, {reverse}});
  ValueId sorted = *results.at(0).value();
  call.CheckUsable(sorted);
  if (is_truth) sorted = call.Run(ir::Instruction::kCast, {{sorted}, {ir::DType::kBool}}).As<Tensor>()->id;
  return sorted;
}

std::optional<Value> Sort(const CallSite& call) {
  const std::optional<ValueId> numbers = NumbersOf(call);
  if (!numbers) return std::nullopt;
  const CellPtr& list = *AsList(call.At(0));
  Become(call, list, InOrder(call, *numbers, call.Bool(1, false)), list->items.size());
  return Value{None{}};
}

std::optional<Value> SortedCopy(const CallSite& call) {
  const std::optional<ValueId> numbers = NumbersOf(call);
  if (!numbers) return std::nullopt;
  const CellPtr& list = *AsList(call.At(0));
  const CellPtr copy = call.heap->NewList(list->items, list->element);
  call.heap->Edit(copy).stacked = list->is_dynamic() ? *numbers : ValueId::kNone;
  Become(call, copy, InOrder(call, *numbers, false), list->items.size());
  return Value{copy};
}

constexpr BuiltinRow kRows[] = {
    {"aten::count", Count}, {"aten::__contains__", Contains}, {"aten::index", Index}, {"aten::remove", Remove},
    {"aten::sort", Sort},   {"aten::sorted", SortedCopy},
};

}  // namespace
}  // namespace searches

std::span<const BuiltinRow> SearchBuiltins() { return searches::kRows; }

}  // namespace onnxport::torchscript
