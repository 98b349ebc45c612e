// Computes elements of integers and bools, as many of them as there are.
#ifndef ONNXPORT_RUNTIME_ONNX_EVALUATE_ELEMENTS_H_
#define ONNXPORT_RUNTIME_ONNX_EVALUATE_ELEMENTS_H_

#include <cstdint>
#include <span>

#include "runtime/ir/graph.h"

namespace onnxport::onnx_ops {

// Evaluates a node that computes element by element on elements of its inputs, as many of each as `result` has. `dtype`
// is that of the first input. Returns the result's dtype; kUndefined when the operator is none of those known here, or
// when runtimes differ on an element (evaluate.h).
ir::DType EvaluateElements(const ir::Node& node, ir::DType dtype, std::span<const std::span<const int64_t>> inputs,
                           std::span<int64_t> result);

}  // namespace onnxport::onnx_ops

#endif  // ONNXPORT_RUNTIME_ONNX_EVALUATE_ELEMENTS_H_
