#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_PACKED_FUSE_DEQUANTIZE_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_PACKED_FUSE_DEQUANTIZE_H_

#include <string>

#include "runtime/ir/graph.h"

namespace onnxport::passes {

// Makes weights of few bits and a DequantizeLinear of the arithmetic that takes packed ones apart (GPTQ, AWQ,
// compressed-tensors), from opset 13 on:
// 1. A product reads (product_weights.h) `integers * scales` of constants alone (dequantize_plan.h), perhaps in another
//    order or shape, with 1,024 elements or more.
// 2. The model does not become larger: the packed weights are not needed for anything else.
// 3. A Gemm that transposes such a weight gets it transposed, as ONNX Runtime makes no MatMulNBits of it otherwise.
//
// The result stays the same, bit for bit. Returns whether anything changed.
bool FuseDequantize(ir::Graph* graph);

// The nearest candidate in a graph without such a node, and why it is none (nearest_node.h).
std::string WhyNoDequantize(const ir::Graph& graph);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_PACKED_FUSE_DEQUANTIZE_H_
