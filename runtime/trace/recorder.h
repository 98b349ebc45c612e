// Takes functional calls, has them lowered, and keeps them for printing; and what could not be lowered.
#ifndef ONNXPORT_RUNTIME_TRACE_RECORDER_H_
#define ONNXPORT_RUNTIME_TRACE_RECORDER_H_

#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "runtime/functionalize/builder.h"
#include "runtime/ir/graph.h"
#include "runtime/lowering/lowerer.h"

namespace onnxport::trace {

struct Failure {
  ir::LocationId location;
  std::string op;  // "aten::foo"; empty for control flow
  std::string reason;
};

class Recorder : public functionalize::Builder {
 public:
  Recorder(ir::Graph* source, lowering::Lowerer* lowerer) : Builder(source), lowerer_(*lowerer) {}

  // A call with a failed argument fails silently; its results are failed values.
  std::vector<ir::Arg> Append(ir::Node* node) override;
  bool makes_results() const override { return true; }
  ir::ValueId Like(ir::ValueId) override { return ir::ValueId::kNone; }
  bool IsFailed(ir::ValueId id) const override { return failed_.contains(id); }
  void Refine(ir::ValueId value, ir::ValueId model) override;

  // A node of the source graph that was lowered already.
  void Keep(ir::Node node) { block().nodes.push_back(std::move(node)); }

  ir::ValueId AddFailed() override;
  // Once for each reason and place.
  void Report(const std::string& op, const std::string& reason) { Report({location(), op, reason}); }
  void Report(Failure failure);
  const std::vector<Failure>& failures() const { return failures_; }
  // How often Report was called, for what was reported before as well.
  size_t reports() const { return reports_; }
  // Takes away the failures from `first` on.
  std::vector<Failure> TakeFailures(size_t first);

  // Where calls are kept.
  void EnterBlock(ir::Block block) { blocks_.push_back(std::move(block)); }
  ir::Block LeaveBlock();
  ir::Block& block() { return blocks_.empty() ? graph_->body : blocks_.back(); }

  bool AnyFailed(const std::vector<ir::Arg>& args) const;

 private:
  std::vector<ir::Arg> Fail(ir::Node* node);

  lowering::Lowerer& lowerer_;
  std::vector<ir::Block> blocks_;
  std::unordered_set<ir::ValueId> failed_;
  std::vector<Failure> failures_;
  size_t reports_ = 0;
  std::unordered_set<std::string> reported_;
};

}  // namespace onnxport::trace

#endif  // ONNXPORT_RUNTIME_TRACE_RECORDER_H_
