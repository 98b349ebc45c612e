#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_PACKED_FUSE_DEQUANTIZE_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_PACKED_FUSE_DEQUANTIZE_H_

#include <string>

#include "runtime/ir/graph.h"

namespace onnxport::passes {

// Replaces the arithmetic that unpacks packed weights (GPTQ, AWQ, compressed-tensors) by weights of few bits and a
// DequantizeLinear, from opset 13 on:
// 1. A product (product_weights.h) reads `integers * scales`, computed only from constants (dequantize_plan.h), perhaps
//    in another order or shape, with at least 1,024 elements.
// 2. The model does not become larger: nothing else needs the packed weights.
// 3. A Gemm that transposes such a weight gets it transposed, because otherwise ONNX Runtime does not fuse it to
//    MatMulNBits.
//
// The result stays the same, bit for bit. Returns true if anything changed.
bool FuseDequantize(ir::Graph* graph);

// The nearest candidate in a graph without such a node, and why it is none (nearest_node.h).
std::string WhyNoDequantize(const ir::Graph& graph);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_PACKED_FUSE_DEQUANTIZE_H_
