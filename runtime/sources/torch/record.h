// One run of a program, as the calls that it made.
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
  bool weights_vary = false;       // parameters and buffers have other values in the model
  PlacesOfCalls* asked = nullptr;  // filled by the run; see RunRecorder
};

// Throws Refusal (kRaised) where the program itself fails, and Error for what the recorder refuses.
Recording Record(const Runnable& runnable, const Examples::Arguments& arguments);

// Weights of the meta device: no run of it has values.
bool IsWithoutMemory(const TorchProgram& program);
// Throws Error also where only values could tell what a call gives.
Recording RecordWithoutMemory(const Runnable& runnable, const Sizes& sizes);

// A run without memory of a program that has some; nothing where it has no end. `seen`: what a run with values gave.
std::optional<ir::Graph> RecordTypes(const Runnable& runnable, const Sizes& sizes, const ir::Graph& seen);

}  // namespace onnxport::torch_export

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCH_RECORD_H_
