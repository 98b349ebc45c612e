// Lowers the calls of a source program as they are made.
//
// Values of the program have ids that the caller gives; the program's graph itself is not seen here. New values of a
// call have the ids from `first` on. Example: the caller has values up to 7, `first` is 8, and a call with two results
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

// The one door to lowering: it has a function for each thing that a program consists of, and those that ask why one of
// them cannot be.
class Lowerer {
 public:
  // `ranges`: of the symbols in sizes.
  Lowerer(int opset, FreeSizes free_sizes, ir::Ranges ranges = {}, Options options = {});
  ~Lowerer();
  Lowerer(const Lowerer&) = delete;

  // Values with their types; in order. kInt, kFloat and kBool become 0-d tensors, complex tensors their parts, with a
  // last axis of 2 (from opset 13 on). `ranges` has those of the symbols in an input's sizes.
  // Before all weights that are inputs.
  void AddInput(const std::string& name, ir::ValueId id, const ir::Value& type, const ir::Ranges& ranges);
  void AddWeight(const ir::Weight& weight, const ir::Value& type);
  // A host number becomes a constant, a complex tensor its parts. Returns why it cannot be an output, or nothing.
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
    std::vector<ir::Dim> assumed;  // free sizes that the spec takes for other than 1
    std::string remark;            // what the user should know; empty: nothing
  };
  // Lowers a functional call of which only `op`, `inputs` and `location` are set; the inputs of an operator without a
  // schema have names. Host values in `inputs` may be lists and tensor constants. Returns why it cannot be lowered, or
  // nothing. `stated` (may be null): results keep the dimensions that it has and are refused where they contradict it
  // (`contradicted`).
  std::optional<Reason> Call(const ir::Node& call, const ir::StatedTypes* stated, ir::ValueId first, Made* made);
  // Why no call of the operator can be lowered, whatever its arguments are; nothing where one may be.
  std::optional<Reason> WhyNever(const ir::Operator& op) const;
  // Returns true if calls of the operator become nodes of the user's choice.
  bool IsCustomNode(const ir::Operator& op) const;
  // `id` has this type, and no call makes it, after a failure. The graph is then of no use.
  void AddStandIn(ir::ValueId id, const ir::Value& type);

  // The tensor `id`, made by Call, has these dimensions where its own are not known. Returns what they are now.
  std::optional<ir::Dims> Refine(ir::ValueId id, const ir::Dims& dims);
  // The result `id` of an If or Loop has the type that the program's file states; `*type`, what is known of it, is
  // brought up to date. Why it cannot, else nothing.
  std::optional<Reason> HoldTo(const ir::Value& stated, ir::ValueId id, ir::Value* type);
  // Returns true if some result contradicted its stated type.
  bool contradicted() const;

  // Calls go into a new block inside the innermost open one, until EndBlock.
  void BeginBlock();
  // `id` is an input of the innermost block. In order.
  void AddBlockInput(ir::ValueId id, const ir::Value& type);
  // The ONNX nodes of the calls since then: a block of no graph yet, which may be dropped.
  ir::Block EndBlock();
  // The calls that `make` makes go to the end of such a block.
  void Append(ir::Block* block, const std::function<void()>& make);
  // Compares two blocks made of the same calls, and their results: see vectorize.h.
  bool Vectorizes(const ir::Block& one, const ir::Block& all,
                  const std::vector<std::pair<ir::Arg, ir::Arg>>& results) const;

  // An ONNX If or Loop in the innermost open block, described in values of the program, which came from `location`.
  // Returns why it cannot be, or nothing; then `*results` are the values from `first` on: the results of the If; the
  // carried values after the Loop and the scans. The block inputs of a Loop are those that `spec` names; `types`: of
  // those that are carried.
  std::optional<Reason> If(const ir::IfSpec& spec, ir::LocationId location, ir::Block then, ir::Block otherwise,
                           ir::ValueId first, std::vector<ir::Value>* results);
  std::optional<Reason> Loop(const ir::LoopSpec& spec, ir::LocationId location, ir::Block body,
                             const std::vector<ir::Value>& types, ir::ValueId first, std::vector<ir::Value>* results);

  // The graph so far, without locations. Once, with no block open.
  ir::Graph TakeGraph();

  struct State;  // internal

 private:
  std::unique_ptr<State> state_;
};

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_LOWERER_H_
