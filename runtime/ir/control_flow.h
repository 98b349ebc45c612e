// Describes an If or Loop, both for calls of a program and for ONNX nodes.
//
// The body is a finished Block that is not yet in a graph. The description says what its values become outside. For
// example, `for i in range(n): h = h + x[i]` has {.trip_count = n, .iteration = i, .carried = {{h before, h in the
// block, h + x[i]}}}.
#ifndef ONNXPORT_RUNTIME_IR_CONTROL_FLOW_H_
#define ONNXPORT_RUNTIME_IR_CONTROL_FLOW_H_

#include <functional>
#include <vector>

#include "runtime/ir/graph.h"

namespace onnxport::ir {

struct IfSpec {
  // One result of the If. Its sides are values of the blocks, values from outside, or host values.
  struct Result {
    Arg then;  // the result if the condition is true
    Arg otherwise;
    Value type = {};  // both sides are cast to this type
  };

  Arg condition;
  std::vector<Result> results = {};
};

struct LoopSpec {
  // A value that an iteration passes to the next one.
  struct Carried {
    Arg initial;     // its value before the loop
    ValueId inside;  // an input of the block; its type is the result's
    Arg next;        // its value at the end of the block; cast to that type
  };

  Arg trip_count = {};                 // None: until the condition is false
  Arg condition = {};                  // before the first iteration; None: true
  ValueId iteration = ValueId::kNone;  // an input of the block; kNone: not used
  Arg next_condition = {};             // at the end of the block; None: true
  std::vector<Carried> carried = {};
  std::vector<Arg> scans = {};  // at the end of the block; a result stacks those of all iterations on a new first axis
};

// Translates an If or Loop to another graph. `translate` maps each value, or host value, to that graph.
using Translation = std::function<Arg(const Arg&)>;
IfSpec Translate(IfSpec spec, const Translation& translate);
LoopSpec Translate(LoopSpec spec, const Translation& translate);

// The parts of an ONNX node, in ONNX's order: inputs of the node, inputs of its block, outputs of the block.
std::vector<Arg> NodeInputs(const LoopSpec& spec);       // trip count, condition, initial values
std::vector<ValueId> BlockInputs(const LoopSpec& spec);  // iteration, if used, and carried values
std::vector<Arg> BlockOutputs(const LoopSpec& spec);     // condition, carried values, scans
std::vector<Arg> ThenOutputs(const IfSpec& spec);
std::vector<Arg> OtherwiseOutputs(const IfSpec& spec);

}  // namespace onnxport::ir

#endif  // ONNXPORT_RUNTIME_IR_CONTROL_FLOW_H_
