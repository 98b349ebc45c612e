// Reads numbers that are literals in a program from its graph.
#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_GRAPH_CONSTANT_NUMBER_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_GRAPH_CONSTANT_NUMBER_H_

#include <optional>

#include "runtime/ir/graph.h"
#include "runtime/model/passes/graph/rewrite.h"
#include "runtime/onnx/known_tensor.h"

namespace onnxport::passes {

// The elements of a Constant from the program's code or from lowering; nothing for weights and large constants.
std::optional<onnx_ops::KnownTensor> ConstantElements(const Producers& producers, ir::ValueId id);

// The element of a constant float tensor with one element.
std::optional<double> ConstantNumber(const ir::Graph& graph, const Producers& producers, ir::ValueId id);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_GRAPH_CONSTANT_NUMBER_H_
