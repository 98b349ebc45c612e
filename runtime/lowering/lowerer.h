// Lowers the calls of a source program as they are made.
//
// The caller chooses the ids of the program's values; this class does not see the program's graph. New values of a call
// get the ids from `first` on. For example, if the caller has values up to 7, `first` is 8, and a call with two results
// makes 8 and 9.
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

// The only interface to lowering. It has a function for each part of a program, and functions that say why a part
// cannot be lowered.
class Lowerer {
 public:
  // `ranges` are those of the symbols in sizes.
  Lowerer(int opset, FreeSizes free_sizes, ir::Ranges ranges = {}, Options options = {});
  ~Lowerer();
  Lowerer(const Lowerer&) = delete;

  // Add values with their types, in order. kInt, kFloat and kBool become 0-d tensors. Complex tensors become their
  // parts, with a last axis of 2 (from opset 13 on). `ranges` has those of the symbols in an input's sizes. Inputs come
  // before all weights that are inputs.
  void AddInput(const std::string& name, ir::ValueId id, const ir::Value& type, const ir::Ranges& ranges);
  void AddWeight(const ir::Weight& weight, const ir::Value& type);
  // A host number becomes a constant, a complex tensor becomes its parts. Returns why the value cannot be an output, or
  // nothing.
  std::optional<Reason> AddOutput(const ir::Port& port);

  // The results of a call.
  struct Made {
    // One for each result:
    //   an id from `first` on;
    //   a host constant (number, text, dtype) where the result is known, None, or an ArgList of all these
    //   (`aten::split`, `aten::size`).
    std::vector<ir::Arg> results;
    // The types of the new ids, in order, lists flattened: kind, dtype, dims and contents as far as known. They have
    // the stated names or none.
    std::vector<ir::Value> values;
    std::vector<ir::Dim> assumed;  // free sizes that the spec assumes not to be 1
    std::string remark;            // a remark for the user, or empty
  };
  // Lowers a functional call. Only its `op`, `inputs` and `location` are set; the inputs of an operator without a
  // schema have names. Host values in `inputs` may be lists and tensor constants. Returns why it cannot be lowered, or
  // nothing. If `stated` is not null, results take its dimensions. A result that contradicts it is refused
  // (`contradicted`).
  std::optional<Reason> Call(const ir::Node& call, const ir::StatedTypes* stated, ir::ValueId first, Made* made);
  // Says why no call of the operator can be lowered, with any arguments. Returns nothing if some call may be.
  std::optional<Reason> WhyNever(const ir::Operator& op) const;
  // Returns true if calls of the operator become nodes of the user's choice.
  bool IsCustomNode(const ir::Operator& op) const;
  // Declares `id` with this type after a failure. No call makes it, so the graph cannot be used any more.
  void AddStandIn(ir::ValueId id, const ir::Value& type);

  // Fills unknown dimensions of the tensor `id`, made by Call, from `dims`. Returns all of its dimensions.
  std::optional<ir::Dims> Refine(ir::ValueId id, const ir::Dims& dims);
  // Checks the result `id` of an If or Loop against the type that the program's file states, and updates `*type`.
  // Returns why they contradict each other, or nothing.
  std::optional<Reason> HoldTo(const ir::Value& stated, ir::ValueId id, ir::Value* type);
  // Returns true if some result contradicted its stated type.
  bool contradicted() const;

  // Opens a block in the innermost open one. Calls are added to it until EndBlock.
  void BeginBlock();
  // Makes `id` an input of the innermost block. Call it in order of the inputs.
  void AddBlockInput(ir::ValueId id, const ir::Value& type);
  // Ends the block and returns its ONNX nodes. The block is not in a graph yet, and may be dropped.
  ir::Block EndBlock();
  // Adds the calls that `make` makes to the end of such a block.
  void Append(ir::Block* block, const std::function<void()>& make);
  // Compares two blocks made of the same calls, and their results: see vectorize.h.
  bool Vectorizes(const ir::Block& one, const ir::Block& all,
                  const std::vector<std::pair<ir::Arg, ir::Arg>>& results) const;

  // Adds an ONNX If or Loop to the innermost open block. `spec` describes it in values of the program; `location` is
  // its origin. Returns why that is impossible, or nothing. Then `*results` have the types of the values from `first`
  // on: the results of the If, or the carried values after the Loop and the scans. `spec` names the block inputs of the
  // Loop, and `types` are those of the carried values.
  std::optional<Reason> If(const ir::IfSpec& spec, ir::LocationId location, ir::Block then, ir::Block otherwise,
                           ir::ValueId first, std::vector<ir::Value>* results);
  std::optional<Reason> Loop(const ir::LoopSpec& spec, ir::LocationId location, ir::Block body,
                             const std::vector<ir::Value>& types, ir::ValueId first, std::vector<ir::Value>* results);

  // Returns the graph so far, without locations. Call it once, with no block open.
  ir::Graph TakeGraph();

  struct State;  // internal

 private:
  std::unique_ptr<State> state_;
};

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_LOWERER_H_
