// Axes of inputs that torch.export fixed, and the user wants free.
#ifndef ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_FREE_AXES_H_
#define ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_FREE_AXES_H_

#include <string>
#include <vector>

#include "runtime/inputs/inputs.h"
#include "runtime/ir/graph.h"
#include "runtime/lowering/options.h"

namespace onnxport::pt2 {

// Frees `axes`, which are symbols in the inputs of `program` already. Values that are computed from these inputs lose
// the types that the file states, where these can come from the size that was fixed. Inference gives them new ones.
// Throws Error (kCannotExport) that names the calls where a number may be that size or computed from it. It also
// names those that are not valid with a free size. runtime/sources/README.md has the rules. `opset` is a supported one.
void FreeAxes(const std::vector<inputs::FreedAxis>& axes, int opset, const lowering::Options& options,
              ir::Graph* program);

// A remark on a model with such axes, for the user.
std::string FreedRemark(const std::vector<inputs::FreedAxis>& axes);

}  // namespace onnxport::pt2

#endif  // ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_FREE_AXES_H_
