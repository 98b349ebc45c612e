#include "runtime/trace/functionalize/write_places.h"

#include <utility>

#include "runtime/aten/op_traits.h"
#include "runtime/trace/functionalize/added_calls.h"
#include "runtime/trace/functionalize/views.h"

namespace onnxport::functionalize {
namespace {

using ir::Arg;
using ir::ValueId;
using record::Recorder;

// Returns true if the result has the base's elements unchanged: no conjugates, no other dtype.
bool OnlyPlaces(const ir::Graph& graph, const ViewStep& step, ir::DType dtype) {
  const op_traits::OpTraits& traits = op_traits::TraitsOf(step.call->op);
  const bool same = KeepsOrder(step.call->op) && traits.write_back != nullptr && traits.write_back->op.empty();
  const bool moves = TakesAsItLies(step.call->op, false) || traits.alias == op_traits::Alias::kStrided;
  return (same || moves) && graph.value(step.call->outputs[step.output]).dtype == dtype;
}

// Returns 0, 1, 2 ... in the shape of the tensor.
ValueId Numbered(Recorder* recorder, ValueId tensor) {
  const Arg count = AddInstruction(recorder, ir::Instruction::kSymNumel, {{tensor}});
  ir::Node range;
  range.op = "aten::arange";
  range.location = recorder->places().current();
  range.inputs = InputsOf(*ir::FindAtenSchema(range.op), {{0, count}, {1, Arg{ir::DType::kInt64}}});
  recorder->Append(&range);
  ir::Node shaped;
  shaped.op = "aten::reshape";
  shaped.location = recorder->places().current();
  shaped.inputs = {{range.outputs[0]}, SizesToReshape(recorder, tensor)};
  recorder->Append(&shaped);
  return shaped.outputs[0];
}

}  // namespace

std::optional<ValueId> WriteToPlaces(Recorder* recorder, const std::vector<ViewStep>& steps, ValueId base,
                                     ValueId value, std::string* why_not) {
  if (!recorder->graph().value(base).dims) {
    *why_not = "the base's rank is not known";
    return std::nullopt;
  }
  const ir::DType dtype = recorder->graph().value(base).dtype;
  ValueId places = Numbered(recorder, base);
  for (const ViewStep& step : steps) {
    if (!OnlyPlaces(recorder->graph(), step, dtype)) {
      *why_not = "a write through " + step.call->op.text() + " of a tensor that repeats elements is not supported";
      return std::nullopt;
    }
    ir::Node view = *step.call;
    view.inputs[step.argument] = {places};
    recorder->Append(&view);
    places = view.outputs[step.output];
  }
  return AddCall(recorder, "aten::put", {{0, {base}}, {1, {places}}, {2, {value}}}, base);
}

}  // namespace onnxport::functionalize
