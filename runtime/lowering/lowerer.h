// Lowers the calls of a source program as they are made.
#ifndef ONNXPORT_RUNTIME_LOWERING_LOWERER_H_
#define ONNXPORT_RUNTIME_LOWERING_LOWERER_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/ir/control_flow.h"
#include "runtime/ir/graph.h"
#include "runtime/ir/stated.h"
#include "runtime/lowering/options.h"
#include "runtime/lowering/types/free_sizes.h"

namespace onnxport::lowering {

class Lowerer {
 public:
  // `source` grows: `Call`, `If` and `Loop` add the values they make to it.
  Lowerer(ir::Graph* source, int opset, FreeSizes free_sizes, Options options = {});
  ~Lowerer();
  Lowerer(const Lowerer&) = delete;

  // Values of the source graph with their types; in order. kInt, kFloat and kBool become 0-d tensors, complex tensors
  // their parts, with a last axis of 2 (from opset 13 on).
  void AddInput(const ir::Port& port);
  void AddWeight(const ir::Weight& weight);
  // A host number becomes a constant, a complex tensor its parts. Returns why it cannot be an output, or nothing.
  std::optional<std::string> AddOutput(const ir::Port& port);

  // A functional call of which only `op`, `inputs` (of an operator without a schema, their names, too) and `location`
  // are set: host values in `inputs` may be lists and tensor constants. Returns why it cannot be lowered, or nothing;
  // then `*results` has one Arg per result:
  //   a new value of the source graph with kind, dtype, dims and contents as far as known, named as it is stated or
  //   "%N";
  //   a host constant (number, text, dtype) where the result is known, None, or an ArgList of all these
  //   (`aten::split`, `aten::size`).
  // `node->outputs` becomes the new values in order, lists flattened.
  // `stated` (may be null): results keep the dimensions that it has and are refused where they contradict it
  // (`contradicted`).
  std::optional<std::string> Call(ir::Node* node, const ir::StatedTypes* stated, std::vector<ir::Arg>* results);
  // Why no call of the operator can be lowered, whatever its arguments are; nothing where one may be.
  std::optional<std::string> WhyNever(const ir::Operator& op) const;
  // Whether calls of the operator become nodes of the user's choice.
  bool IsCustomNode(const ir::Operator& op) const;
  // A value of this type that no call makes, after a failure. The graph is then of no use.
  ir::ValueId StandIn(const ir::Value& type);

  // The tensor `value`, made by Call, has the dimensions of `stated` where its own are not known.
  void Refine(ir::ValueId value, const ir::Value& stated);
  // The result `value` of an If or Loop has the type that the program's file states. Why it cannot, else nothing.
  std::optional<std::string> HoldTo(const ir::Value& stated, ir::ValueId value);
  // Whether some result contradicted what is stated of it.
  bool contradicted() const;

  // Calls go into a new block inside the innermost open one, until EndBlock.
  void BeginBlock();
  // `input`, a typed value of the source graph, becomes an input of the innermost block. In order.
  void AddBlockInput(ir::ValueId input);
  // The ONNX nodes of the calls since then: a block of no graph yet, which may be dropped.
  ir::Block EndBlock();
  // The calls that `make` makes go to the end of such a block.
  void Append(ir::Block* block, const std::function<void()>& make);
  // Of two blocks made of the same calls, and their results: see vectorize.h.
  bool Vectorizes(const ir::Block& one, const ir::Block& all,
                  const std::vector<std::pair<ir::Arg, ir::Arg>>& results) const;

  // Where the next If or Loop came from.
  void SetLocation(ir::LocationId location);

  // An ONNX If or Loop in the innermost open block, described in values of the source graph. Returns why it cannot be,
  // or nothing; then `*made` are new values of the source graph: the results of the If; the carried values after the
  // Loop and the scans. The block inputs of a Loop are those that `spec` names.
  std::optional<std::string> If(const ir::IfSpec& spec, ir::Block then, ir::Block otherwise,
                                std::vector<ir::ValueId>* made);
  std::optional<std::string> Loop(const ir::LoopSpec& spec, ir::Block body, std::vector<ir::ValueId>* made);

  // What specs took for granted of free sizes since the last time: one sentence each.
  std::vector<std::string> TakeRemarks();
  // The graph so far. Once, with no block open.
  ir::Graph TakeGraph();

  struct State;  // internal

 private:
  std::unique_ptr<State> state_;
};

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_LOWERER_H_
