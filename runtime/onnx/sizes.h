// Computes sizes of results that ONNX's inference leaves open if sizes are symbols.
#ifndef ONNXPORT_RUNTIME_ONNX_SIZES_H_
#define ONNXPORT_RUNTIME_ONNX_SIZES_H_

#include "runtime/onnx/inferred_type.h"
#include "runtime/onnx/node_view.h"
#include "runtime/onnx/op_facts.h"

namespace onnxport::onnx_ops {

// Fills unknown sizes of the results that follow from symbolic sizes of the inputs, by the row of the node's operator.
// Known sizes stay.
void RepairSizes(const OpFacts& facts, const NodeView& node, InferredTypes* types);

}  // namespace onnxport::onnx_ops

#endif  // ONNXPORT_RUNTIME_ONNX_SIZES_H_
