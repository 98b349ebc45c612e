// If and Loop of a program whose calls are traced.
#include <fmt/format.h>

#include <unordered_map>
#include <utility>

#include "runtime/lowering/build/control_flow.h"
#include "runtime/lowering/lowerer.h"
#include "runtime/lowering/lowerer_state.h"
#include "runtime/lowering/results.h"
#include "runtime/lowering/vectorize.h"

namespace onnxport::lowering {

using ir::ValueId;

namespace {

Vals ToVals(const Bindings& bindings, const std::vector<ir::Arg>& args) {
  Vals out;
  for (const ir::Arg& arg : args) out.push_back(bindings.ToVal(arg));
  return out;
}

// The value that a block input of the program became, which is an input of the closed block.
ValueId MadeOf(const Bindings& bindings, ValueId id) { return bindings.ToVal({id}).AsTensor().id; }

}  // namespace

std::optional<std::string> Lowerer::If(const ir::Arg& condition, Side then, Side otherwise,
                                       const std::vector<ir::Value>& types, ValueId first,
                                       std::vector<ir::Value>* results) {
  State& state = *state_;
  const size_t depth = state.emitter.depth();
  try {
    std::vector<ir::Value> made_types;
    for (const ir::Value& type : types) made_types.push_back(State::AsTensorType(type));
    lowering::Side yes{std::move(then.piece), ToVals(state.bindings, then.outputs)};
    lowering::Side no{std::move(otherwise.piece), ToVals(state.bindings, otherwise.outputs)};
    const auto made =
        EmitIf(&state.emitter, state.bindings.ToVal(condition), std::move(yes), std::move(no), made_types);
    *results = types;
    for (size_t i = 0; i < made.size(); ++i) state.BindControlResult(ir::After(first, i), made[i], &(*results)[i]);
    return std::nullopt;
  } catch (const Refusal& refusal) {
    state.emitter.CloseTo(depth);
    return refusal.what();
  }
}

std::optional<std::string> Lowerer::Loop(LoopCall call, const std::vector<ir::Value>& types, ValueId first,
                                         std::vector<ir::Value>* results) {
  State& state = *state_;
  const size_t depth = state.emitter.depth();
  try {
    LoopBody body{std::move(call.body), {}, call.carried.size()};
    // ONNX's order, with what the source does not use.
    state.emitter.ResumeBlock(std::move(body.piece));
    std::vector<ValueId> inputs;
    const auto number_type = [](ir::ValueKind kind) {
      ir::Value type;
      type.kind = kind;
      return State::AsTensorType(std::move(type));
    };
    if (call.iteration != ValueId::kNone) {
      inputs.push_back(MadeOf(state.bindings, call.iteration));
    } else {
      inputs.push_back(state.emitter.AddBlockInput(number_type(ir::ValueKind::kInt)));
    }
    inputs.push_back(state.emitter.AddBlockInput(number_type(ir::ValueKind::kBool)));
    for (const Carried& carried : call.carried) inputs.push_back(MadeOf(state.bindings, carried.inside));
    body.piece = state.emitter.EndBlock();
    body.piece.onnx.inputs = std::move(inputs);

    Vals initial;
    body.outputs.push_back(state.bindings.ToVal(call.next_condition));
    for (const Carried& carried : call.carried) {
      initial.push_back(state.bindings.ToVal(carried.initial));
      body.outputs.push_back(state.bindings.ToVal(carried.next));
    }
    for (const ir::Arg& scan : call.scans) body.outputs.push_back(state.bindings.ToVal(scan));
    const auto made = EmitLoop(&state.emitter, state.bindings.ToVal(call.trip_count),
                               state.bindings.ToVal(call.condition), initial, std::move(body));
    *results = types;
    for (size_t i = types.size(); i < made.size(); ++i) results->push_back(state.emitter.value(made[i]));
    for (size_t i = 0; i < made.size(); ++i) state.BindControlResult(ir::After(first, i), made[i], &(*results)[i]);
    return std::nullopt;
  } catch (const Refusal& refusal) {
    state.emitter.CloseTo(depth);
    return refusal.what();
  }
}

std::optional<std::string> Lowerer::HoldTo(const ir::Value& stated, ValueId id, ir::Value* type) {
  State& state = *state_;
  const ValueId made = MadeOf(state.bindings, id);
  try {
    if (stated.kind == ir::ValueKind::kTensor) {
      Results(&state, {}, nullptr).HoldTo(stated, made);
      type->dims = state.emitter.value(made).dims;
      return std::nullopt;
    }
    ir::Value number;
    number.contents = stated.contents;
    state.emitter.Refine(made, number);
    state.emitter.sizes().Remember(made);
    type->contents = state.emitter.value(made).contents;
    return std::nullopt;
  } catch (const Refusal& refusal) {
    return refusal.what();
  }
}

bool Lowerer::Vectorizes(const Piece& one, const Piece& all,
                         const std::vector<std::pair<ir::Arg, ir::Arg>>& results) const {
  std::vector<std::pair<ValueId, ValueId>> made;
  for (const auto& [of_one, of_all] : results) {
    if (of_one.value() == nullptr || of_all.value() == nullptr) return false;
    made.emplace_back(MadeOf(state_->bindings, *of_one.value()), MadeOf(state_->bindings, *of_all.value()));
  }
  return lowering::Vectorizes(state_->graph, one.onnx, all.onnx, made);
}

// A number that passed through stays one.
void Lowerer::State::BindControlResult(ValueId id, ValueId made, ir::Value* type) {
  type->name.clear();
  type->contents.reset();
  type->strides.reset();
  const bool number = type->kind != ir::ValueKind::kTensor && type->kind != ir::ValueKind::kSequence;
  if (number) emitter.MarkNumber(made);
  if (number) type->dims = ir::Dims{};
  type->dtype = emitter.value(made).dtype;
  bindings.Bind(id, Tensor{&emitter, made});
}

}  // namespace onnxport::lowering
