// One run of a program, as the calls that it made.
#ifndef ONNXPORT_RUNTIME_TORCH_RECORD_H_
#define ONNXPORT_RUNTIME_TORCH_RECORD_H_

#include <optional>

#include "runtime/base/error.h"
#include "runtime/ir/graph.h"
#include "runtime/torch/examples.h"
#include "runtime/torch/recorder.h"

namespace onnxport {
struct TorchProgram;
}

namespace onnxport::torch_export {

// What is run; references outlive it.
struct Runnable {
  const TorchProgram& program;
  const Examples& examples;
  bool weights_vary = false;       // parameters and buffers have other values in the model
  PlacesOfCalls* asked = nullptr;  // filled by the run; see Recorder
};

// The program itself cannot be run so.
class ProgramFails : public Error {
 public:
  using Error::Error;
};

// All throw Error: ProgramFails, or what the recorder refuses.
Recording Record(const Runnable& runnable, const Examples::Arguments& arguments);

// Weights of the meta device: no run of it has values.
bool IsWithoutMemory(const TorchProgram& program);
Recording RecordWithoutMemory(const Runnable& runnable, const Sizes& sizes);

// A run without memory of a program that has some; nothing where it has no end. `seen`: what a run with values gave.
std::optional<ir::Graph> RecordTypes(const Runnable& runnable, const Sizes& sizes, const ir::Graph& seen);

}  // namespace onnxport::torch_export

#endif  // ONNXPORT_RUNTIME_TORCH_RECORD_H_
