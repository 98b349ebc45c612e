// Takes functional calls, has them lowered, and keeps them for printing; and what could not be lowered.
#ifndef ONNXPORT_RUNTIME_TRACE_RECORDER_H_
#define ONNXPORT_RUNTIME_TRACE_RECORDER_H_

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "runtime/functionalize/builder.h"
#include "runtime/ir/graph.h"
#include "runtime/ir/stated.h"
#include "runtime/lowering/lowerer.h"
#include "runtime/trace/failure.h"

namespace onnxport::trace {

class Recorder : public functionalize::Builder {
 public:
  // `remark` is called with what a spec took for granted.
  Recorder(ir::Graph* source, lowering::Lowerer* lowerer, std::function<void(std::string)> remark)
      : Builder(source), lowerer_(*lowerer), remark_(std::move(remark)) {}

  // A call with a failed argument has the results of `Fail`.
  std::vector<ir::Arg> Append(ir::Node* node, const ir::StatedTypes* stated) override;
  using Builder::Append;
  // The location of the call that is made next: the current one, and for further calls there a new number of it, so
  // that what a call became finds back to it.
  ir::LocationId NextCall();
  // The results of a call that was not made: where they are stated, values of these types, so that calls which use
  // them are looked at as well; else failed values. They become `node->outputs`. An operator that no arguments could
  // have saved is reported here, too.
  std::vector<ir::Arg> Fail(ir::Node* node, const ir::StatedTypes* stated);
  bool IsFailed(ir::ValueId id) const override { return failed_.contains(id); }
  void Refine(ir::ValueId value, ir::ValueId model) override;

  // A node of the source graph that was lowered already.
  void Keep(ir::Node node) { block().nodes.push_back(std::move(node)); }

  ir::ValueId AddFailed() override;
  // Once for each reason and place.
  void Report(const ir::Operator& op, const std::string& reason) { Report({location(), op, reason}); }
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
  std::string KeyOf(const Failure& failure) const;

  lowering::Lowerer& lowerer_;
  std::function<void(std::string)> remark_;
  std::vector<ir::Block> blocks_;
  std::vector<bool> called_;  // by location
  std::unordered_set<ir::ValueId> failed_;
  std::vector<Failure> failures_;
  size_t reports_ = 0;
  std::unordered_set<std::string> reported_;
};

}  // namespace onnxport::trace

#endif  // ONNXPORT_RUNTIME_TRACE_RECORDER_H_
