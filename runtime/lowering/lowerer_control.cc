// If and Loop of a program whose calls are traced.
#include <utility>

#include "runtime/lowering/build/args.h"
#include "runtime/lowering/build/control_flow.h"
#include "runtime/lowering/lowerer.h"
#include "runtime/lowering/lowerer_state.h"
#include "runtime/lowering/results.h"
#include "runtime/lowering/vectorize.h"

namespace onnxport::lowering {

using ir::ValueId;

namespace {

// The ONNX value that a value of the source became.
ValueId Made(const Bindings& bindings, ValueId source) { return bindings.ToVal({source}).AsTensor().id; }

}  // namespace

std::optional<std::string> Lowerer::If(const ir::IfSpec& spec, ir::Block then, ir::Block otherwise,
                                       std::vector<ValueId>* made) {
  State& state = *state_;
  try {
    ir::IfSpec lowered = ir::Translate(spec, state.ToOnnx());
    for (ir::IfSpec::Result& result : lowered.results) result.type = State::AsTensorType(result.type);
    *made = EmitIf(&state.emitter, lowered, std::move(then), std::move(otherwise));
  } catch (const Refusal& refusal) {
    return refusal.what();
  }
  for (size_t i = 0; i < made->size(); ++i) (*made)[i] = state.AddControlResult(spec.results[i].type, (*made)[i]);
  return std::nullopt;
}

std::optional<std::string> Lowerer::Loop(const ir::LoopSpec& spec, ir::Block body, std::vector<ValueId>* made) {
  State& state = *state_;
  try {
    *made = EmitLoop(&state.emitter, ir::Translate(spec, state.ToOnnx()), std::move(body));
  } catch (const Refusal& refusal) {
    return refusal.what();
  }
  for (size_t i = 0; i < made->size(); ++i) {
    const bool carried = i < spec.carried.size();
    ir::Value type = carried ? state.source.value(spec.carried[i].inside) : state.emitter.value((*made)[i]);
    (*made)[i] = state.AddControlResult(std::move(type), (*made)[i]);
  }
  return std::nullopt;
}

std::optional<std::string> Lowerer::HoldTo(const ir::Value& stated, ValueId value) {
  State& state = *state_;
  const ValueId made = Made(state.bindings, value);
  try {
    ir::Node call;
    if (stated.kind == ir::ValueKind::kTensor) {
      Results(&state, &call, nullptr).HoldTo(stated, made);
      state.source.value(value).dims = state.emitter.value(made).dims;
      return std::nullopt;
    }
    ir::Value number;
    number.contents = stated.contents;
    state.emitter.Refine(made, number);
    state.emitter.sizes().Remember(made);
    state.source.value(value).contents = state.emitter.value(made).contents;
    return std::nullopt;
  } catch (const Refusal& refusal) {
    return refusal.what();
  }
}

bool Lowerer::Vectorizes(const ir::Block& one, const ir::Block& all,
                         const std::vector<std::pair<ir::Arg, ir::Arg>>& results) const {
  std::vector<std::pair<ValueId, ValueId>> made;
  for (const auto& [of_one, of_all] : results) {
    if (of_one.value() == nullptr || of_all.value() == nullptr) return false;
    made.emplace_back(Made(state_->bindings, *of_one.value()), Made(state_->bindings, *of_all.value()));
  }
  return lowering::Vectorizes(state_->graph, one, all, made);
}

ir::Translation Lowerer::State::ToOnnx() const {
  return [this](const ir::Arg& arg) { return ToArg(bindings.ToVal(arg)); };
}

// A number that passed through stays one.
ValueId Lowerer::State::AddControlResult(ir::Value type, ValueId made) {
  type.contents.reset();
  const bool number = type.kind != ir::ValueKind::kTensor && type.kind != ir::ValueKind::kSequence;
  if (number) emitter.MarkNumber(made);
  if (number) type.dims = ir::Dims{};
  type.dtype = emitter.value(made).dtype;
  return AddSource(std::move(type), made, "");
}

}  // namespace onnxport::lowering
