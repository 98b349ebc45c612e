// Names the nodes and values in the body of a function.
#ifndef ONNXPORT_RUNTIME_MODEL_FUNCTIONS_LOCAL_NAMES_H_
#define ONNXPORT_RUNTIME_MODEL_FUNCTIONS_LOCAL_NAMES_H_

#include <string>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/model/functions/body.h"

namespace onnxport::functions {

// "encoder.layer.0" becomes "/encoder/layer/0".
std::string PathName(const std::string& path);

// Names the nodes and values of a function's body so that the names fit each module that it represents. They are the
// names in the model without the path of the module: "/self/query/MatMul". Inputs from other nodes are `input`,
// `input_1` ..., weights `self.query.weight`, constants `constant` ..., results `output` ... `origins` are those of the
// block's inputs.
void NameLocally(const std::string& path, const std::vector<Origin>& origins, ir::Block* block, ir::Graph* graph);

}  // namespace onnxport::functions

#endif  // ONNXPORT_RUNTIME_MODEL_FUNCTIONS_LOCAL_NAMES_H_
