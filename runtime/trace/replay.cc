#include "runtime/trace/replay.h"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "runtime/ir/stated.h"

namespace onnxport::trace {
namespace {

using ir::Arg;
using ir::ValueId;

class Player {
 public:
  Player(const ir::Graph& program, Tracer* tracer)
      : program_(program), tracer_(*tracer), args_(program.values.size()) {}

  void Play() {
    tracer_.AddLocations(program_.locations);
    for (const ir::Port& input : program_.inputs) AddInput(input);
    for (const ir::Weight& weight : program_.weights) AddWeight(weight);
    for (const ir::Node& call : program_.body.nodes) MakeCall(call);
    tracer_.SetLocation(ir::LocationId::kNone);
    for (const ir::Port& output : program_.outputs) tracer_.AddOutput(output.name, Present(output.value));
  }

 private:
  Arg& ArgOf(ValueId id) { return args_[static_cast<size_t>(id)]; }

  // Values of the program become those of the tracer.
  Arg Present(const Arg& arg) {
    if (const ValueId* id = arg.value()) {
      if (ArgOf(*id).is_none()) ArgOf(*id) = {tracer_.Poison("an argument is used before it is computed")};
      return ArgOf(*id);
    }
    if (arg.list() == nullptr) return arg;
    ir::ArgList list;
    for (const Arg& element : *arg.list()) list.push_back(Present(element));
    return {std::move(list)};
  }

  void AddInput(const ir::Port& input) {
    const ValueId id = *input.value.value();
    ArgOf(id) = {tracer_.AddInput(input.name, program_.value(id))};
  }

  void AddWeight(const ir::Weight& weight) {
    const ValueId id = tracer_.AddWeight(weight.name, weight.data);
    const auto& strides = program_.value(weight.value).strides;
    if (strides) tracer_.StateStrides(id, *strides);
    ArgOf(weight.value) = {id};
  }

  void MakeCall(const ir::Node& call) {
    tracer_.SetLocation(call.location);
    std::vector<Arg> args;
    args.reserve(call.inputs.size());
    for (const Arg& input : call.inputs) args.push_back(Present(input));
    ir::StatedTypes stated;
    stated.reserve(call.outputs.size());
    for (const ValueId id : call.outputs) stated.push_back(id == ValueId::kNone ? nullptr : &program_.value(id));
    std::vector<Arg> results;
    Flatten(tracer_.Call(call.op, std::move(args), &stated), &results);
    for (size_t i = 0; i < call.outputs.size(); ++i) {
      if (call.outputs[i] != ValueId::kNone) Bind(call, call.outputs[i], i < results.size() ? results[i] : Arg());
    }
  }

  static void Flatten(const std::vector<Arg>& results, std::vector<Arg>* flat) {
    for (const Arg& result : results) {
      if (result.list() != nullptr) {
        Flatten(*result.list(), flat);
      } else {
        flat->push_back(result);
      }
    }
  }

  void Bind(const ir::Node& call, ValueId id, Arg result) {
    const ir::Value& stated = program_.value(id);
    if (result.is_none()) {
      result = {tracer_.Poison(fmt::format("result `{}` of {} is not exported", stated.name, call.op))};
    } else if (result.value() != nullptr && stated.strides) {
      tracer_.StateStrides(*result.value(), *stated.strides);
    }
    ArgOf(id) = std::move(result);
  }

  const ir::Graph& program_;
  Tracer& tracer_;
  std::vector<Arg> args_;  // what the values of the program became
};

}  // namespace

std::unique_ptr<Tracer> Replay(const ir::Graph& program, int opset) {
  auto tracer = std::make_unique<Tracer>(opset, lowering::FreeSizes::kAsExported, program.ranges);
  Player(program, tracer.get()).Play();
  return tracer;
}

}  // namespace onnxport::trace
