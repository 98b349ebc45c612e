// Sizes must fit, and a named axis of an input stays free: what would fix it at a number is refused.
#ifndef ONNXPORT_RUNTIME_ONNX_SIZE_CHECK_H_
#define ONNXPORT_RUNTIME_ONNX_SIZE_CHECK_H_

#include "runtime/onnx/node_view.h"
#include "runtime/onnx/op_facts.h"

namespace onnxport::onnx_ops {

// Throws Refusal when the node's inputs fit each other only if a symbolic size is one certain number. For example,
// [batch, 3] + [2, 3] fixes `batch` at 2, as does the Reshape of [batch, 12] to [2, 12]. Also throws when two numbers
// do not fit: ONNX's inference does not look everywhere, as at the channels of a Conv and of its weight.
// Sizes that are unknown, and two symbolic ones that may be equal, pass: a run of the model checks them as PyTorch
// would.
void CheckSizes(const OpFacts& facts, const NodeView& node);

}  // namespace onnxport::onnx_ops

#endif  // ONNXPORT_RUNTIME_ONNX_SIZE_CHECK_H_
