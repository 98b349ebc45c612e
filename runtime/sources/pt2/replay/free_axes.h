// Frees axes of inputs that torch.export fixed but the user wants free.
#ifndef ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_FREE_AXES_H_
#define ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_FREE_AXES_H_

#include <string>
#include <vector>

#include "runtime/inputs/inputs.h"
#include "runtime/ir/graph.h"
#include "runtime/lowering/options.h"

namespace onnxport::pt2 {

// Frees `axes`, which are already symbols in the inputs of `program`. Values computed from these inputs lose the types
// in the file that may depend on the fixed size, and inference gives them new ones. Throws Error (kCannotExport) with
// the calls in which a number may be that size or be computed from it, and with calls that are not valid for a free
// size. runtime/sources/README.md has the rules. `opset` is a supported one.
void FreeAxes(const std::vector<inputs::FreedAxis>& axes, int opset, const lowering::Options& options,
              ir::Graph* program);

// A remark for the user about a model with such axes.
std::string FreedRemark(const std::vector<inputs::FreedAxis>& axes);

}  // namespace onnxport::pt2

#endif  // ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_FREE_AXES_H_
