#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_WEIGHTS_REARRANGE_WEIGHTS_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_WEIGHTS_REARRANGE_WEIGHTS_H_

#include "runtime/ir/graph.h"

namespace onnxport::passes {

// Applies operators that only move the bytes of weights at export time. Slice (step 1), Concat, Reshape, Squeeze and
// Unsqueeze of only weights become one weight, which is assembled while it is written. An example are the gates of an
// LSTM, in ONNX's order. It has the name of its source (`a+b` for several). A weight is split only if no other use
// needs it whole and no byte would be written twice, so that the file does not grow. Returns true if anything changed.
bool RearrangeWeights(ir::Graph* graph);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_WEIGHTS_REARRANGE_WEIGHTS_H_
