#include "runtime/sources/pt2/replay/replay.h"

#include <unordered_set>
#include <utility>
#include <vector>

#include "runtime/ir/stated.h"
#include "runtime/sources/pt2/replay/autocast.h"
#include "runtime/sources/pt2/replay/call_queue.h"
#include "runtime/sources/pt2/replay/higher_order.h"
#include "runtime/sources/pt2/replay/loops.h"
#include "runtime/sources/pt2/replay/operands.h"
#include "runtime/sources/pt2/replay/program_values.h"
#include "runtime/sources/pt2/replay/tensor_calls.h"
#include "runtime/sources/pt2/replay/unused.h"
#include "runtime/sources/pt2/replay/vmap.h"

namespace onnxport::pt2 {
namespace {

using ir::Arg;
using ir::ValueId;

// Makes the calls of a program on a tracer, from its inputs to its outputs.
class Pt2Replayer {
 public:
  Pt2Replayer(ir::Graph program, trace::Tracer* tracer, const Observer& observer, const StateOptions& state)
      : program_(std::move(program)),
        queue_(&program_),
        tracer_(*tracer),
        state_(state),
        values_(&queue_, tracer, &observer),
        loops_(tracer, &values_),
        higher_order_(tracer, &values_, &loops_, [this](const Calls& calls) { MakeCalls(calls); }),
        vmap_(tracer, &values_, &loops_, [this](const Calls& calls) { MakeCalls(calls); }),
        unused_(UnusedCalls(queue_.calls(), program_.outputs, queue_.values())) {}

  void Run();

 private:
  void AddInput(const ir::Port& input);
  void AddWeight(const ir::Weight& weight);
  void AddOutputs();
  bool IsLike(const Arg& value, ValueId target) const;
  void MakeCalls(const Calls& calls);
  // Makes the call at `first`, or those of the vmap that begins there. Returns the index of the next one.
  size_t MakeFrom(const Calls& calls, size_t first);
  void MakeCall(const ir::Node& call);

  ir::Graph program_;  // without the parts in `queue_`
  CallQueue queue_;
  trace::Tracer& tracer_;
  const StateOptions& state_;
  ProgramValues values_;
  Loops loops_;
  HigherOrder higher_order_;
  Vmap vmap_;
  std::unordered_set<const ir::Node*> unused_;
};

void Pt2Replayer::Run() {
  tracer_.places().SetAll(std::exchange(program_.locations, {}));
  for (const ir::Port& input : program_.inputs) AddInput(input);
  for (const ir::Weight& weight : program_.weights) AddWeight(weight);
  const Calls calls = queue_.calls();
  for (size_t i = 0; i < calls.size();) {
    const size_t next = MakeFrom(calls, i);
    queue_.Drop(next - i);
    i = next;
  }
  tracer_.places().Set(ir::LocationId::kNone);
  AddOutputs();
}

void Pt2Replayer::AddOutputs() {
  const size_t own = program_.outputs.size() - state_.writes.size();
  for (size_t i = 0; i < own; ++i)
    tracer_.AddOutput(program_.outputs[i].name, values_.Present(program_.outputs[i].value));
  std::vector<std::pair<ValueId, Arg>> values;
  for (const Write& write : state_.writes) {
    const ValueId target = *values_.Of(write.target).value();
    const Arg value = values_.Present(program_.outputs[write.output].value);
    values.emplace_back(target,
                        IsLike(value, target) ? value : CallOne(&tracer_, "aten::copy", {{target}, value, {false}}));
  }
  tracer_.kept_state().Become(values);
}

// torch.export copies the new values into their targets, which casts and expands them.
bool Pt2Replayer::IsLike(const Arg& value, ValueId target) const {
  if (value.value() == nullptr || tracer_.IsFailed(*value.value())) return true;
  const ir::Value& type = tracer_.TypeOf(*value.value());
  const ir::Value& wanted = tracer_.TypeOf(target);
  return type.dtype == wanted.dtype && type.dims == wanted.dims;
}

void Pt2Replayer::AddInput(const ir::Port& input) {
  const ValueId id = *input.value.value();
  values_.Set(id, {tracer_.AddInput(input.name, values_.stated(id))});
}

void Pt2Replayer::AddWeight(const ir::Weight& weight) {
  const ValueId id =
      tracer_.AddWeight(weight.name, weight.data, {.made_anew = weight.constant && state_.constants_made_anew});
  const auto& strides = values_.stated(weight.value).strides;
  if (strides) tracer_.StateStrides(id, *strides);
  values_.Set(weight.value, {id});
}

void Pt2Replayer::MakeCalls(const Calls& calls) {
  for (size_t i = 0; i < calls.size();) i = MakeFrom(calls, i);
}

size_t Pt2Replayer::MakeFrom(const Calls& calls, size_t first) {
  const size_t end = EndOf(calls, first);
  if (BeginsVmap(*calls[first])) {
    vmap_.Make({calls.begin() + static_cast<std::ptrdiff_t>(first), calls.begin() + static_cast<std::ptrdiff_t>(end)});
  } else if (!IsEmptyMark(*calls[first])) {
    MakeCall(*calls[first]);
  }
  return end;
}

void Pt2Replayer::MakeCall(const ir::Node& call) {
  if (unused_.contains(&call)) return;
  tracer_.places().Set(call.location);
  if (call.op.text().starts_with("higher_order::")) return values_.Bind(call, higher_order_.Make(call));
  const ir::StatedTypes stated = values_.StatedResults(call);
  std::vector<Arg> args = values_.Present(call.inputs);
  if (higher_order_.autocast()) args = Autocast(&tracer_, call, std::move(args), stated);
  const ir::StatedTypes* held = values_.at_once() ? nullptr : &stated;
  values_.Bind(call, Flat(tracer_.Call(call.op, std::move(args), held, &call.attributes)));
}

}  // namespace

std::unique_ptr<trace::Tracer> Replay(ir::Graph program, int opset, const lowering::Options& options,
                                      const Observer& observer, lowering::FreeSizes free_sizes,
                                      const StateOptions& state) {
  auto tracer = std::make_unique<trace::Tracer>(opset, free_sizes, program.ranges, options, state.state);
  Pt2Replayer(std::move(program), tracer.get(), observer, state).Run();
  return tracer;
}

}  // namespace onnxport::pt2
