// Tensors that a pass makes, as weights of the graph.
#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_GRAPH_NEW_WEIGHT_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_GRAPH_NEW_WEIGHT_H_

#include <memory>
#include <string>

#include "runtime/ir/graph.h"

namespace onnxport::passes {

// A value of dtype and shape of `like`, which nothing gives yet.
ir::ValueId AddValueLike(ir::Graph* graph, const ir::TensorData& like);

// Behind the others, so that references to these are lost. `name` is empty for one that gets its name with the values.
ir::ValueId AddWeight(ir::Graph* graph, std::shared_ptr<const ir::TensorData> data, std::string name, bool constant);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_GRAPH_NEW_WEIGHT_H_
