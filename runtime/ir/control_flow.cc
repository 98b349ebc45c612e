#include "runtime/ir/control_flow.h"

namespace onnxport::ir {

IfSpec Translate(IfSpec spec, const Translation& translate) {
  spec.condition = translate(spec.condition);
  for (IfSpec::Result& result : spec.results) {
    result.then = translate(result.then);
    result.otherwise = translate(result.otherwise);
  }
  return spec;
}

LoopSpec Translate(LoopSpec spec, const Translation& translate) {
  const auto translate_input = [&](ValueId* input) {
    if (*input != ValueId::kNone) *input = *translate({*input}).value();
  };
  spec.trip_count = translate(spec.trip_count);
  spec.condition = translate(spec.condition);
  translate_input(&spec.iteration);
  spec.next_condition = translate(spec.next_condition);
  for (LoopSpec::Carried& carried : spec.carried) {
    carried.initial = translate(carried.initial);
    translate_input(&carried.inside);
    carried.next = translate(carried.next);
  }
  for (Arg& scan : spec.scans) scan = translate(scan);
  return spec;
}

std::vector<Arg> NodeInputs(const LoopSpec& spec) {
  std::vector<Arg> inputs = {spec.trip_count, spec.condition};
  for (const LoopSpec::Carried& carried : spec.carried) inputs.push_back(carried.initial);
  return inputs;
}

std::vector<ValueId> BlockInputs(const LoopSpec& spec) {
  std::vector<ValueId> inputs;
  if (spec.iteration != ValueId::kNone) inputs.push_back(spec.iteration);
  for (const LoopSpec::Carried& carried : spec.carried) inputs.push_back(carried.inside);
  return inputs;
}

std::vector<Arg> BlockOutputs(const LoopSpec& spec) {
  std::vector<Arg> outputs = {spec.next_condition};
  for (const LoopSpec::Carried& carried : spec.carried) outputs.push_back(carried.next);
  outputs.insert(outputs.end(), spec.scans.begin(), spec.scans.end());
  return outputs;
}

std::vector<Arg> ThenOutputs(const IfSpec& spec) {
  std::vector<Arg> outputs;
  for (const IfSpec::Result& result : spec.results) outputs.push_back(result.then);
  return outputs;
}

std::vector<Arg> OtherwiseOutputs(const IfSpec& spec) {
  std::vector<Arg> outputs;
  for (const IfSpec::Result& result : spec.results) outputs.push_back(result.otherwise);
  return outputs;
}

}  // namespace onnxport::ir
