// Finds windows of convolutions and pools that ONNX's inference accepts but no runtime does.
#ifndef ONNXPORT_RUNTIME_ONNX_WINDOW_CHECK_H_
#define ONNXPORT_RUNTIME_ONNX_WINDOW_CHECK_H_

#include "runtime/onnx/node_view.h"
#include "runtime/onnx/op_facts.h"

namespace onnxport::onnx_ops {

// Throws Refusal for a kernel, a stride or a dilation below 1, and for a pool whose padding is as wide as its kernel.
// Ignores operators that are neither a convolution nor a pool.
void CheckWindow(const OpFacts& facts, const NodeView& node);

}  // namespace onnxport::onnx_ops

#endif  // ONNXPORT_RUNTIME_ONNX_WINDOW_CHECK_H_
