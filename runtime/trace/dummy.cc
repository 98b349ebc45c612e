#include "runtime/trace/dummy.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

#include "runtime/trace/functionalize/added_calls.h"

namespace onnxport::trace {

using ir::Arg;
using ir::ValueId;
using ir::ValueKind;

namespace {

// Returns the size as a number, or as that of an input of the graph.
Arg SizeOfDummy(record::Recorder* recorder, const ir::Dim& size) {
  if (size.is_number()) return {size.number()};
  const ir::Graph& source = recorder->graph();
  for (const ir::Port& input : source.inputs) {
    const ValueId* id = input.value.value();
    if (size.is_unknown() || !id || !source.value(*id).dims) continue;
    const ir::Dims& dims = *source.value(*id).dims;
    const auto axis = std::ranges::find(dims, size) - dims.begin();
    if (axis == std::ssize(dims)) continue;
    return functionalize::AddInstruction(recorder, ir::Instruction::kSymSize, {{*id}, {int64_t{axis}}});
  }
  return {int64_t{1}};
}

}  // namespace

std::optional<Arg> Dummy(record::Recorder* recorder, const ir::Value& type) {
  if (type.kind == ValueKind::kInt) return Arg{int64_t{0}};
  if (type.kind == ValueKind::kFloat) return Arg{0.0};
  if (type.kind == ValueKind::kBool) return Arg{false};
  ir::Node node;
  node.location = recorder->places().NextCall();
  if (type.kind == ValueKind::kSequence) {
    node.op = ir::Instruction::kSequenceEmpty;
    node.inputs = ir::EmptySequenceOf(type);
  } else {
    ir::ArgList sizes;
    for (const ir::Dim& dim : type.dims.value_or(ir::Dims())) sizes.push_back(SizeOfDummy(recorder, dim));
    node.op = ir::Instruction::kZeros;
    node.inputs = {{std::move(sizes)}, {type.dtype}};
  }
  const std::vector<Arg> made = recorder->Append(&node);
  if (recorder->AnyFailed(made)) return std::nullopt;
  return made[0];
}

}  // namespace onnxport::trace
