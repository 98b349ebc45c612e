// Adds tensors that a pass makes as weights of the graph.
#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_GRAPH_NEW_WEIGHT_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_GRAPH_NEW_WEIGHT_H_

#include <memory>
#include <string>

#include "runtime/ir/graph.h"

namespace onnxport::passes {

// Returns a value with the dtype and shape of `like`, which no node makes yet.
ir::ValueId AddValueLike(ir::Graph* graph, const ir::TensorData& like);

// Adds it after the others; references to these become invalid. If `name` is empty, the naming pass gives it a name.
ir::ValueId AddWeight(ir::Graph* graph, std::shared_ptr<const ir::TensorData> data, std::string name, bool constant);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_GRAPH_NEW_WEIGHT_H_
