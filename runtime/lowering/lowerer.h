// Lowers the calls of a source graph one after another: at once for a graph that states its types (.pt2), and while
// an interpreter makes the calls (.pt), whose types then come from what was made.
#ifndef ONNXPORT_RUNTIME_LOWERING_LOWERER_H_
#define ONNXPORT_RUNTIME_LOWERING_LOWERER_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/lowering/closed_block.h"

namespace onnxport::lowering {

class Lowerer {
 public:
  // Of a graph that states the types of its values and does not change. Sizes are taken as torch.export took them.
  Lowerer(const ir::Graph& source, int opset);
  // Of a graph that grows: `Trace`, `If` and `Loop` add the values they make to it. A free size may be 1.
  Lowerer(ir::Graph* source, int opset);
  ~Lowerer();
  Lowerer(const Lowerer&) = delete;

  // Values of the source graph with their types; in order. kInt, kFloat and kBool become 0-d tensors.
  void AddInput(const ir::Port& port);
  void AddWeight(const ir::Weight& weight);
  // A host number becomes a constant; None is left out, with a remark. Returns why it cannot be an output, or nothing.
  std::optional<std::string> AddOutput(const ir::Port& port);

  // A functional call whose results' types the source states. Returns why it cannot be lowered, or nothing; then the
  // results go on with what the source says of them.
  std::optional<std::string> Lower(const ir::Node& node);

  // A functional call of which only `op`, `inputs` and `location` are set: host values in `inputs` may be lists and
  // tensor constants. Returns why it cannot be lowered, or nothing; then `*results` has one Arg per result:
  //   a new value of the source graph with kind, dtype, dims and contents as far as known, named "%N";
  //   a host constant (number, text, dtype) where the result is known, None, or an ArgList of all these
  //   (`aten::split`, `aten::size`).
  // `node->outputs` becomes the new values in order, lists flattened.
  std::optional<std::string> Trace(ir::Node* node, std::vector<ir::Arg>* results);

  // The tensor `value`, made by Trace, has the dimensions of `stated` where its own are not known.
  void Refine(ir::ValueId value, const ir::Value& stated);

  // Calls go into a new block inside the innermost open one, until EndBlock.
  void BeginBlock();
  // `input`, a typed value of the source graph, becomes an input of the innermost block. In order.
  void AddBlockInput(ir::ValueId input);
  ClosedBlock EndBlock();
  // More calls for a block that was closed, as if it had not been.
  void ResumeBlock(ClosedBlock block);

  // ONNX If in the innermost open block. `types`: of the results (kind, dtype, dims); the outputs of both branches
  // (values or host numbers) are cast to them. `*results`: new values of the source graph of these types.
  struct Branch {
    ClosedBlock block;
    std::vector<ir::Arg> outputs;
  };
  std::optional<std::string> If(const ir::Arg& condition, Branch then, Branch otherwise,
                                const std::vector<ir::Value>& types, std::vector<ir::ValueId>* results);

  // ONNX Loop. The body's block inputs are the iteration (if not kNone) and the `inside` values, in any order.
  struct Carried {
    ir::Arg initial;     // outside
    ir::ValueId inside;  // an input of the block; its type is the result's
    ir::Arg next;        // at the end of the body; cast to that type
  };
  struct LoopCall {
    ir::Arg trip_count;  // None: until the condition is false
    ir::Arg condition;   // before the first iteration; None: true
    ir::ValueId iteration = ir::ValueId::kNone;
    ir::Arg next_condition;  // at the end of the body; None: true
    std::vector<Carried> carried;
    std::vector<ir::Arg> scans;  // the results have them stacked on a new first axis
    ClosedBlock body;
  };
  // `*results`: the carried values after the loop, then the scans.
  std::optional<std::string> Loop(LoopCall call, std::vector<ir::ValueId>* results);

  const std::vector<std::string>& remarks() const;
  // The graph so far. Once, with no block open.
  ir::Graph TakeGraph();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_LOWERER_H_
