// Several runs of one program, at other sizes, as one graph whose sizes are free.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCH_MERGE_RUNS_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCH_MERGE_RUNS_H_

#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/sources/torch/compare_runs.h"

namespace onnxport::torch_export {

struct Merged {
  ir::Graph graph;
  bool sure = true;  // false: more runs should decide of what some number is computed
};

// The graph that all of them are: the same calls, where a number that differs is computed from the sizes of the tensors
// before it. `number_fit.h` finds how; the last run is the one that checks. `input_dims` are those of each input, with
// the named axes. Sizes of results that differ are left open: lowering the calls checks that they come out right.
//
// Throws Error (kCannotExport) where the calls differ. Throws Refusal (kNotDecided) for a number that is no expression
// of sizes, since more runs may tell. It names the operation, the numbers seen, and the sizes.
Merged Merge(const std::vector<Run>& runs, const std::vector<ir::Dims>& input_dims);

}  // namespace onnxport::torch_export

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCH_MERGE_RUNS_H_
