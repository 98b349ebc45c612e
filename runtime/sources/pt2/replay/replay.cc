#include "runtime/sources/pt2/replay/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "runtime/ir/stated.h"
#include "runtime/sources/pt2/replay/player.h"

namespace onnxport::pt2 {

using ir::Arg;
using ir::ValueId;

void Player::Play() {
  tracer_.AddLocations(std::exchange(program_.locations, {}));
  for (const ir::Port& input : program_.inputs) AddInput(input);
  for (const ir::Weight& weight : program_.weights) AddWeight(weight);
  const Calls calls = queue_.calls();
  for (size_t i = 0; i < calls.size();) {
    const size_t next = PlayFrom(calls, i);
    queue_.Drop(next - i);
    i = next;
  }
  tracer_.SetLocation(ir::LocationId::kNone);
  AddOutputs();
}

void Player::AddOutputs() {
  const size_t own = program_.outputs.size() - state_.writes.size();
  for (size_t i = 0; i < own; ++i) tracer_.AddOutput(program_.outputs[i].name, Present(program_.outputs[i].value));
  std::vector<std::pair<ValueId, Arg>> values;
  for (const Write& write : state_.writes) {
    const ValueId target = *ArgOf(write.target).value();
    const Arg value = Present(program_.outputs[write.output].value);
    values.emplace_back(target, IsLike(value, target) ? value : CallOne("aten::copy", {{target}, value, {false}}));
  }
  tracer_.Become(values);
}

// torch.export copies the new values of a signature into what holds them, which casts and expands.
bool Player::IsLike(const Arg& value, ValueId target) const {
  if (value.value() == nullptr || tracer_.IsFailed(*value.value())) return true;
  const ir::Value& type = tracer_.TypeOf(*value.value());
  const ir::Value& wanted = tracer_.TypeOf(target);
  return type.dtype == wanted.dtype && type.dims == wanted.dims;
}

Arg Player::Present(const Arg& arg) {
  if (const ValueId* id = arg.value()) {
    if (ArgOf(*id).is_none()) ArgOf(*id) = {tracer_.Poison("an argument is used before it is computed")};
    return ArgOf(*id);
  }
  return arg.list() == nullptr ? arg : Arg{Present(*arg.list())};
}

Player::Args Player::Present(const Args& args) {
  Args present;
  present.reserve(args.size());
  for (const Arg& arg : args) present.push_back(Present(arg));
  return present;
}

void Player::AddInput(const ir::Port& input) {
  const ValueId id = *input.value.value();
  ArgOf(id) = {tracer_.AddInput(input.name, queue_.value(id))};
}

void Player::AddWeight(const ir::Weight& weight) {
  const ValueId id =
      tracer_.AddWeight(weight.name, weight.data, {.made_anew = weight.constant && state_.constants_made_anew});
  const auto& strides = queue_.value(weight.value).strides;
  if (strides) tracer_.StateStrides(id, *strides);
  ArgOf(weight.value) = {id};
}

void Player::MakeCall(const ir::Node& call) {
  if (unused_.contains(&call)) return;
  tracer_.SetLocation(call.location);
  if (call.op.text().starts_with("higher_order::")) return BindAll(call, PlayHigherOrder(call));
  ir::StatedTypes stated;
  stated.reserve(call.outputs.size());
  for (const ValueId id : call.outputs) stated.push_back(id == ValueId::kNone ? nullptr : &queue_.value(id));
  Args args = Present(call.inputs);
  if (autocast_) args = Autocast(call, std::move(args));
  BindAll(call, Flat(tracer_.Call(call.op, std::move(args), at_once_ ? nullptr : &stated, &call.attributes)));
}

Player::Args Player::Flat(Args results) {
  const auto is_list = [](const Arg& result) { return result.list() != nullptr; };
  if (std::ranges::none_of(results, is_list)) return results;
  Args flat;
  for (const Arg& result : results) {
    const Args inner = is_list(result) ? Flat(*result.list()) : Args{result};
    flat.insert(flat.end(), inner.begin(), inner.end());
  }
  return flat;
}

void Player::BindAll(const ir::Node& call, const Args& results) {
  for (size_t i = 0; i < call.outputs.size(); ++i) {
    if (call.outputs[i] != ValueId::kNone) Bind(call, call.outputs[i], i < results.size() ? results[i] : Arg());
  }
}

void Player::Bind(const ir::Node& call, ValueId id, Arg result) {
  const ir::Value& stated = queue_.value(id);
  if (result.is_none()) {
    result = {tracer_.Poison(fmt::format("result `{}` of {} is not exported", stated.name, call.op))};
  } else if (result.value() != nullptr && stated.strides && !at_once_) {
    tracer_.StateStrides(*result.value(), *stated.strides);
  }
  if (observer_ && result.value() != nullptr && !tracer_.IsFailed(*result.value())) {
    observer_(call, id, tracer_.TypeOf(*result.value()));
  }
  ArgOf(id) = std::move(result);
}

std::unique_ptr<trace::Tracer> Replay(ir::Graph program, int opset, const lowering::Options& options,
                                      const Observer& observer, lowering::FreeSizes free_sizes,
                                      const StateOptions& state) {
  auto tracer = std::make_unique<trace::Tracer>(opset, free_sizes, program.ranges, options, state.state);
  Player(std::move(program), tracer.get(), observer, state).Play();
  return tracer;
}

}  // namespace onnxport::pt2
