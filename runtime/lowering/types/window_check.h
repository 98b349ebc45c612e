// Windows of convolutions and pooling that ONNX's inference takes and no runtime does.
#ifndef ONNXPORT_RUNTIME_LOWERING_TYPES_WINDOW_CHECK_H_
#define ONNXPORT_RUNTIME_LOWERING_TYPES_WINDOW_CHECK_H_

#include "runtime/ir/graph.h"

namespace onnxport::lowering {

// Throws Refusal for a kernel, a stride or a dilation below 1, and for a pool whose padding is as wide as its kernel.
void CheckWindow(const ir::Graph& graph, const ir::Node& node);

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_TYPES_WINDOW_CHECK_H_
