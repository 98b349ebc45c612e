// Records one run of a program as the calls that it made.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCH_RECORD_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCH_RECORD_H_

#include <optional>

#include "onnxport/torch_program.h"
#include "runtime/ir/graph.h"
#include "runtime/sources/torch/examples.h"
#include "runtime/sources/torch/recorder.h"

namespace onnxport::torch_export {

// The program to run; references outlive it.
struct Runnable {
  const TorchProgram& program;
  const Examples& examples;
  bool weights_vary = false;       // the model may have other values of parameters and buffers
  PlacesOfCalls* asked = nullptr;  // filled by the run; see RunRecorder
};

// Throws Refusal (kRaised) if the program itself throws, and Error for calls that the recorder refuses.
Recording Record(const Runnable& runnable, const Examples::Arguments& arguments);

// Returns true if its weights are on the meta device, so that a run has no values.
bool IsWithoutMemory(const TorchProgram& program);
// Also throws Error if the result type of a call depends on values.
Recording RecordWithoutMemory(const Runnable& runnable, const Sizes& sizes);

// A run without memory of a program that has some; nothing where it has no end. `seen`: what a run with values gave.
std::optional<ir::Graph> RecordTypes(const Runnable& runnable, const Sizes& sizes, const ir::Graph& seen);

}  // namespace onnxport::torch_export

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCH_RECORD_H_
