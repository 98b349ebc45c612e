// Lists whose length is known only at run time become ONNX sequences, which hold tensors of one dtype. Numbers become
// 0-d tensors.
#include "runtime/sources/torchscript/interpret/sequences.h"

#include <utility>

#include "runtime/ir/join.h"
#include "runtime/sources/torchscript/interpret/values/leaves.h"

namespace onnxport::torchscript {

std::optional<ir::ValueId> SequenceMaker::SequenceOf(const Cell& list, const std::optional<ir::Value>& element) {
  const auto call = [&](ir::Instruction op, std::vector<ir::Arg> args) -> std::optional<ir::ValueId> {
    const std::vector<ir::Arg> results = run_.EditTracer().Call(op, std::move(args));
    return results.empty() || !results[0].value() ? std::nullopt : std::optional(*results[0].value());
  };
  if (list.sequence != ir::ValueId::kNone) return list.sequence;
  if (list.stacked != ir::ValueId::kNone) return call(ir::Instruction::kSequenceSplit, {{list.stacked}});
  // ONNX needs the type of an empty sequence, but an empty list has none.
  if (list.items.empty()) {
    if (!element) return std::nullopt;
    // With its sizes, because otherwise nothing would be known about elements that are taken out.
    return call(ir::Instruction::kSequenceEmpty, ir::EmptySequenceOf(*element));
  }
  ir::ArgList items;
  for (const Value& item : list.items) {
    const auto type = IsLeaf(item) ? LeafType(item, run_.tracer()) : std::nullopt;
    if (!type) return std::nullopt;
    if (grids_.Of(item)) run_.EditTracer().Fail("", kQuantizedElement);
    if (type->kind == ir::ValueKind::kTensor) {
      items.push_back(LeafArg(item));
    } else {
      // Numbers are stored as 0-d tensors. `element` remembers that they are numbers.
      const Value tensor = operators_.Call("aten::scalar_tensor", {item}, {{"dtype", {type->dtype}}});
      if (!tensor.As<Tensor>()) return std::nullopt;
      items.push_back(LeafArg(tensor));
    }
  }
  return call(ir::Instruction::kSequenceConstruct, {{std::move(items)}});
}

bool SequenceMaker::MakeSequence(const CellPtr& list, const std::optional<ir::Value>& element) {
  if (list->sequence != ir::ValueId::kNone) return false;
  const auto sequence = SequenceOf(*list, element);
  if (!sequence) return false;
  Type name = list->element;
  if (name.name.empty() && !list->items.empty()) {
    const Value& item = list->items[0];
    const auto type = LeafType(item, run_.tracer());
    name.name = type->kind == ir::ValueKind::kInt     ? "int"
                : type->kind == ir::ValueKind::kFloat ? "float"
                : type->kind == ir::ValueKind::kBool  ? "bool"
                                                      : "Tensor";
  }
  // Last, because the code above reads the old list.
  Cell& cell = run_.EditHeap().Edit(list);
  cell.items.clear();
  cell.stacked = ir::ValueId::kNone;
  cell.sequence = *sequence;
  cell.element = std::move(name);
  return true;
}

}  // namespace onnxport::torchscript
