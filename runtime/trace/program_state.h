// State: tensors that a program writes to in one call and reads in the next. An ONNX model has no state. But each of
// them can become an input of the model, and its new value an output.
#ifndef ONNXPORT_RUNTIME_TRACE_PROGRAM_STATE_H_
#define ONNXPORT_RUNTIME_TRACE_PROGRAM_STATE_H_

#include <cstddef>
#include <set>
#include <string>

namespace onnxport::trace {

// The use of state in a walk.
struct ProgramState {
  bool kept = false;  // kept as inputs and outputs; otherwise new values are dropped with a remark
  // The weights that are inputs, because earlier walks found writes to them.
  std::set<std::string> inputs = {};
};

// An input and an output for one state, as positions among the inputs and outputs of the graph.
struct StatePair {
  std::string name;  // of the weight, or of the program's input
  size_t input = 0;
  size_t output = 0;
  bool weight = false;  // the program has its first value
};

// Suffix for the name of `output`: the new value of "cache.k" is "cache.k.next".
inline constexpr const char* kNextValue = ".next";

}  // namespace onnxport::trace

#endif  // ONNXPORT_RUNTIME_TRACE_PROGRAM_STATE_H_
