// Takes functional calls, has each lowered at once, and keeps them for printing; and what could not be lowered.
#ifndef ONNXPORT_RUNTIME_TRACE_RECORD_RECORDER_H_
#define ONNXPORT_RUNTIME_TRACE_RECORD_RECORDER_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "runtime/base/unique_names.h"
#include "runtime/ir/control_flow.h"
#include "runtime/ir/graph.h"
#include "runtime/ir/stated.h"
#include "runtime/lowering/lowerer.h"
#include "runtime/lowering/options.h"
#include "runtime/lowering/types/free_sizes.h"
#include "runtime/trace/record/failure.h"

namespace onnxport::record {

// A graph of ATen calls that grows call by call, and beside it the ONNX graph that the calls become.
//
// It has many functions because the two graphs, the failures and the place in the program go together. Anything added
// to one graph has its id in the other, and a failure is of the call that is made there.
class Recorder {
 public:
  // `ranges`: of the symbols of the inputs. One that has none is at least 1.
  Recorder(int opset, lowering::FreeSizes free_sizes, ir::Ranges ranges, lowering::Options options);

  // The calls so far, and what is known of their values.
  const ir::Graph& graph() const { return graph_; }
  // To ask it something.
  const lowering::Lowerer& lowerer() const { return lowerer_; }

  // ---- the ends of the graph
  ir::ValueId AddInput(const std::string& name, ir::Value type);
  ir::ValueId AddWeight(const std::string& name, std::shared_ptr<const ir::TensorData> data);
  void AddOutput(const std::string& name, ir::Arg value);

  // ---- where calls came from
  // All locations of the program's file, before any other.
  void SetLocations(ir::Locations locations) { graph_.locations = std::move(locations); }
  ir::LocationId AddLocation(const ir::Location& location);
  // Calls made from now on came from there.
  void SetLocation(ir::LocationId location) { location_ = location; }
  ir::LocationId location() const { return location_; }
  // The location of the call that is made next. It is the current one, and for further calls a new number for it, so
  // that the nodes of a call lead back to it.
  ir::LocationId NextCall();

  // ---- calls
  // The results, as many as the call has; those that are values become `node->outputs`, lists flattened. They are what
  // is stated of them, where something is (`stated` may be null). The node's inputs and attributes go over to the
  // graph. A call with a failed argument has the results of `Fail`. Throws Error (kCannotExport) past two million
  // calls: views of views, each read after each of many writes.
  std::vector<ir::Arg> Append(ir::Node* node, const ir::StatedTypes* stated = nullptr);
  // The results of a call that was not made. Where they are stated, they are values of these types, so that calls which
  // use them are looked at as well; else failed values. They become `node->outputs`. An operator that no arguments
  // could have saved is reported here, too.
  std::vector<ir::Arg> Fail(ir::Node* node, const ir::StatedTypes* stated);
  // A result of a call that could not be made.
  bool IsFailed(ir::ValueId id) const { return failed_.contains(id); }
  bool AnyFailed(const std::vector<ir::Arg>& args) const;
  // A value for which IsFailed holds.
  ir::ValueId AddFailed();

  // `value` has the sizes of `model`, whatever its call says.
  void Refine(ir::ValueId value, ir::ValueId model);
  // The result of an If or Loop is what the program's file states of it; where it is not, that is a failure of `op`.
  void HoldTo(const ir::Operator& op, const ir::Value& stated, ir::ValueId value);
  // How the source program keeps a tensor's elements.
  void SetStrides(ir::ValueId tensor, std::optional<ir::Dims> strides) {
    graph_.value(tensor).strides = std::move(strides);
  }

  // ---- If and Loop
  // A block that has ended and is part of no graph yet: its calls, and the nodes that they became.
  struct Block {
    ir::Block source;
    ir::Block onnx;
  };
  // Calls go into a new block inside the innermost open one, until EndBlock.
  void BeginBlock();
  // A value of the type, and of other contents in each run of the block.
  ir::ValueId AddBlockInput(ir::Value type);
  Block EndBlock();
  // The calls that `make` makes go to the end of such a block.
  void AppendTo(Block* block, const std::function<void()>& make);
  // `*made`: the results of the If; the carried values after the Loop and the scans. False: it could not be lowered,
  // which is reported.
  bool If(const ir::IfSpec& spec, Block then, Block otherwise, std::vector<ir::ValueId>* made);
  bool Loop(const ir::LoopSpec& spec, Block body, std::vector<ir::ValueId>* made);

  // ---- what the user should know
  // Once for each reason and place.
  void Report(const ir::Operator& op, const Reason& reason) { Report({location(), op, reason}); }
  void Report(Failure failure);
  const std::vector<Failure>& failures() const { return failures_; }
  // How often Report was called, for what was reported before as well.
  size_t reports() const { return reports_; }
  // Takes away the failures from `first` on.
  std::vector<Failure> TakeFailures(size_t first);
  // Each text once.
  void Remark(std::string text);
  const std::vector<std::string>& remarks() const { return remarks_; }
  // Takes away the remarks from `first` on.
  std::vector<std::string> TakeRemarks(size_t first);

  // Once each, with no block open. The ONNX graph only without failures.
  ir::Graph TakeOnnx();
  ir::Graph TakeSource() { return std::move(graph_); }

 private:
  ir::ValueId AddValue(ir::Value type);
  ir::ValueId AddStandIn(ir::Value type);
  std::vector<ir::ValueId> AddValues(std::vector<ir::Value> types);
  // A node that was lowered already.
  void Keep(ir::Node node) { block().nodes.push_back(std::move(node)); }
  ir::Block& block() { return blocks_.empty() ? graph_.body : blocks_.back(); }
  void CountCall();
  void RemarkOn(const ir::Node& node, const lowering::Lowerer::Made& made);
  std::string KeyOf(const Failure& failure) const;

  ir::Graph graph_;
  lowering::Lowerer lowerer_;
  ir::UniqueNames names_;
  std::vector<ir::Block> blocks_;
  size_t calls_ = 0;
  ir::LocationId location_ = ir::LocationId::kNone;
  std::vector<bool> called_;  // by location
  std::unordered_set<ir::ValueId> failed_;
  std::vector<Failure> failures_;
  size_t reports_ = 0;
  std::unordered_set<std::string> reported_;
  std::vector<std::string> remarks_;
  std::unordered_set<std::string> remarked_;
};

}  // namespace onnxport::record

#endif  // ONNXPORT_RUNTIME_TRACE_RECORD_RECORDER_H_
