// Runs a program of LibTorch with its examples, and returns a graph of ATen calls.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCH_RUN_PROGRAM_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCH_RUN_PROGRAM_H_

#include <vector>

#include "runtime/base/error.h"
#include "runtime/ir/graph.h"
#include "runtime/sources/torch/compare_runs.h"
#include "runtime/sources/torch/record.h"

namespace onnxport::torch_export {

struct Calls {
  ir::Graph graph;
  std::vector<Run> runs;        // the runs behind it
  bool without_memory = false;  // some runs had no values
  std::vector<std::string> remarks = {};
};

// How further sizes are tried. A run without memory costs next to nothing, if LibTorch can tell the types of results
// without values. If it cannot, the run is repeated with values.
enum class FurtherRuns { kWithoutMemory, kWithValues };

// Runs the program once, or at several sizes if it has free axes. Throws Error.
Calls RunProgram(const Runnable& runnable, FurtherRuns further);

// Adds to the error the places of its calls, if they can be found. For this the program runs once more. To record the
// places in every run would make every export slower.
Error WithPlaces(const Error& error, const Runnable& runnable);

}  // namespace onnxport::torch_export

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCH_RUN_PROGRAM_H_
