// Evaluates operators on elements of integers and bools, without a limit on their number.
#ifndef ONNXPORT_RUNTIME_ONNX_EVALUATE_ELEMENTS_H_
#define ONNXPORT_RUNTIME_ONNX_EVALUATE_ELEMENTS_H_

#include <cstdint>
#include <span>

#include "runtime/ir/graph.h"

namespace onnxport::onnx_ops {

// Evaluates an elementwise node; each input has as many elements as `result`. `dtype` is that of the first input.
// Returns the result's dtype. Returns kUndefined if the operator is not supported here, or if runtimes differ on an
// element (evaluate.h).
ir::DType EvaluateElements(const ir::Node& node, ir::DType dtype, std::span<const std::span<const int64_t>> inputs,
                           std::span<int64_t> result);

}  // namespace onnxport::onnx_ops

#endif  // ONNXPORT_RUNTIME_ONNX_EVALUATE_ELEMENTS_H_
