// ATen calls -> ONNX nodes.
#ifndef ONNXPORT_RUNTIME_LOWERING_LOWER_H_
#define ONNXPORT_RUNTIME_LOWERING_LOWER_H_

#include <string>
#include <vector>

#include "runtime/ir/graph.h"

namespace onnxport::lowering {

struct LowerOptions {
  int opset = 0;
};

// Lowers a functionalised graph by the dispatch table (dispatch.h), at exactly this opset.
//
// Inputs (used or not) and weights stay as they are and in their order; every node keeps its location. Dimensions that
// the source states are kept, and a result that contradicts what the source says of it is never written.
// Host constants among the outputs become constants; None is left out, with a sentence in `remarks` (may be null).
//
// Throws onnxport::Error: kUsage for an opset outside `SupportedOpsets()`; kCannotExport with one report of all calls
// that cannot be lowered: each operator with its reason, how often and where it is called, and an opset that would do.
ir::Graph Lower(const ir::Graph& aten, const LowerOptions& options, std::vector<std::string>* remarks = nullptr);

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_LOWER_H_
