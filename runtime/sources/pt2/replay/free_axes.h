// Axes of inputs that torch.export fixed, and the user wants free.
#ifndef ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_FREE_AXES_H_
#define ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_FREE_AXES_H_

#include <string>
#include <vector>

#include "runtime/inputs/inputs.h"
#include "runtime/ir/graph.h"
#include "runtime/lowering/options.h"

namespace onnxport::pt2 {

// `axes` are symbols in the inputs of `program` already. What the file states of values that are computed of these
// inputs is only kept where it cannot come from the size that was fixed: inference says the rest. Throws Error
// (kCannotExport) that names the calls where a number may be that size or computed of it, and those that do not go with
// a free one; runtime/sources/README.md says by which rules. `opset` is one that there is.
void FreeAxes(const std::vector<inputs::FreedAxis>& axes, int opset, const lowering::Options& options,
              ir::Graph* program);

// A remark on a model with such axes, for the user.
std::string FreedRemark(const std::vector<inputs::FreedAxis>& axes);

}  // namespace onnxport::pt2

#endif  // ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_FREE_AXES_H_
