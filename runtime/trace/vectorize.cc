// Regions::Vectorizes.
#include <utility>

#include "runtime/trace/open_regions.h"
#include "runtime/trace/reader.h"
#include "runtime/trace/record/recorder.h"
#include "runtime/trace/regions.h"
#include "runtime/trace/values.h"

namespace onnxport::trace {
namespace {

using ir::Arg;
using ir::Value;

Value ElementOf(Value type) {
  type.dims->erase(type.dims->begin());
  return type;
}

}  // namespace

struct Regions::Trial {
  Region region;
  std::vector<Arg> results;
  bool clean = false;  // everything could be made, and nothing older was written to
};

Regions::Trial Regions::Try(const std::vector<Value>& types, const Body& body) {
  Trial trial;
  Begin();
  std::vector<Arg> inputs;
  for (const Value& type : types) inputs.push_back({BlockInput(type)});
  trial.results = body(inputs);
  bool read = true;
  for (Arg& result : trial.results) read = reader_.Read(&result, "a result") && read;
  trial.region = End();
  trial.clean = read && !trial.region.failed && !trial.region.doubts && trial.region.writes.empty();
  return trial;
}

bool Regions::Vectorizes(const std::vector<Arg>& stacks, const Body& body) {
  std::vector<Value> elements;
  std::vector<Value> types;
  for (const Arg& stack : stacks) {
    if (stack.value() == nullptr || values_.IsFailed(*stack.value())) return false;
    Value type = values_.TypeOfValue(*stack.value());
    if (type.kind != ir::ValueKind::kTensor || !type.dims || type.dims->empty()) return false;
    elements.push_back(ElementOf(type));
    types.push_back(std::move(type));
  }
  const Trial one = Try(elements, body);
  if (!one.clean) return false;
  const Trial all = Try(types, body);
  if (!all.clean || one.results.size() != all.results.size()) return false;
  std::vector<std::pair<Arg, Arg>> results;
  for (size_t i = 0; i < one.results.size(); ++i) results.emplace_back(one.results[i], all.results[i]);
  return recorder_.lowerer().Vectorizes(one.region.rest->block.onnx, all.region.rest->block.onnx, results);
}

}  // namespace onnxport::trace
