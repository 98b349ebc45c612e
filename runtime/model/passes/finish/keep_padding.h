#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_FINISH_KEEP_PADDING_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_FINISH_KEEP_PADDING_H_

#include "runtime/ir/graph.h"

namespace onnxport::passes {

// Gives a MaxPool without padding of its own an auto_pad that says so where its input comes from a Pad. ONNX Runtime
// moves a Pad of zeros into a MaxPool with `pads`. That takes the padding for minus infinity, and values below zero
// come out otherwise. Returns whether anything changed.
bool KeepPadding(ir::Graph* graph);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_FINISH_KEEP_PADDING_H_
