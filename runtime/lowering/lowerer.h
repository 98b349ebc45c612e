// Lowers the calls of a source program as they are made.
//
// Values of the program have ids that the caller gives; the program's graph itself is not seen here. What a call makes
// has the ids from `first` on: where the caller has values up to 7, `first` is 8, and a call with two results makes 8
// and 9.
#ifndef ONNXPORT_RUNTIME_LOWERING_LOWERER_H_
#define ONNXPORT_RUNTIME_LOWERING_LOWERER_H_

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/ir/stated.h"
#include "runtime/lowering/build/piece.h"
#include "runtime/lowering/options.h"
#include "runtime/lowering/types/free_sizes.h"

namespace onnxport::lowering {

class Lowerer {
 public:
  // `ranges`: of the symbols in sizes.
  Lowerer(int opset, FreeSizes free_sizes, ir::Ranges ranges = {}, Options options = {});
  ~Lowerer();
  Lowerer(const Lowerer&) = delete;

  // Values with their types; in order. kInt, kFloat and kBool become 0-d tensors, complex tensors their parts, with a
  // last axis of 2 (from opset 13 on). `ranges` has those of the symbols in an input's sizes.
  void AddInput(const std::string& name, ir::ValueId id, const ir::Value& type, const ir::Ranges& ranges);
  void AddWeight(const ir::Weight& weight, const ir::Value& type);
  // A host number becomes a constant, a complex tensor its parts. Returns why it cannot be an output, or nothing.
  std::optional<std::string> AddOutput(const ir::Port& port);

  // What a call gives.
  struct Made {
    // One for each result:
    //   an id from `first` on;
    //   a host constant (number, text, dtype) where the result is known, None, or an ArgList of all these
    //   (`aten::split`, `aten::size`).
    std::vector<ir::Arg> results;
    // Of the new ids, in order, lists flattened: kind, dtype, dims and contents as far as known, named as it is stated
    // or not at all.
    std::vector<ir::Value> values;
    std::vector<ir::Dim> assumed;  // free sizes that the spec takes for other than 1
    std::string remark;            // what the user should know; empty: nothing
  };
  // A functional call of which only `op`, `inputs` (of an operator without a schema, their names, too) and `location`
  // are set: host values in `inputs` may be lists and tensor constants. Returns why it cannot be lowered, or nothing.
  // `stated` (may be null): results keep the dimensions that it has and are refused where they contradict it
  // (`contradicted`).
  std::optional<std::string> Call(const ir::Node& call, const ir::StatedTypes* stated, ir::ValueId first, Made* made);
  // Why no call of the operator can be lowered, whatever its arguments are; nothing where one may be.
  std::optional<std::string> WhyNever(const ir::Operator& op) const;
  // Whether calls of the operator become nodes of the user's choice.
  bool IsCustomNode(const ir::Operator& op) const;
  // `id` has this type, and no call makes it, after a failure. The graph is then of no use.
  void AddStandIn(ir::ValueId id, const ir::Value& type);

  // The tensor `id`, made by Call, has these dimensions where its own are not known. Returns what they are now.
  std::optional<ir::Dims> Refine(ir::ValueId id, const ir::Dims& dims);
  // The result `id` of an If or Loop has the type that the program's file states; `*type`, what is known of it, is
  // brought up to date. Why it cannot, else nothing.
  std::optional<std::string> HoldTo(const ir::Value& stated, ir::ValueId id, ir::Value* type);
  // Whether some result contradicted what is stated of it.
  bool contradicted() const;

  // Calls go into a new block inside the innermost open one, until EndBlock.
  void BeginBlock();
  // `id` is an input of the innermost block. In order.
  void AddBlockInput(ir::ValueId id, const ir::Value& type);
  Piece EndBlock();
  // More calls for a block that was closed, as if it had not been.
  void ResumeBlock(Piece block);
  // Of two pieces made of the same calls, and their results: see vectorize.h.
  bool Vectorizes(const Piece& one, const Piece& all, const std::vector<std::pair<ir::Arg, ir::Arg>>& results) const;

  // Where the next If or Loop came from.
  void SetLocation(ir::LocationId location);

  // ONNX If in the innermost open block. `types`: of the results (kind, dtype, dims); the outputs of both branches
  // (values or host numbers) are cast to them. `*results`: the values from `first` on, of these types.
  struct Side {
    Piece piece;
    std::vector<ir::Arg> outputs;
  };
  std::optional<std::string> If(const ir::Arg& condition, Side then, Side otherwise,
                                const std::vector<ir::Value>& types, ir::ValueId first,
                                std::vector<ir::Value>* results);

  // ONNX Loop. The body's block inputs are the iteration (if not kNone) and the `inside` values, in any order.
  struct Carried {
    ir::Arg initial;     // outside
    ir::ValueId inside;  // an input of the block
    ir::Arg next;        // at the end of the body; cast to that type
  };
  struct LoopCall {
    ir::Arg trip_count;  // None: until the condition is false
    ir::Arg condition;   // before the first iteration; None: true
    ir::ValueId iteration = ir::ValueId::kNone;
    ir::Arg next_condition;  // at the end of the body; None: true
    std::vector<Carried> carried;
    std::vector<ir::Arg> scans;  // the results have them stacked on a new first axis
    Piece body;
  };
  // `types`: of the block inputs that are carried, which are those of the carried results, too. `*results`: the values
  // from `first` on, the carried ones after the loop, then the scans.
  std::optional<std::string> Loop(LoopCall call, const std::vector<ir::Value>& types, ir::ValueId first,
                                  std::vector<ir::Value>* results);

  // The graph so far, without locations. Once, with no block open.
  ir::Graph TakeGraph();

  struct State;  // internal

 private:
  std::unique_ptr<State> state_;
};

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_LOWERER_H_
