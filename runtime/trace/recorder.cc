#include "runtime/trace/recorder.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "runtime/ir/aten_schema.h"

namespace onnxport::trace {
namespace {

using ir::Arg;
using ir::ValueId;

std::string KeyOf(const Failure& failure) {
  return std::to_string(static_cast<int>(failure.location)) + '\n' + failure.op + '\n' + failure.reason;
}

}  // namespace

bool Recorder::AnyFailed(const std::vector<Arg>& args) const {
  return std::any_of(args.begin(), args.end(), [&](const Arg& arg) {
    if (arg.value() != nullptr) return IsFailed(*arg.value());
    return arg.list() != nullptr && AnyFailed(*arg.list());
  });
}

std::vector<Arg> Recorder::Append(ir::Node* node) {
  CountCall();
  if (AnyFailed(node->inputs)) return Fail(node);
  std::vector<Arg> results;
  if (const auto reason = lowerer_.Trace(node, &results)) {
    Report(node->op, *reason);
    return Fail(node);
  }
  Keep(*node);
  return results;
}

std::vector<Arg> Recorder::Fail(ir::Node* node) {
  const ir::AtenSchema* schema = ir::FindAtenSchema(node->op);
  std::vector<Arg> results;
  node->outputs.clear();
  for (size_t i = 0; i < (schema == nullptr ? 1 : schema->results.size()); ++i) {
    node->outputs.push_back(AddFailed());
    results.push_back({node->outputs.back()});
  }
  return results;
}

// Of what is known of the model, so that a write in place does not lose the sizes of its tensor.
void Recorder::Refine(ValueId value, ValueId model) {
  const auto& wanted = graph_->value(model).dims;
  const auto& dims = graph_->value(value).dims;
  if (!wanted || IsFailed(value) || graph_->value(value).kind != ir::ValueKind::kTensor) return;
  bool loses = !dims || dims->size() == wanted->size();
  if (dims && loses) {
    loses = false;
    for (size_t i = 0; i < dims->size(); ++i) loses = loses || ((*dims)[i].is_unknown() && !(*wanted)[i].is_unknown());
  }
  if (loses) lowerer_.Refine(value, graph_->value(model));
}

ValueId Recorder::AddFailed() {
  ir::Value value;
  value.name = "%" + std::to_string(graph_->values.size());
  const ValueId id = graph_->AddValue(std::move(value));
  failed_.insert(id);
  return id;
}

void Recorder::Report(Failure failure) {
  ++reports_;
  if (reported_.insert(KeyOf(failure)).second) failures_.push_back(std::move(failure));
}

std::vector<Failure> Recorder::TakeFailures(size_t first) {
  const auto begin = failures_.begin() + static_cast<std::ptrdiff_t>(first);
  std::vector<Failure> taken(std::make_move_iterator(begin), std::make_move_iterator(failures_.end()));
  failures_.erase(begin, failures_.end());
  for (const Failure& failure : taken) reported_.erase(KeyOf(failure));
  return taken;
}

ir::Block Recorder::LeaveBlock() {
  ir::Block block = std::move(blocks_.back());
  blocks_.pop_back();
  return block;
}

}  // namespace onnxport::trace
