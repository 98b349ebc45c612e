// Lowers If and Loop of a traced program.
#include <utility>

#include "runtime/lowering/build/args.h"
#include "runtime/lowering/build/control_flow.h"
#include "runtime/lowering/lowerer.h"
#include "runtime/lowering/lowerer_state.h"
#include "runtime/lowering/results.h"
#include "runtime/lowering/vectorize.h"

namespace onnxport::lowering {

using ir::ValueId;

std::optional<Reason> Lowerer::If(const ir::IfSpec& spec, ir::LocationId location, ir::Block then, ir::Block otherwise,
                                  ValueId first, std::vector<ir::Value>* results) {
  State& state = *state_;
  state.emitter.set_location(location);
  std::vector<ValueId> made;
  try {
    ir::IfSpec lowered = ir::Translate(spec, state.ToOnnx());
    for (ir::IfSpec::Result& result : lowered.results) result.type = State::AsTensorType(result.type);
    made = EmitIf(&state.emitter, lowered, std::move(then), std::move(otherwise));
  } catch (const Refusal& refusal) {
    return refusal.reason();
  }
  results->clear();
  for (const ir::IfSpec::Result& result : spec.results) results->push_back(result.type);
  for (size_t i = 0; i < made.size(); ++i) state.BindControlResult(ir::After(first, i), made[i], &(*results)[i]);
  return std::nullopt;
}

std::optional<Reason> Lowerer::Loop(const ir::LoopSpec& spec, ir::LocationId location, ir::Block body,
                                    const std::vector<ir::Value>& types, ValueId first,
                                    std::vector<ir::Value>* results) {
  State& state = *state_;
  state.emitter.set_location(location);
  std::vector<ValueId> made;
  try {
    made = EmitLoop(&state.emitter, ir::Translate(spec, state.ToOnnx()), std::move(body));
  } catch (const Refusal& refusal) {
    return refusal.reason();
  }
  *results = types;
  for (size_t i = types.size(); i < made.size(); ++i) results->push_back(state.emitter.value(made[i]));
  for (size_t i = 0; i < made.size(); ++i) state.BindControlResult(ir::After(first, i), made[i], &(*results)[i]);
  return std::nullopt;
}

std::optional<Reason> Lowerer::HoldTo(const ir::Value& stated, ValueId id, ir::Value* type) {
  State& state = *state_;
  const ValueId made = state.MadeOf(id);
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
    return refusal.reason();
  }
}

bool Lowerer::Vectorizes(const ir::Block& one, const ir::Block& all,
                         const std::vector<std::pair<ir::Arg, ir::Arg>>& results) const {
  std::vector<std::pair<ValueId, ValueId>> made;
  for (const auto& [of_one, of_all] : results) {
    if (of_one.value() == nullptr || of_all.value() == nullptr) return false;
    made.emplace_back(state_->MadeOf(*of_one.value()), state_->MadeOf(*of_all.value()));
  }
  return lowering::Vectorizes(state_->graph, one, all, made);
}

ir::Translation Lowerer::State::ToOnnx() const {
  return [this](const ir::Arg& arg) { return ToArg(bindings.ToVal(arg)); };
}

// A number that passed through stays a number.
void Lowerer::State::BindControlResult(ValueId id, ValueId made, ir::Value* type) {
  type->name.clear();
  type->contents.reset();
  type->strides.reset();
  const bool number = !ir::HoldsTensors(type->kind);
  if (number) emitter.facts().MarkNumber(made);
  if (number) type->dims = ir::Dims{};
  type->dtype = emitter.value(made).dtype;
  bindings.Bind(id, Tensor{&emitter, made});
}

}  // namespace onnxport::lowering
