// Lists whose length is known, and tuples. Changes go through the heap.
#include <algorithm>

#include "runtime/sources/torchscript/interpret/builtins/call_site.h"

namespace onnxport::torchscript {
namespace lists {
namespace {

// The position is known only at run time, so the list must be an ONNX sequence.
bool IsOpenIndex(const CallSite& call) { return call.As<Number>(1) != nullptr; }

std::optional<Value> Length(const CallSite& call) {
  const ValueList* items = KnownItems(call.At(0));
  return items == nullptr ? std::nullopt : std::optional<Value>(Value{static_cast<int64_t>(items->size())});
}

std::optional<Value> GetItem(const CallSite& call) {
  const ValueList* items = KnownItems(call.At(0));
  if (items == nullptr || call.size() != 2 || IsOpenIndex(call)) return std::nullopt;
  return (*items)[ListIndex(call.Int(1), items->size())];
}

std::optional<Value> SetItem(const CallSite& call) {
  const CellPtr* list = KnownList(call);
  if (list == nullptr || IsOpenIndex(call)) return std::nullopt;
  const size_t at = ListIndex(call.Int(1), (*list)->items.size());
  call.heap->Edit(*list).items[at] = call.At(2);
  return Value{*list};
}

std::optional<Value> Append(const CallSite& call) {
  const CellPtr* list = KnownList(call);
  if (list == nullptr) return std::nullopt;
  call.heap->Edit(*list).items.push_back(call.At(1));
  return Value{*list};
}

std::optional<Value> Extend(const CallSite& call) {
  const CellPtr* list = KnownList(call);
  const ValueList* more = KnownItems(call.At(1));
  if (list == nullptr || more == nullptr) return std::nullopt;
  CheckItems((*list)->items.size() + more->size());
  const ValueList added = *more;  // `x.extend(x)`
  auto& items = call.heap->Edit(*list).items;
  items.insert(items.end(), added.begin(), added.end());
  return Value{*list};
}

// As in Python, a position out of range is the nearer end.
std::optional<Value> Insert(const CallSite& call) {
  const CellPtr* list = KnownList(call);
  if (list == nullptr || IsOpenIndex(call)) return std::nullopt;
  const auto size = static_cast<int64_t>((*list)->items.size());
  const int64_t index = call.Int(1);
  const int64_t at = std::clamp<int64_t>(index < 0 ? index + size : index, 0, size);
  auto& items = call.heap->Edit(*list).items;
  items.insert(items.begin() + at, call.At(2));
  return Value{None{}};
}

std::optional<Value> Pop(const CallSite& call) {
  const CellPtr* list = KnownList(call);
  if (list == nullptr || IsOpenIndex(call)) return std::nullopt;
  if ((*list)->items.empty()) throw Refusal::Raised("pop from an empty list");
  const size_t at = ListIndex(call.Int(1, -1), (*list)->items.size());
  Value taken = (*list)->items[at];
  auto& items = call.heap->Edit(*list).items;
  items.erase(items.begin() + static_cast<ptrdiff_t>(at));
  return taken;
}

std::optional<Value> Delete(const CallSite& call) {
  if (KnownList(call) == nullptr || IsOpenIndex(call)) return std::nullopt;
  Pop(call);
  return Value{None{}};
}

// Position of an equal element; nothing when one before it may be equal.
std::optional<size_t> Find(const ValueList& items, const Value& wanted) {
  for (size_t i = 0; i < items.size(); ++i) {
    const std::optional<bool> equal = Equal(items[i], wanted);
    if (!equal) return std::nullopt;
    if (*equal) return i;
  }
  throw Refusal::Raised(Str(wanted) + " is not in the list");
}

std::optional<Value> Remove(const CallSite& call) {
  const CellPtr* list = KnownList(call);
  const std::optional<size_t> at = list == nullptr ? std::nullopt : Find((*list)->items, call.At(1));
  if (!at) return std::nullopt;
  auto& items = call.heap->Edit(*list).items;
  items.erase(items.begin() + static_cast<ptrdiff_t>(*at));
  return Value{None{}};
}

std::optional<Value> Index(const CallSite& call) {
  const CellPtr* list = KnownList(call);
  const std::optional<size_t> at = list == nullptr ? std::nullopt : Find((*list)->items, call.At(1));
  return at ? std::optional<Value>(Value{static_cast<int64_t>(*at)}) : std::nullopt;
}

std::optional<Value> Count(const CallSite& call) {
  const CellPtr* list = KnownList(call);
  if (list == nullptr) return std::nullopt;
  int64_t count = 0;
  for (const Value& item : (*list)->items) {
    const std::optional<bool> equal = Equal(item, call.At(1));
    if (!equal) return std::nullopt;
    count += *equal ? 1 : 0;
  }
  return Value{count};
}

// `x in list`: an `or` of comparisons if it is known only at run time.
std::optional<Value> Contains(const CallSite& call) {
  const ValueList* items = KnownItems(call.At(0));
  if (items == nullptr || call.At(1).As<Tensor>() != nullptr) return std::nullopt;
  std::optional<Value> any;
  for (const Value& item : *items) {
    const std::optional<bool> equal = Equal(item, call.At(1));
    if (equal == true) return Value{true};
    if (equal.has_value()) continue;
    if (!IsNumber(item) || !IsNumber(call.At(1)))
      throw Refusal(onnxport::Code::kNotDecided, "whether it is in the list is known only at run time");
    const Value same = call.Arithmetic(ir::Instruction::kEq, {item, call.At(1)});
    any = any ? call.Run(ir::Instruction::kOr, {*ToScalarArg(*any), *ToScalarArg(same)}) : same;
  }
  return any ? any : Value{false};
}

std::optional<Value> Clear(const CallSite& call) {
  const CellPtr* list = AsList(call.At(0));
  if (list == nullptr) return std::nullopt;
  Cell& cell = call.heap->Edit(*list);
  cell.items.clear();
  cell.sequence = cell.stacked = ir::ValueId::kNone;
  return Value{None{}};
}

std::optional<Value> Reverse(const CallSite& call) {
  const CellPtr* list = KnownList(call);
  if (list == nullptr) return std::nullopt;
  auto& items = call.heap->Edit(*list).items;
  std::reverse(items.begin(), items.end());
  return Value{None{}};
}

std::optional<Value> Copy(const CallSite& call) {
  const CellPtr* list = AsList(call.At(0));
  if (list == nullptr || call.size() != 1) return std::nullopt;
  Value copy = NewListLike(call, (*list)->items, *list);
  Cell& cell = call.heap->Edit(*copy.As<CellPtr>());
  cell.sequence = (*list)->sequence;
  cell.stacked = (*list)->stacked;
  return copy;
}

std::optional<Value> Concatenate(const CallSite& call) {
  const CellPtr* a = KnownList(call, 0);
  const CellPtr* b = KnownList(call, 1);
  if (a == nullptr || b == nullptr) return std::nullopt;
  CheckItems((*a)->items.size() + (*b)->items.size());
  ValueList items = (*a)->items;
  items.insert(items.end(), (*b)->items.begin(), (*b)->items.end());
  return NewListLike(call, std::move(items), (*a)->items.empty() && (*a)->element.name.empty() ? *b : *a);
}

ValueList Repeated(const ValueList& items, int64_t times) {
  ValueList result;
  if (times < 0) throw Refusal::Raised("a list cannot be repeated " + std::to_string(times) + " times");
  if (times == 0 || items.empty()) return result;
  CheckItems(static_cast<uint64_t>(times) > kMaxItems ? kMaxItems + 1 : items.size() * static_cast<size_t>(times));
  result.reserve(items.size() * static_cast<size_t>(times));
  for (int64_t i = 0; i < times; ++i) result.insert(result.end(), items.begin(), items.end());
  return result;
}

std::optional<Value> Repeat(const CallSite& call) {
  const bool list_first = KnownList(call, 0) != nullptr;
  const CellPtr* list = KnownList(call, list_first ? 0 : 1);
  if (list == nullptr) return std::nullopt;
  return NewListLike(call, Repeated((*list)->items, call.Int(list_first ? 1 : 0)), *list);
}

std::optional<Value> RepeatInPlace(const CallSite& call) {
  const CellPtr* list = KnownList(call);
  if (list == nullptr) return std::nullopt;
  ValueList items = Repeated((*list)->items, call.Int(1));
  call.heap->Edit(*list).items = std::move(items);
  return Value{*list};
}

std::optional<Value> Slice(const CallSite& call) {
  const ValueList* items = KnownItems(call.At(0));
  if (items == nullptr) return std::nullopt;
  ValueList picked;
  for (const size_t i : SliceIndices(call.OptionalInt(1), call.OptionalInt(2), call.Int(3, 1), items->size())) {
    picked.push_back((*items)[i]);
  }
  const CellPtr* list = AsList(call.At(0));
  return list == nullptr ? TupleOf(std::move(picked)) : NewListLike(call, std::move(picked), *list);
}

// `range` as a list.
std::optional<Value> RangeList(const CallSite& call) {
  const int64_t count = std::max<int64_t>(call.Int(0), 0);
  CheckItems(static_cast<size_t>(count));
  ValueList items;
  for (int64_t i = 0; i < count; ++i) items.push_back({i});
  return Value{call.heap->NewList(std::move(items), {"int", {}})};
}

std::optional<Value> SizeCopy(const CallSite& call) {
  return AsList(call.At(0)) != nullptr ? Copy(call) : std::nullopt;
}

constexpr BuiltinRow kRows[] = {
    {"aten::len", Length},
    {"aten::__getitem__", GetItem},
    {"aten::select", GetItem},
    {"prim::TupleIndex", GetItem},
    {"aten::_set_item", SetItem},
    {"aten::append", Append},
    {"aten::extend", Extend},
    {"aten::insert", Insert},
    {"aten::pop", Pop},
    {"aten::Delete", Delete},
    {"aten::remove", Remove},
    {"aten::index", Index},
    {"aten::count", Count},
    {"aten::__contains__", Contains},
    {"aten::clear", Clear},
    {"aten::reverse", Reverse},
    {"aten::copy", Copy},
    {"aten::list", Copy},
    {"aten::Size", SizeCopy},
    {"aten::add", Concatenate},
    {"aten::add_", Extend},
    {"aten::mul", Repeat},
    {"aten::mul_", RepeatInPlace},
    {"aten::slice", Slice},
    {"prim::rangelist", RangeList},
};

}  // namespace
}  // namespace lists

std::span<const BuiltinRow> ListBuiltins() { return lists::kRows; }

}  // namespace onnxport::torchscript
