#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_FINISH_KEEP_PADDING_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_FINISH_KEEP_PADDING_H_

#include "runtime/ir/graph.h"

namespace onnxport::passes {

// A MaxPool without padding of its own says so by auto_pad where its input comes from a Pad: ONNX Runtime moves a Pad
// of zeros into a MaxPool with `pads`, which takes the padding for minus infinity, and values below zero come out
// otherwise. Returns whether anything changed.
bool KeepPadding(ir::Graph* graph);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_FINISH_KEEP_PADDING_H_
