// Takes functional calls, lowers each at once, and keeps them for printing.
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
#include "runtime/trace/record/findings.h"
#include "runtime/trace/record/places.h"

namespace onnxport::record {

// A graph of ATen calls that grows call by call, and the ONNX graph for these calls.
//
// The two grow together: each value of one has its id in the other.
class Recorder {
 public:
  // `ranges` are those of the symbols of the inputs. A symbol without a range is at least 1.
  Recorder(int opset, lowering::FreeSizes free_sizes, ir::Ranges ranges, lowering::Options options);

  // The calls so far, and what is known about their values.
  const ir::Graph& graph() const { return graph_; }
  // For queries.
  const lowering::Lowerer& lowerer() const { return lowerer_; }
  // The places in the program that the current calls come from.
  Places& places() { return places_; }
  // Findings for the user. A failure belongs to the current call.
  Findings& findings() { return findings_; }

  // ---- inputs and outputs
  ir::ValueId AddInput(const std::string& name, ir::Value type);
  ir::ValueId AddWeight(const std::string& name, std::shared_ptr<const ir::TensorData> data);
  void AddOutput(const std::string& name, ir::Arg value);

  // ---- calls
  // Adds the call and returns its results. Results that are values become `node->outputs`, with lists flattened. They
  // have the stated types, if any (`stated` may be null). The node's inputs and attributes are moved into the graph. A
  // call with a failed argument gets the results of `Fail`. Throws Error (kCannotExport) after two million calls, which
  // views of views that are read after many writes can cause.
  std::vector<ir::Arg> Append(ir::Node* node, const ir::StatedTypes* stated = nullptr);
  // Returns the results of a call that was not made, and stores them in `node->outputs`. If types are stated, they are
  // values of these types, so that calls that use them are checked as well. Otherwise they are failed values. If the
  // operator cannot be lowered with any arguments, that is reported here, too.
  std::vector<ir::Arg> Fail(ir::Node* node, const ir::StatedTypes* stated);
  // Returns true for a result of a call that could not be made.
  bool IsFailed(ir::ValueId id) const { return failed_.contains(id); }
  bool AnyFailed(const std::vector<ir::Arg>& args) const;
  // Returns a new value for which IsFailed holds.
  ir::ValueId AddFailed();

  // Gives `value` the sizes of `model`, even if its call says otherwise.
  void Refine(ir::ValueId value, ir::ValueId model);
  // The result of an If or Loop must have the type that the program's file states; otherwise this is a failure of `op`.
  void HoldTo(const ir::Operator& op, const ir::Value& stated, ir::ValueId value);
  // Sets the strides of a tensor in the source program.
  void SetStrides(ir::ValueId tensor, std::optional<ir::Dims> strides) {
    graph_.value(tensor).strides = std::move(strides);
  }

  // ---- If and Loop
  // A block that has ended and is not yet in a graph: its calls, and their nodes.
  struct Block {
    ir::Block source;
    ir::Block onnx;
  };
  // Opens a block in the innermost open one. Calls are added to it until EndBlock.
  void BeginBlock();
  // Adds a value of this type, whose contents differ in each iteration.
  ir::ValueId AddBlockInput(ir::Value type);
  Block EndBlock();
  // Adds the calls that `make` makes to the end of such a block.
  void AppendTo(Block* block, const std::function<void()>& make);
  // `*made` gets the results of the If, or the carried values after the Loop and the scans. Returns false if it could
  // not be lowered, and reports that.
  bool If(const ir::IfSpec& spec, Block then, Block otherwise, std::vector<ir::ValueId>* made);
  bool Loop(const ir::LoopSpec& spec, Block body, std::vector<ir::ValueId>* made);

  // Call each once, with no block open. TakeOnnx requires that there are no failures.
  ir::Graph TakeOnnx();
  ir::Graph TakeSource() { return std::move(graph_); }

 private:
  ir::ValueId AddValue(ir::Value type);
  ir::ValueId AddStandIn(ir::Value type);
  std::vector<ir::ValueId> AddValues(std::vector<ir::Value> types);
  // Adds a node that was lowered already.
  void Keep(ir::Node node) { block().nodes.push_back(std::move(node)); }
  ir::Block& block() { return blocks_.empty() ? graph_.body : blocks_.back(); }
  void CountCall();
  void RemarkOn(const ir::Node& node, const lowering::Lowerer::Made& made);

  ir::Graph graph_;
  Places places_{&graph_};
  Findings findings_{&places_};
  lowering::Lowerer lowerer_;
  ir::UniqueNames names_;
  std::vector<ir::Block> blocks_;
  size_t calls_ = 0;
  std::unordered_set<ir::ValueId> failed_;
};

}  // namespace onnxport::record

#endif  // ONNXPORT_RUNTIME_TRACE_RECORD_RECORDER_H_
