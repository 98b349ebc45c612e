// State: tensors that a call of the program writes to and that its next call finds so. An ONNX model has none, but can
// be given each of them as an input, and give its new value as an output.
#ifndef ONNXPORT_RUNTIME_TRACE_PROGRAM_STATE_H_
#define ONNXPORT_RUNTIME_TRACE_PROGRAM_STATE_H_

#include <cstddef>
#include <set>
#include <string>

namespace onnxport::trace {

// The use of state in a walk.
struct ProgramState {
  bool kept = false;  // as inputs and outputs; else new values are dropped with a remark
  // The weights that are inputs, as earlier walks have found that they are written to.
  std::set<std::string> inputs = {};
};

// One of them, as positions among the inputs and outputs of the graph.
struct StatePair {
  std::string name;  // of the weight, or of the program's input
  size_t input = 0;
  size_t output = 0;
  bool weight = false;  // the program has its first value
};

// `output` of such a pair is called so: "cache.k" becomes "cache.k.next".
inline constexpr const char* kNextValue = ".next";

}  // namespace onnxport::trace

#endif  // ONNXPORT_RUNTIME_TRACE_PROGRAM_STATE_H_
