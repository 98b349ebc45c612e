#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_FINISH_KEEP_PADDING_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_FINISH_KEEP_PADDING_H_

#include "runtime/ir/graph.h"

namespace onnxport::passes {

// Sets an auto_pad that means no padding on a MaxPool without padding whose input comes from a Pad. ONNX Runtime moves
// a Pad of zeros into a MaxPool that has `pads`. But MaxPool pads with minus infinity, so results below zero would
// change. Returns true if anything changed.
bool KeepPadding(ir::Graph* graph);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_FINISH_KEEP_PADDING_H_
