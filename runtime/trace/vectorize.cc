// Regions::Vectorizes.
#include <utility>

#include "runtime/trace/regions.h"
#include "runtime/trace/state.h"

namespace onnxport::trace {
namespace {

using ir::Arg;
using ir::Value;

Value ElementOf(Value type) {
  type.dims->erase(type.dims->begin());
  return type;
}

struct Trial {
  Region region;
  std::vector<Arg> results;
  bool clean = false;  // everything could be made, and nothing older was written to
};

Trial Try(State* state, const std::vector<Value>& types, const Regions::Body& body) {
  Trial trial;
  state->regions.Begin();
  std::vector<Arg> inputs;
  for (const Value& type : types) inputs.push_back({state->regions.BlockInput(type)});
  trial.results = body(inputs);
  bool read = true;
  for (Arg& result : trial.results) read = state->ReadArg(&result, "a result") && read;
  trial.region = state->regions.End();
  trial.clean = read && !trial.region.failed && !trial.region.doubts && trial.region.writes.empty();
  return trial;
}

}  // namespace

bool Regions::Vectorizes(const std::vector<Arg>& stacks, const Body& body) {
  std::vector<Value> elements;
  std::vector<Value> types;
  for (const Arg& stack : stacks) {
    if (stack.value() == nullptr || state_.IsFailed(*stack.value())) return false;
    Value type = state_.TypeOfValue(*stack.value());
    if (type.kind != ir::ValueKind::kTensor || !type.dims || type.dims->empty()) return false;
    elements.push_back(ElementOf(type));
    types.push_back(std::move(type));
  }
  const Trial one = Try(&state_, elements, body);
  if (!one.clean) return false;
  const Trial all = Try(&state_, types, body);
  if (!all.clean || one.results.size() != all.results.size()) return false;
  std::vector<std::pair<Arg, Arg>> results;
  for (size_t i = 0; i < one.results.size(); ++i) results.emplace_back(one.results[i], all.results[i]);
  return state_.recorder.lowerer().Vectorizes(one.region.rest->block.onnx, all.region.rest->block.onnx, results);
}

}  // namespace onnxport::trace
