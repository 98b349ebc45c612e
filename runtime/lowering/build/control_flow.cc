#include "runtime/lowering/build/control_flow.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "runtime/lowering/build/constants.h"
#include "runtime/lowering/build/emitter.h"
#include "runtime/lowering/build/tensor.h"

namespace onnxport::lowering {
namespace {

using ir::DType;
using ir::ValueId;
using ir::ValueKind;

constexpr int kFreeBranchesOpset = 11;          // the shapes of an If's branches may differ
constexpr int kControlSequencesOpset = 13;      // If and Loop pass sequences on
constexpr int kSequenceIdentityOpset = 14;      // so does Identity
constexpr int kBareLoopOpset = 11;              // a Loop may carry nothing
constexpr size_t kLoopInputsBeforeCarried = 2;  // iteration, condition

std::string TypeText(const ir::Value& type) {
  std::string text = std::string(ir::Name(type.dtype)) + "[";
  if (!type.dims) text += '*';
  for (size_t i = 0; type.dims && i < type.dims->size(); ++i) {
    if (i > 0) text += ", ";
    text += (*type.dims)[i].ToString();
  }
  return (type.kind == ValueKind::kSequence ? "a list of " : "") + text + "]";
}

// A new value with the same contents.
ValueId CopyOf(Emitter* emitter, ValueId id) {
  const ir::Value& value = emitter->value(id);
  if (value.kind != ValueKind::kSequence || emitter->opset() >= kSequenceIdentityOpset) {
    const ValueId copy = emitter->Add("Identity", {{id}});
    if (emitter->IsNumber(id)) emitter->MarkNumber(copy);
    return copy;
  }
  const ValueId longer = emitter->Add("SequenceInsert", {{id}, {emitter->Constant(0, value.dtype)}});
  return emitter->Add("SequenceErase", {{longer}});
}

// Outputs of a block must be made by a node of that block, each by its own.
std::vector<ir::Arg> Separate(Emitter* emitter, const std::vector<ValueId>& ids) {
  std::vector<ir::Arg> outputs;
  std::unordered_set<ValueId> taken;
  for (ValueId id : ids) {
    const bool own = emitter->BlockOf(id) == emitter->block() && !emitter->IsBlockInput(id);
    if (!own || !taken.insert(id).second) id = CopyOf(emitter, id);
    outputs.push_back({id});
  }
  return outputs;
}

void CheckKinds(const Emitter& emitter, std::string_view op, const std::vector<ir::Value>& types) {
  const bool sequences = std::ranges::any_of(types, [](const auto& t) { return t.kind == ValueKind::kSequence; });
  if (sequences && emitter.opset() < kControlSequencesOpset) {
    throw Refusal(fmt::format("opset {} has no {} with lists of tensors of unknown length; opset {} has",
                              emitter.opset(), op, kControlSequencesOpset));
  }
}

// Before opset 11 both branches of an If must give the same shapes.
void CheckShapes(const Emitter& emitter, const std::vector<ir::Arg>& a, const std::vector<ir::Arg>& b) {
  if (emitter.opset() >= kFreeBranchesOpset) return;
  for (size_t i = 0; i < a.size(); ++i) {
    const ir::Value& left = emitter.value(*a[i].value());
    const ir::Value& right = emitter.value(*b[i].value());
    if (left.dims && right.dims && *left.dims == *right.dims) continue;
    throw Refusal(fmt::format("the branches of an If give {} and {}; opset {} needs equal shapes, opset {} does not",
                              TypeText(left), TypeText(right), emitter.opset(), kFreeBranchesOpset));
  }
}

// How often a loop runs, where nothing but its count ends it.
ir::Dim Iterations(const Emitter& emitter, const Val& trip_count, const Val& condition, const Val& go_on) {
  const auto stays = [](const Val& v) { return v.is_none() || (!v.is_tensor() && static_cast<bool>(v)); };
  if (trip_count.is_none() || !stays(condition) || !stays(go_on)) return {};
  if (!trip_count.is_tensor()) return {std::max<int64_t>(trip_count.AsInt(), 0)};
  const auto& contents = emitter.value(trip_count.AsTensor().id).contents;
  if (!contents || contents->size() != 1) return {};
  const ir::Range range = RunBounds((*contents)[0], emitter.graph().ranges);
  return range.min && *range.min >= 0 ? (*contents)[0] : ir::Dim();
}

// Below opset 11 a Loop carries at least one value: a bool that stays as it is.
void CarryNothing(Emitter* emitter, LoopBody* body, Vals* initial) {
  emitter->ResumeBlock(std::move(body->piece));
  ir::Value type;
  type.dtype = DType::kBool;
  type.dims = ir::Dims{};
  emitter->AddBlockInput(std::move(type));
  body->piece = emitter->EndBlock();
  body->outputs.insert(body->outputs.begin() + 1, Val(true));
  body->carried = 1;
  initial->push_back(Val(true));
}

Piece Finish(Emitter* emitter, Side side, const std::vector<ir::Value>& types) {
  emitter->ResumeBlock(std::move(side.piece));
  std::vector<ValueId> ids;
  for (size_t i = 0; i < types.size(); ++i) ids.push_back(AsType(emitter, side.outputs[i], types[i]));
  std::vector<ir::Arg> outputs = Separate(emitter, ids);
  Piece piece = emitter->EndBlock();
  piece.onnx.outputs = std::move(outputs);
  return piece;
}

}  // namespace

ValueId AsSingle(Emitter* emitter, const Val& value, DType dtype) {
  if (!value.is_tensor()) {
    if (dtype == DType::kBool) return emitter->Constant(static_cast<bool>(value), dtype);
    return emitter->Constant(value.AsInt(), dtype);
  }
  const ValueId id = emitter->Cast(value.AsTensor().id, dtype);
  const auto& dims = emitter->value(id).dims;
  if (dims && dims->empty()) return id;
  const bool single =
      !dims || std::ranges::all_of(*dims, [](const ir::Dim& d) { return !d.is_number() || d == ir::Dim(1); });
  if (!single) throw Refusal(fmt::format("{} is no single value", TypeText(emitter->value(id))));
  return emitter->Add("Reshape", {{id}, {emitter->Constant(Val(Vals{}), DType::kInt64)}});
}

ValueId AsType(Emitter* emitter, const Val& value, const ir::Value& type) {
  if (value.is_number()) return emitter->Constant(value, type.dtype);
  if (value.is_list() && type.kind == ValueKind::kSequence) {
    if (value.AsList().empty()) {
      return emitter->Add("SequenceEmpty", {}, {{"dtype", {static_cast<int64_t>(type.dtype)}}});
    }
    std::vector<ir::Arg> elements;
    for (const Val& element : value.AsList()) {
      ir::Value element_type = type;
      element_type.kind = ValueKind::kTensor;
      elements.push_back({AsType(emitter, element, element_type)});
    }
    return emitter->Add("SequenceConstruct", std::move(elements));
  }
  const ValueId id = value.AsTensor().id;
  const ir::Value& seen = emitter->value(id);
  const bool sequence = type.kind == ValueKind::kSequence;
  if ((seen.kind == ValueKind::kSequence) != sequence || (sequence && seen.dtype != type.dtype) ||
      (seen.dims && type.dims && seen.dims->size() != type.dims->size())) {
    throw Refusal(
        fmt::format("{} where {} is needed on every way through a branch or loop", TypeText(seen), TypeText(type)));
  }
  return sequence ? id : emitter->Cast(id, type.dtype);
}

std::vector<ValueId> EmitIf(Emitter* emitter, const Val& condition, Side then, Side otherwise,
                            std::vector<ir::Value> types) {
  CheckKinds(*emitter, "If", types);
  const ValueId test = AsSingle(emitter, condition, DType::kBool);
  std::vector<ir::Block> blocks;
  blocks.push_back(Finish(emitter, std::move(then), types).onnx);
  blocks.push_back(Finish(emitter, std::move(otherwise), types).onnx);
  CheckShapes(*emitter, blocks[0].outputs, blocks[1].outputs);
  return emitter->AddControl("If", {{test}}, std::move(blocks), std::move(types));
}

std::vector<ValueId> EmitLoop(Emitter* emitter, const Val& trip_count, const Val& condition, const Vals& values,
                              LoopBody body) {
  Vals initial = values;
  const bool bare = body.carried == 0 && emitter->opset() < kBareLoopOpset;
  if (bare) CarryNothing(emitter, &body, &initial);
  std::vector<ir::Value> types;
  for (size_t i = 0; i < body.carried; ++i) {
    types.push_back(emitter->value(body.piece.onnx.inputs[i + kLoopInputsBeforeCarried]));
    types.back().contents.reset();
  }
  CheckKinds(*emitter, "Loop", types);
  std::vector<ir::Arg> inputs(2);
  if (!trip_count.is_none()) inputs[0] = {AsSingle(emitter, trip_count, DType::kInt64)};
  if (!condition.is_none()) inputs[1] = {AsSingle(emitter, condition, DType::kBool)};
  for (size_t i = 0; i < body.carried; ++i) inputs.push_back({AsType(emitter, initial[i], types[i])});

  emitter->ResumeBlock(std::move(body.piece));
  const Val& go_on = body.outputs[0];
  std::vector<ValueId> ids{AsSingle(emitter, go_on.is_none() ? Val(true) : go_on, DType::kBool)};
  for (size_t i = 0; i < body.carried; ++i) ids.push_back(AsType(emitter, body.outputs[i + 1], types[i]));
  for (size_t i = body.carried + 1; i < body.outputs.size(); ++i) {
    const Val& scan = body.outputs[i];
    ids.push_back(scan.is_tensor() ? scan.AsTensor().id : emitter->Constant(scan, DefaultDType(scan)));
    ir::Value type = emitter->value(ids.back());
    if (type.kind == ValueKind::kSequence) throw Refusal("a loop cannot stack lists of tensors");
    type.contents.reset();
    if (type.dims) type.dims->insert(type.dims->begin(), Iterations(*emitter, trip_count, condition, go_on));
    types.push_back(std::move(type));
  }
  std::vector<ir::Arg> outputs = Separate(emitter, ids);
  Piece piece = emitter->EndBlock();
  piece.onnx.outputs = std::move(outputs);
  std::vector<ir::Block> blocks;
  blocks.push_back(std::move(piece.onnx));
  std::vector<ValueId> results = emitter->AddControl("Loop", std::move(inputs), std::move(blocks), std::move(types));
  if (bare) results.erase(results.begin());
  return results;
}

}  // namespace onnxport::lowering
