#include "runtime/trace/record/recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "runtime/aten/aten_schema.h"
#include "runtime/base/error.h"
#include "runtime/base/interruption.h"
#include "runtime/ir/location.h"

namespace onnxport::record {

using ir::Arg;
using ir::ValueId;

namespace {

constexpr size_t kMaxCalls = 2'000'000;

}  // namespace

Recorder::Recorder(int opset, lowering::FreeSizes free_sizes, ir::Ranges ranges, lowering::Options options)
    : lowerer_(opset, free_sizes, ranges, std::move(options)) {
  graph_.ranges = std::move(ranges);
}

ValueId Recorder::AddValue(ir::Value type) {
  if (type.name.empty()) type.name = "%" + std::to_string(graph_.values.size());
  return graph_.AddValue(std::move(type));
}

std::vector<ValueId> Recorder::AddValues(std::vector<ir::Value> types) {
  std::vector<ValueId> ids;
  ids.reserve(types.size());
  for (ir::Value& type : types) ids.push_back(AddValue(std::move(type)));
  return ids;
}

// ---- the ends of the graph

ValueId Recorder::AddInput(const std::string& name, ir::Value type) {
  type.name = names_.Take(name);
  for (const ir::Dim& dim : type.dims.value_or(ir::Dims())) {
    for (const std::string& symbol : dim.symbols()) graph_.ranges.try_emplace(symbol, ir::Range{1, std::nullopt});
  }
  const ValueId id = graph_.AddValue(std::move(type));
  graph_.inputs.push_back({name, {id}});
  graph_.body.inputs.push_back(id);
  lowerer_.AddInput(name, id, graph_.value(id), graph_.ranges);
  return id;
}

ValueId Recorder::AddWeight(const std::string& name, std::shared_ptr<const ir::TensorData> data) {
  ir::Value type;
  type.name = names_.Take(name);
  type.dtype = data->dtype;
  type.dims = ir::Dims(data->shape.begin(), data->shape.end());
  const ValueId id = graph_.AddValue(std::move(type));
  graph_.weights.push_back({id, name, std::move(data)});
  lowerer_.AddWeight(graph_.weights.back(), graph_.value(id));
  return id;
}

void Recorder::AddOutput(const std::string& name, Arg value) {
  if (const auto reason = lowerer_.AddOutput({name, value})) return findings_.Report("", *reason);
  graph_.outputs.push_back({name, value});
  graph_.body.outputs.push_back(std::move(value));
}

ir::Graph Recorder::TakeOnnx() {
  ir::Graph onnx = lowerer_.TakeGraph();
  onnx.locations = graph_.locations;
  return onnx;
}

// ---- calls

void Recorder::CountCall() {
  Interruption::Check();
  if (calls_ == kMaxCalls) {
    throw Error(Code::kTooManySteps,
                "writes through views would need more than " + std::to_string(kMaxCalls) + " calls");
  }
  ++calls_;
}

bool Recorder::AnyFailed(const std::vector<Arg>& args) const {
  return std::any_of(args.begin(), args.end(), [&](const Arg& arg) {
    if (arg.value() != nullptr) return IsFailed(*arg.value());
    return arg.list() != nullptr && AnyFailed(*arg.list());
  });
}

std::vector<Arg> Recorder::Append(ir::Node* node, const ir::StatedTypes* stated) {
  CountCall();
  if (AnyFailed(node->inputs)) return Fail(node, stated);
  lowering::Lowerer::Made made;
  if (const auto reason = lowerer_.Call(*node, stated, graph_.next_value(), &made)) {
    findings_.Report(node->op, *reason);
    return Fail(node, stated);
  }
  RemarkOn(*node, made);
  node->outputs = AddValues(std::move(made.values));
  Keep({.op = node->op,
        .inputs = std::move(node->inputs),
        .attributes = std::move(node->attributes),
        .outputs = node->outputs,
        .blocks = {},
        .location = node->location,
        .name = {}});
  return std::move(made.results);
}

std::vector<Arg> Recorder::Fail(ir::Node* node, const ir::StatedTypes* stated) {
  const ir::AtenSchema* schema = ir::FindAtenSchema(node->op);
  // A call that writes in place is exported by its functional form.
  if (schema != nullptr && !schema->mutates()) {
    if (const auto why = lowerer_.WhyNever(node->op)) findings_.Report(node->op, *why);
  }
  std::vector<Arg> results;
  node->outputs.clear();
  const auto add = [&](ValueId id) {
    node->outputs.push_back(id);
    results.push_back({id});
  };
  if (stated != nullptr) {
    for (const ir::Value* type : *stated) add(type == nullptr ? AddFailed() : AddStandIn(*type));
    return results;
  }
  for (size_t i = 0; i < (schema == nullptr ? 1 : schema->results.size()); ++i) add(AddFailed());
  return results;
}

// Returns a value of this type that no call makes.
ValueId Recorder::AddStandIn(ir::Value type) {
  type.strides.reset();
  const ValueId id = AddValue(std::move(type));
  lowerer_.AddStandIn(id, graph_.value(id));
  return id;
}

ValueId Recorder::AddFailed() {
  const ValueId id = AddValue({});
  failed_.insert(id);
  return id;
}

// Keeps the known sizes of the model, so that a write in place does not lose those of its tensor.
void Recorder::Refine(ValueId value, ValueId model) {
  const auto& wanted = graph_.value(model).dims;
  const auto& dims = graph_.value(value).dims;
  if (!wanted || IsFailed(value) || graph_.value(value).kind != ir::ValueKind::kTensor) return;
  bool loses = !dims || dims->size() == wanted->size();
  if (dims && loses) {
    loses = false;
    for (size_t i = 0; i < dims->size(); ++i) {
      const ir::Dim& dim = (*dims)[i];
      loses = loses || (!dim.is_number() && !(*wanted)[i].is_unknown() && !(dim == (*wanted)[i]));
    }
  }
  if (loses) graph_.value(value).dims = lowerer_.Refine(value, *wanted);
}

void Recorder::HoldTo(const ir::Operator& op, const ir::Value& stated, ValueId value) {
  if (const auto reason = lowerer_.HoldTo(stated, value, &graph_.value(value))) findings_.Report(op, *reason);
}

void Recorder::RemarkOn(const ir::Node& node, const lowering::Lowerer::Made& made) {
  if (!made.remark.empty()) findings_.Remark(made.remark);
  for (const ir::Dim& size : made.assumed) {
    std::string symbols;
    for (const std::string& symbol : size.symbols()) symbols += (symbols.empty() ? "`" : ", `") + symbol + "`";
    const std::string where = ir::InParentheses(places_.At(node.location));
    findings_.Remark(fmt::format("{}{} is exported for sizes other than 1 of {}", node.op, where, symbols));
  }
}

}  // namespace onnxport::record
