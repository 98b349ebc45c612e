// Makes If and Loop as ONNX requires. Each output of a block is made by its own node in that block. Both sides have the
// same types. Numbers of the program are 0-d tensors. Nodes that are added for this go to the end of the block that
// needs them, so a cast of one side's result costs nothing when the other side runs.
#include "runtime/lowering/build/control_flow.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <unordered_set>
#include <utility>

#include "runtime/lowering/build/args.h"
#include "runtime/lowering/build/constants.h"
#include "runtime/lowering/build/emitter.h"
#include "runtime/lowering/build/tensor.h"

namespace onnxport::lowering {
namespace {

using ir::DType;
using ir::ValueId;
using ir::ValueKind;

constexpr int kFreeBranchesOpset = 11;      // the shapes of an If's branches may differ
constexpr int kControlSequencesOpset = 13;  // If and Loop can pass sequences
constexpr int kSequenceIdentityOpset = 14;  // so does Identity
constexpr int kBareLoopOpset = 11;          // a Loop may carry no value

// Returns a new value with the same contents.
ValueId CopyOf(Emitter* emitter, ValueId id) {
  const ir::Value& value = emitter->value(id);
  if (value.kind != ValueKind::kSequence || emitter->opset() >= kSequenceIdentityOpset) {
    const ValueId copy = emitter->Add("Identity", {{id}});
    if (emitter->facts().IsNumber(id)) emitter->facts().MarkNumber(copy);
    return copy;
  }
  // No operator of these opsets copies a sequence, so an element is inserted at the end and erased again.
  const ValueId longer = emitter->Add("SequenceInsert", {{id}, {emitter->Constant(0, value.dtype)}});
  return emitter->Add("SequenceErase", {{longer}});
}

// Each output of a block must be made by its own node in that block.
std::vector<ir::Arg> Separate(Emitter* emitter, std::vector<ir::Arg> outputs) {
  std::unordered_set<ValueId> taken;
  for (ir::Arg& output : outputs) {
    const ValueId id = *output.value();
    const bool own = emitter->blocks().BlockOf(id) == emitter->blocks().innermost() && !emitter->blocks().IsInput(id);
    if (!own || !taken.insert(id).second) output = {CopyOf(emitter, id)};
  }
  return outputs;
}

void CheckKinds(const Emitter& emitter, std::string_view op, const std::vector<ir::Value>& types) {
  const bool sequences = std::ranges::any_of(types, [](const auto& t) { return t.kind == ValueKind::kSequence; });
  if (sequences && emitter.opset() < kControlSequencesOpset) {
    throw Refusal(Code::kNotAtThisOpset,
                  fmt::format("opset {} has no {} with lists of tensors of unknown length; opset {} has",
                              emitter.opset(), op, kControlSequencesOpset));
  }
}

// Before opset 11, both branches of an If must return the same shapes.
void CheckShapes(const Emitter& emitter, const std::vector<ir::Arg>& a, const std::vector<ir::Arg>& b) {
  if (emitter.opset() >= kFreeBranchesOpset) return;
  for (size_t i = 0; i < a.size(); ++i) {
    const ir::Value& left = emitter.value(*a[i].value());
    const ir::Value& right = emitter.value(*b[i].value());
    if (left.dims && right.dims && *left.dims == *right.dims) continue;
    throw Refusal(Code::kBranchesDiffer,
                  fmt::format("the branches of an If give {} and {}; opset {} needs equal shapes, opset {} does not",
                              TypeText(left), TypeText(right), emitter.opset(), kFreeBranchesOpset));
  }
}

Val OfGraph(Emitter* emitter, const ir::Arg& arg) {
  return ToVal(arg, [&](ValueId id) { return Val(Tensor{emitter, id}); });
}

// The number of iterations of a loop, if it has no condition.
ir::Dim Iterations(Emitter* emitter, const ir::LoopSpec& spec) {
  const auto stays = [&](const ir::Arg& condition) {
    const Val known = OfGraph(emitter, condition);
    return known.is_none() || (!known.is_tensor() && static_cast<bool>(known));
  };
  const Val trip_count = OfGraph(emitter, spec.trip_count);
  if (trip_count.is_none() || !stays(spec.condition) || !stays(spec.next_condition)) return {};
  if (!trip_count.is_tensor()) return {std::max<int64_t>(trip_count.AsInt(), 0)};
  const auto& contents = emitter->value(trip_count.AsTensor().id).contents;
  if (!contents || contents->size() != 1) return {};
  const ir::Range range = RunBounds((*contents)[0], emitter->graph().ranges);
  return range.min && *range.min >= 0 ? (*contents)[0] : ir::Dim();
}

ir::Value Scalar(DType dtype) {
  ir::Value type;
  type.dtype = dtype;
  type.dims = ir::Dims{};
  return type;
}

// Before opset 11 a Loop carries at least one value, so this adds a bool that never changes.
bool CarryNothing(const Emitter& emitter, ir::LoopSpec* spec) {
  const bool bare = spec->carried.empty() && emitter.opset() < kBareLoopOpset;
  if (bare) spec->carried.push_back({{true}, ValueId::kNone, {true}});
  return bare;
}

std::vector<ir::Value> CarriedTypes(const Emitter& emitter, const ir::LoopSpec& spec) {
  std::vector<ir::Value> types;
  for (const ir::LoopSpec::Carried& carried : spec.carried) {
    types.push_back(carried.inside == ValueId::kNone ? Scalar(DType::kBool) : emitter.value(carried.inside));
    types.back().contents.reset();
  }
  return types;
}

// Adds the inputs of the block in ONNX's order. Call it inside the block.
std::vector<ValueId> InputsInside(Emitter* emitter, ir::LoopSpec* spec, const std::vector<ir::Value>& types) {
  if (spec->iteration == ValueId::kNone) spec->iteration = emitter->blocks().AddInput(Scalar(DType::kInt64));
  const ValueId condition = emitter->blocks().AddInput(Scalar(DType::kBool));
  for (size_t i = 0; i < types.size(); ++i) {
    ValueId& inside = spec->carried[i].inside;
    if (inside == ValueId::kNone) inside = emitter->blocks().AddInput(types[i]);
  }
  std::vector<ValueId> inputs = ir::BlockInputs(*spec);
  inputs.insert(inputs.begin() + 1, condition);
  return inputs;
}

// Converts the outputs of the block to the form that ONNX requires. Call it inside the block. `types` are those of the
// carried values; the types of the scans, which stack `iterations` elements, are added.
void ConvertInside(Emitter* emitter, ir::LoopSpec* spec, const ir::Dim& iterations, std::vector<ir::Value>* types) {
  const Val go_on = OfGraph(emitter, spec->next_condition);
  spec->next_condition = {AsSingle(emitter, go_on.is_none() ? Val(true) : go_on, DType::kBool)};
  for (size_t i = 0; i < spec->carried.size(); ++i) {
    ir::Arg& next = spec->carried[i].next;
    next = {AsType(emitter, OfGraph(emitter, next), (*types)[i])};
  }
  for (ir::Arg& scan : spec->scans) {
    const Val value = OfGraph(emitter, scan);
    const ValueId id = value.is_tensor() ? value.AsTensor().id : emitter->Constant(value, DefaultDType(value));
    ir::Value type = emitter->value(id);
    if (type.kind == ValueKind::kSequence) throw Refusal(Code::kLoopDoesNotFit, "a loop cannot stack lists of tensors");
    type.contents.reset();
    if (type.dims) type.dims->insert(type.dims->begin(), iterations);
    types->push_back(std::move(type));
    scan = {id};
  }
}

// Converts the inputs of the loop. Call it before the loop.
void ConvertOutside(Emitter* emitter, ir::LoopSpec* spec, const std::vector<ir::Value>& types) {
  const auto convert = [&](ir::Arg* arg, DType dtype) {
    if (!arg->is_none()) *arg = {AsSingle(emitter, OfGraph(emitter, *arg), dtype)};
  };
  convert(&spec->trip_count, DType::kInt64);
  convert(&spec->condition, DType::kBool);
  for (size_t i = 0; i < types.size(); ++i) {
    ir::Arg& initial = spec->carried[i].initial;
    initial = {AsType(emitter, OfGraph(emitter, initial), types[i])};
  }
}

// Returns the block with outputs, which are cast to these types inside it.
ir::Block WithOutputs(Emitter* emitter, ir::Block block, std::vector<ir::Arg> outputs,
                      const std::vector<ir::Value>& types) {
  emitter->blocks().Append(&block, [&] {
    for (size_t i = 0; i < types.size(); ++i) outputs[i] = {AsType(emitter, OfGraph(emitter, outputs[i]), types[i])};
    outputs = Separate(emitter, std::move(outputs));
  });
  block.outputs = std::move(outputs);
  return block;
}

}  // namespace

std::vector<ValueId> EmitIf(Emitter* emitter, const ir::IfSpec& spec, ir::Block then, ir::Block otherwise) {
  std::vector<ir::Value> types;
  for (const ir::IfSpec::Result& result : spec.results) types.push_back(result.type);
  CheckKinds(*emitter, "If", types);
  // The condition is converted outside, before the blocks end, because it belongs to neither.
  const ValueId test = AsSingle(emitter, OfGraph(emitter, spec.condition), DType::kBool);
  std::vector<ir::Block> blocks;
  blocks.push_back(WithOutputs(emitter, std::move(then), ir::ThenOutputs(spec), types));
  blocks.push_back(WithOutputs(emitter, std::move(otherwise), ir::OtherwiseOutputs(spec), types));
  CheckShapes(*emitter, blocks[0].outputs, blocks[1].outputs);
  return emitter->AddControl("If", {{test}}, std::move(blocks), std::move(types));
}

std::vector<ValueId> EmitLoop(Emitter* emitter, ir::LoopSpec spec, ir::Block body) {
  const bool bare = CarryNothing(*emitter, &spec);
  std::vector<ir::Value> types = CarriedTypes(*emitter, spec);
  CheckKinds(*emitter, "Loop", types);
  const ir::Dim iterations = Iterations(emitter, spec);
  // Inputs are converted before the body is closed, because the types inside are those that were traced.
  ConvertOutside(emitter, &spec, types);
  std::vector<ValueId> inputs;
  std::vector<ir::Arg> outputs;
  emitter->blocks().Append(&body, [&] {
    inputs = InputsInside(emitter, &spec, types);
    ConvertInside(emitter, &spec, iterations, &types);
    outputs = Separate(emitter, ir::BlockOutputs(spec));
  });
  body.inputs = std::move(inputs);
  body.outputs = std::move(outputs);
  std::vector<ir::Block> blocks;
  blocks.push_back(std::move(body));
  std::vector<ValueId> results = emitter->AddControl("Loop", ir::NodeInputs(spec), std::move(blocks), std::move(types));
  // Drops the value that was only carried because an old Loop must carry one.
  if (bare) results.erase(results.begin());
  return results;
}

}  // namespace onnxport::lowering
