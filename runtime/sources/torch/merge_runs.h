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

// The graph that all of them are: the same calls, where a number that differs is computed of the sizes of the tensors
// before it (`number_fit.h`; the last run is the one that checks). `input_dims`: of each input, with the named axes.
// Sizes of results that differ are left open: that they come out right is checked when the calls are lowered.
//
// Throws Error (kCannotExport) where the calls differ, and Refusal (kNotDecided) for a number that is no expression of
// sizes, since more runs may tell: with the operation, what was seen, and the sizes at which.
Merged Merge(const std::vector<Run>& runs, const std::vector<ir::Dims>& input_dims);

}  // namespace onnxport::torch_export

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCH_MERGE_RUNS_H_
