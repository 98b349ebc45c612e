// Checks that sizes fit, and that a named axis of an input stays free: nodes that would fix it at a number are refused.
#ifndef ONNXPORT_RUNTIME_ONNX_SIZE_CHECK_H_
#define ONNXPORT_RUNTIME_ONNX_SIZE_CHECK_H_

#include "runtime/onnx/node_view.h"
#include "runtime/onnx/op_facts.h"

namespace onnxport::onnx_ops {

// Throws Refusal if the node's inputs fit each other only for one number of a symbolic size. For example, [batch, 3] +
// [2, 3] fixes `batch` at 2, and so does the Reshape of [batch, 12] to [2, 12]. Also throws if two numbers do not fit:
// ONNX's inference does not compare all, such as the channels of a Conv and of its weight. Unknown sizes pass, and so
// do two symbolic ones that may be equal: they are checked at run time, as in PyTorch.
void CheckSizes(const OpFacts& facts, const NodeView& node);

}  // namespace onnxport::onnx_ops

#endif  // ONNXPORT_RUNTIME_ONNX_SIZE_CHECK_H_
