#include "runtime/trace/recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "runtime/aten/aten_schema.h"

namespace onnxport::trace {

using ir::Arg;
using ir::ValueId;

ir::LocationId Recorder::NextCall() {
  if (location() == ir::LocationId::kNone) return location();
  called_.resize(graph_->locations.size());
  const auto here = static_cast<size_t>(location());
  if (!called_[here]) {
    called_[here] = true;
    return location();
  }
  graph_->locations.push_back(graph_->locations[here]);
  called_.push_back(true);
  return static_cast<ir::LocationId>(graph_->locations.size() - 1);
}

std::string Recorder::KeyOf(const Failure& failure) const {
  return fmt::format("{}\n{}\n{}", fmt::ptr(&graph_->location(failure.location)), failure.op, failure.reason);
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
  std::vector<Arg> results;
  const auto reason = lowerer_.Call(node, stated, &results);
  for (std::string& remark : lowerer_.TakeRemarks()) remark_(std::move(remark));
  if (reason) {
    Report(node->op, *reason);
    return Fail(node, stated);
  }
  Keep(*node);
  return results;
}

std::vector<Arg> Recorder::Fail(ir::Node* node, const ir::StatedTypes* stated) {
  const ir::AtenSchema* schema = ir::FindAtenSchema(node->op);
  // What is written in place is exported by the form that is not.
  if (schema != nullptr && !schema->mutates()) {
    if (const auto why = lowerer_.WhyNever(node->op)) Report(node->op, *why);
  }
  std::vector<Arg> results;
  node->outputs.clear();
  const auto add = [&](ValueId id) {
    node->outputs.push_back(id);
    results.push_back({id});
  };
  if (stated != nullptr) {
    for (const ir::Value* type : *stated) add(type == nullptr ? AddFailed() : lowerer_.StandIn(*type));
    return results;
  }
  for (size_t i = 0; i < (schema == nullptr ? 1 : schema->results.size()); ++i) add(AddFailed());
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
