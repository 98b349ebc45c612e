#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_ATTENTION_FUSE_SKIP_NORMS_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_ATTENTION_FUSE_SKIP_NORMS_H_

#include "runtime/ir/graph.h"

namespace onnxport::passes {

// Makes com.microsoft.SkipSimplifiedLayerNormalization of an RMSNormalization over the last axis and the sum in front
// of it, which it gives, too: others use it, such as the next sum. A LayerNormalization with its sum is left to ONNX
// Runtime, which makes one of them itself when it loads a model. Returns whether anything changed.
bool FuseSkipNorms(ir::Graph* graph);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_ATTENTION_FUSE_SKIP_NORMS_H_
