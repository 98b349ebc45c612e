#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_WEIGHTS_REARRANGE_WEIGHTS_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_WEIGHTS_REARRANGE_WEIGHTS_H_

#include "runtime/ir/graph.h"

namespace onnxport::passes {

// Does at export time the operators that only move the bytes of weights. Slice (step 1), Concat, Reshape, Squeeze and
// Unsqueeze of nothing but weights become one weight, put together while it is written: the gates of an LSTM, in ONNX's
// order. It keeps the name of its source (`a+b` of several). A weight is taken apart only when no other use needs it
// whole and no byte would be written twice, so that the file does not grow. Returns whether anything changed.
bool RearrangeWeights(ir::Graph* graph);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_WEIGHTS_REARRANGE_WEIGHTS_H_
