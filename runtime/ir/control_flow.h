// If and Loop, described once for all that make one: of calls of a program, or of ONNX nodes.
//
// Their body is a Block that has ended and is part of no graph yet. The description says which of its values leave it,
// and as what: `for i in range(n): h = h + x[i]` has {.trip_count = n, .iteration = i, .carried = {{h before, h in the
// block, h + x[i]}}}.
#ifndef ONNXPORT_RUNTIME_IR_CONTROL_FLOW_H_
#define ONNXPORT_RUNTIME_IR_CONTROL_FLOW_H_

#include <functional>
#include <vector>

#include "runtime/ir/graph.h"

namespace onnxport::ir {

struct IfSpec {
  // One result of the If: values of the two blocks or from outside, or host values.
  struct Result {
    Arg then;  // where the condition is true
    Arg otherwise;
    Value type = {};  // that both are cast to
  };

  Arg condition;
  std::vector<Result> results = {};
};

struct LoopSpec {
  // A value that an iteration leaves to the next one.
  struct Carried {
    Arg initial;     // from outside
    ValueId inside;  // an input of the block; its type is the result's
    Arg next;        // at the end of the block; cast to that type
  };

  Arg trip_count = {};                 // None: until the condition is false
  Arg condition = {};                  // before the first iteration; None: true
  ValueId iteration = ValueId::kNone;  // an input of the block; kNone: nobody asks for it
  Arg next_condition = {};             // at the end of the block; None: true
  std::vector<Carried> carried = {};
  std::vector<Arg> scans = {};  // at the end of the block; the results have those of all iterations on a new first axis
};

// The same If or Loop in another graph: `translate` gives what a value of this one, or a host value, is there.
using Translation = std::function<Arg(const Arg&)>;
IfSpec Translate(IfSpec spec, const Translation& translate);
LoopSpec Translate(LoopSpec spec, const Translation& translate);

// As parts of a node, in ONNX's order: the node's inputs, the inputs of its block and the block's outputs.
std::vector<Arg> NodeInputs(const LoopSpec& spec);       // trip count, condition, initial values
std::vector<ValueId> BlockInputs(const LoopSpec& spec);  // iteration, if asked for, and carried values
std::vector<Arg> BlockOutputs(const LoopSpec& spec);     // condition, carried values, scans
std::vector<Arg> ThenOutputs(const IfSpec& spec);
std::vector<Arg> OtherwiseOutputs(const IfSpec& spec);

}  // namespace onnxport::ir

#endif  // ONNXPORT_RUNTIME_IR_CONTROL_FLOW_H_
