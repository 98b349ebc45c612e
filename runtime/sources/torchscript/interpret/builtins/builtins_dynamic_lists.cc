// Lists whose length is known only at run time, and elements at positions known only at run time: ONNX sequences, or
// elements stacked on the first axis of a tensor.
#include "runtime/sources/torchscript/interpret/builtins/call_site.h"

namespace onnxport::torchscript {
namespace dynamic_lists {
namespace {

using ir::ValueId;

const CellPtr* Dynamic(const Value& value) {
  const CellPtr* list = AsList(value);
  return list != nullptr && (*list)->is_dynamic() ? list : nullptr;
}

// In sequences and stacks, numbers are 0-d tensors.
ir::DType DTypeOfElement(const Type& element) {
  return element.Is("float") ? ir::DType::kFloat64 : element.Is("bool") ? ir::DType::kBool : ir::DType::kInt64;
}

// Converts an element for a sequence.
ir::Arg AsElement(const CallSite& call, const Cell& list, const Value& item) {
  if (call.grids->Of(item) != nullptr) throw Refusal(kQuantizedElement);
  if (const auto* tensor = item.As<Tensor>()) return {tensor->id};
  if (!IsNumber(item)) throw Refusal("an ONNX sequence holds tensors, not " + KindName(item, *call.tracer));
  const bool has_dtype = list.sequence != ValueId::kNone || list.stacked != ValueId::kNone;
  const ValueId of = list.sequence != ValueId::kNone ? list.sequence : list.stacked;
  const ir::DType dtype = has_dtype ? call.tracer->TypeOf(of).dtype : DTypeOfElement(list.element);
  return *ToScalarArg(TensorOf(call, item, dtype));
}

ValueId SequenceId(const Value& made) {
  const auto* cell = made.As<Tensor>();
  if (cell == nullptr) throw Refusal("the list is no sequence of tensors");
  return cell->id;
}

// Converts any list to a sequence. A list of known length must contain tensors.
ValueId ToSequence(const CallSite& call, const Value& value) {
  const CellPtr* list = AsList(value);
  if (list == nullptr) throw Refusal("a list is needed, not " + KindName(value, *call.tracer));
  if ((*list)->sequence != ValueId::kNone) return (*list)->sequence;
  if ((*list)->stacked != ValueId::kNone)
    return SequenceId(call.Run(ir::Instruction::kSequenceSplit, {{(*list)->stacked}}));
  ir::ArgList tensors;
  for (const Value& item : (*list)->items) tensors.push_back(AsElement(call, **list, item));
  if (tensors.empty())
    throw Refusal(onnxport::Code::kTypeIsNotKnown,
                  "the element type of the empty list is not known; append an element before");
  return SequenceId(call.Run(ir::Instruction::kSequenceConstruct, {{std::move(tensors)}}));
}

void Become(const CallSite& call, const CellPtr& list, ValueId sequence) {
  Cell& cell = call.heap->Edit(list);
  cell.items.clear();
  cell.stacked = ValueId::kNone;
  cell.sequence = sequence;
}

ir::Arg IntArg(const CallSite& call, size_t i) {
  const std::optional<ir::Arg> arg = ToScalarArg(Plain(call.At(i)));
  if (!arg || !IsNumber(call.At(i))) throw Refusal("an index must be an int");
  return *arg;
}

ir::Arg TensorArg(const CallSite& call, size_t i) { return AsElement(call, **AsList(call.At(0)), call.At(i)); }

// Converts an element taken from a sequence.
Value FromElement(const CallSite& call, const Type& element, const Value& tensor) {
  return IsTensorElement(element) ? tensor : ItemOf(call, tensor);
}

std::optional<Value> Length(const CallSite& call) {
  const CellPtr* list = Dynamic(call.At(0));
  if (list == nullptr) return std::nullopt;
  if ((*list)->stacked != ValueId::kNone) return SizeOf(call, {Tensor{(*list)->stacked}}, 0);
  return call.Run(ir::Instruction::kSequenceLength, {{(*list)->sequence}});
}

Value ElementOf(const CallSite& call, ValueId stacked, const Type& element, const ir::Arg& index) {
  return FromElement(call, element, call.Run("aten::select.int", {{stacked}, {int64_t{0}}, index}));
}

std::optional<Value> GetItem(const CallSite& call) {
  const CellPtr* list = AsList(call.At(0));
  if (list == nullptr || call.size() != 2) return std::nullopt;
  const ir::Arg index = IntArg(call, 1);
  if ((*list)->stacked != ValueId::kNone) return ElementOf(call, (*list)->stacked, (*list)->element, index);
  if ((*list)->sequence != ValueId::kNone) {
    return FromElement(call, (*list)->element, call.Run(ir::Instruction::kSequenceAt, {{(*list)->sequence}, index}));
  }
  if ((*list)->items.empty()) throw Refusal::Raised("list index outside an empty list");
  if ((*list)->items[0].As<Tensor>() != nullptr) {
    return call.Run(ir::Instruction::kSequenceAt, {{ToSequence(call, call.At(0))}, index});
  }
  const Value stacked = StackNumbers(call, (*list)->items);
  return ElementOf(call, stacked.As<Tensor>()->id, {"int", {}}, index);
}

std::optional<Value> Append(const CallSite& call) {
  const CellPtr* list = Dynamic(call.At(0));
  if (list == nullptr) return std::nullopt;
  const ValueId sequence = ToSequence(call, call.At(0));
  Become(call, *list, SequenceId(call.Run(ir::Instruction::kSequenceAppend, {{sequence}, TensorArg(call, 1)})));
  return Value{*list};
}

// At least one side is dynamic. An empty list of known length adds nothing.
std::optional<ValueId> Joined(const CallSite& call) {
  const CellPtr* a = AsList(call.At(0));
  const CellPtr* b = AsList(call.At(1));
  if (a == nullptr || b == nullptr || (!(*a)->is_dynamic() && !(*b)->is_dynamic())) return std::nullopt;
  const auto is_empty = [](const CellPtr& list) { return !list->is_dynamic() && list->items.empty(); };
  if (is_empty(*b)) return ToSequence(call, call.At(0));
  if (is_empty(*a)) return ToSequence(call, call.At(1));
  return SequenceId(
      call.Run(ir::Instruction::kSequenceConcat, {{ToSequence(call, call.At(0))}, {ToSequence(call, call.At(1))}}));
}

std::optional<Value> Extend(const CallSite& call) {
  const std::optional<ValueId> joined = Joined(call);
  if (!joined) return std::nullopt;
  Become(call, *AsList(call.At(0)), *joined);
  return call.At(0);
}

std::optional<Value> Concatenate(const CallSite& call) {
  const std::optional<ValueId> joined = Joined(call);
  if (!joined) return std::nullopt;
  const CellPtr list = call.heap->NewList({}, (*AsList(call.At(0)))->element);
  call.heap->Edit(list).sequence = *joined;
  return Value{list};
}

// Inserts into a sequence. A list of known length becomes one if the position is unknown.
std::optional<Value> Insert(const CallSite& call) {
  const CellPtr* list = AsList(call.At(0));
  if (list == nullptr) return std::nullopt;
  const ValueId sequence = ToSequence(call, call.At(0));
  Become(call, *list,
         SequenceId(call.Run(ir::Instruction::kSequenceInsert, {{sequence}, TensorArg(call, 2), IntArg(call, 1)})));
  return Value{None{}};
}

std::optional<Value> Pop(const CallSite& call) {
  const CellPtr* list = AsList(call.At(0));
  if (list == nullptr) return std::nullopt;
  const ir::Arg index = call.size() > 1 ? IntArg(call, 1) : ir::Arg{int64_t{-1}};
  const ValueId sequence = ToSequence(call, call.At(0));
  Value taken = FromElement(call, (*list)->element, call.Run(ir::Instruction::kSequenceAt, {{sequence}, index}));
  Become(call, *list, SequenceId(call.Run(ir::Instruction::kSequenceErase, {{sequence}, index})));
  return taken;
}

std::optional<Value> Delete(const CallSite& call) {
  if (AsList(call.At(0)) == nullptr) return std::nullopt;
  Pop(call);
  return Value{None{}};
}

std::optional<Value> SetItem(const CallSite& call) {
  const CellPtr* list = AsList(call.At(0));
  if (list == nullptr) return std::nullopt;
  ir::Arg index = IntArg(call, 1);
  if ((*list)->stacked != ValueId::kNone && !IsTensorElement((*list)->element)) {
    const Value changed =
        call.Run("aten::select_scatter", {{(*list)->stacked}, TensorArg(call, 2), {int64_t{0}}, index});
    call.heap->Edit(*list).stacked = SequenceId(changed);
    return Value{*list};
  }
  const auto* known = std::get_if<int64_t>(&index.v);
  const ValueId sequence = ToSequence(call, call.At(0));
  if (known == nullptr || *known < 0) {  // counted from the end, it would be another place after an element is removed
    const Value length = call.Run(ir::Instruction::kSequenceLength, {{sequence}});
    index = *ToScalarArg(call.Arithmetic(ir::Instruction::kMod, {call.At(1), length}));
  }
  const ValueId rest = SequenceId(call.Run(ir::Instruction::kSequenceErase, {{sequence}, index}));
  Become(call, *list, SequenceId(call.Run(ir::Instruction::kSequenceInsert, {{rest}, TensorArg(call, 2), index})));
  return Value{*list};
}

std::optional<Value> Slice(const CallSite& call) {
  const CellPtr* list = AsList(call.At(0));
  if (list == nullptr) return std::nullopt;
  const auto bound = [&](size_t i, int64_t absent) {
    return i < call.size() && !call.At(i).is_none() ? IntArg(call, i) : ir::Arg{absent};
  };
  const ir::Arg start = bound(1, 0), end = bound(2, INT64_MAX), step = bound(3, 1);
  const CellPtr part = call.heap->NewList({}, (*list)->element);
  Cell& made = call.heap->Edit(part);
  if ((*list)->stacked != ValueId::kNone) {
    made.stacked = SequenceId(call.Run("aten::slice.Tensor", {{(*list)->stacked}, {int64_t{0}}, start, end, step}));
  } else {
    made.sequence =
        SequenceId(call.Run(ir::Instruction::kSequenceSlice, {{ToSequence(call, call.At(0))}, start, end, step}));
  }
  return Value{part};
}

std::optional<Value> Reverse(const CallSite& call) {
  const CellPtr* list = Dynamic(call.At(0));
  if (list == nullptr) return std::nullopt;
  if ((*list)->stacked != ValueId::kNone) {
    const Value flipped = call.Run("aten::flip", {{(*list)->stacked}, {ir::ArgList{{int64_t{0}}}}});
    call.heap->Edit(*list).stacked = flipped.As<Tensor>()->id;
  } else {
    Become(call, *list, SequenceId(call.Run(ir::Instruction::kSequenceReverse, {{(*list)->sequence}})));
  }
  return Value{None{}};
}

constexpr BuiltinRow kRows[] = {
    {"aten::len", Length},    {"aten::__getitem__", GetItem}, {"aten::select", GetItem},    {"aten::append", Append},
    {"aten::extend", Extend}, {"aten::add_", Extend},         {"aten::add", Concatenate},   {"aten::insert", Insert},
    {"aten::pop", Pop},       {"aten::Delete", Delete},       {"aten::_set_item", SetItem}, {"aten::reverse", Reverse},
    {"aten::slice", Slice},
};

}  // namespace
}  // namespace dynamic_lists

std::span<const BuiltinRow> DynamicListBuiltins() { return dynamic_lists::kRows; }

Value StackNumbers(const CallSite& call, const ValueList& items) {
  bool has_float = false, all_bool = true;
  for (const Value& item : items) {
    if (!IsNumber(item)) throw Refusal("an element at a position known only at run time must be a tensor or a number");
    const auto* number = item.As<Number>();
    const ir::ValueKind kind = number == nullptr ? ir::ValueKind::kInt : call.tracer->TypeOf(number->id).kind;
    has_float = has_float || item.As<double>() != nullptr || kind == ir::ValueKind::kFloat;
    all_bool = all_bool && (item.As<bool>() != nullptr || kind == ir::ValueKind::kBool);
  }
  const ir::DType dtype = has_float ? ir::DType::kFloat64 : all_bool ? ir::DType::kBool : ir::DType::kInt64;
  ir::ArgList elements;
  for (const Value& item : items) elements.push_back(*ToScalarArg(TensorOf(call, item, dtype)));
  return call.Run("aten::stack", {{std::move(elements)}, {int64_t{0}}});
}

}  // namespace onnxport::torchscript
