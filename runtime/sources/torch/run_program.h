// A program of LibTorch, run with its examples, as a graph of ATen calls.
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
  std::vector<Run> runs;        // what it was found by
  bool without_memory = false;  // some of them had no values
  std::vector<std::string> remarks = {};
};

// How a program is run at further sizes. Without memory costs next to nothing, where LibTorch can tell the types of
// results without values; a run in which it cannot is made anew with values.
enum class FurtherRuns { kWithoutMemory, kWithValues };

// Runs it once, or with free axes at several sizes. Throws Error.
Calls RunProgram(const Runnable& runnable, FurtherRuns further);

// The same error with the places of the calls that it is about, as far as they are found. For that the program runs
// once more: looking for the place of each call would make every export slower, for the few that fail.
Error WithPlaces(const Error& error, const Runnable& runnable);

}  // namespace onnxport::torch_export

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCH_RUN_PROGRAM_H_
