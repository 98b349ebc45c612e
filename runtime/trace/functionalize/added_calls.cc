#include "runtime/trace/functionalize/added_calls.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "runtime/ir/join.h"

namespace onnxport::functionalize {

using ir::Arg;
using ir::Instruction;
using ir::ValueId;
using record::Recorder;

std::vector<Arg> InputsOf(const ir::AtenSchema& schema, PositionedArgs args) {
  std::vector<Arg> inputs;
  for (const ir::AtenArgument& argument : schema.arguments) inputs.push_back(argument.default_value.value_or(Arg()));
  for (auto& [position, arg] : args) inputs[position] = std::move(arg);
  return inputs;
}

ValueId AddCall(Recorder* recorder, const ir::Operator& op, PositionedArgs args, ValueId model) {
  const ir::AtenSchema* schema = ir::FindAtenSchema(op);
  if (schema == nullptr) throw std::logic_error("no schema of " + op.text());
  ir::Node node;
  node.op = op;
  node.location = recorder->places().current();
  node.inputs = InputsOf(*schema, std::move(args));
  recorder->Append(&node);
  recorder->Refine(node.outputs[0], model);
  return node.outputs[0];
}

Arg AddInstruction(Recorder* recorder, Instruction instruction, std::vector<Arg> args) {
  ir::Node node;
  node.op = instruction;
  node.location = recorder->places().current();
  node.inputs = std::move(args);
  return recorder->Append(&node)[0];
}

std::optional<ValueId> AddChoice(Recorder* recorder, ValueId condition, ValueId then, ValueId otherwise,
                                 ValueId model) {
  for (const ValueId side : {then, otherwise}) {
    if (recorder->IsFailed(side)) return side;
  }
  std::string why_not;
  auto type = ir::Join(recorder->graph().value(then), recorder->graph().value(otherwise), &why_not);
  if (!type) return std::nullopt;
  const auto empty_block = [&] {
    recorder->BeginBlock();
    return recorder->EndBlock();
  };
  record::Recorder::Block first = empty_block(), second = empty_block();
  const ir::IfSpec spec = {{condition}, {{{then}, {otherwise}, std::move(*type)}}};
  std::vector<ValueId> made;
  if (!recorder->If(spec, std::move(first), std::move(second), &made)) return recorder->AddFailed();
  recorder->Refine(made[0], model);
  return made[0];
}

ValueId AddCast(Recorder* recorder, ValueId tensor, ValueId model) {
  const Arg cast = AddInstruction(recorder, Instruction::kCast, {{tensor}, {recorder->graph().value(model).dtype}});
  recorder->Refine(*cast.value(), model);
  return *cast.value();
}

Arg SizesToReshape(Recorder* recorder, ValueId tensor) {
  const ir::Dims dims = *recorder->graph().value(tensor).dims;
  const auto open = std::ranges::count_if(dims, [](const ir::Dim& d) { return !d.is_number(); });
  const bool empty = std::ranges::find(dims, ir::Dim(0)) != dims.end();
  ir::ArgList sizes;
  for (size_t i = 0; i < dims.size(); ++i) {
    if (dims[i].is_number()) {
      sizes.push_back({dims[i].number()});
    } else if (open == 1 && !empty) {
      sizes.push_back({int64_t{-1}});
    } else {
      sizes.push_back(AddInstruction(recorder, Instruction::kSymSize, {{tensor}, {static_cast<int64_t>(i)}}));
    }
  }
  return {std::move(sizes)};
}

}  // namespace onnxport::functionalize
