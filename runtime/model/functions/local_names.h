// Names in the body of a function.
#ifndef ONNXPORT_RUNTIME_MODEL_FUNCTIONS_LOCAL_NAMES_H_
#define ONNXPORT_RUNTIME_MODEL_FUNCTIONS_LOCAL_NAMES_H_

#include <string>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/model/functions/body.h"

namespace onnxport::functions {

// "/encoder/layer/0" of "encoder.layer.0"
std::string PathName(const std::string& path);

// Gives the nodes and values of a function's body names that hold for each module that it stands for. They are those of
// the model without the path of the module: "/self/query/MatMul". Results of others that it takes are `input`,
// `input_1` ..., weights `self.query.weight`, constants `constant` ..., its results `output` ... `origins` are those of
// the block's inputs.
void NameLocally(const std::string& path, const std::vector<Origin>& origins, ir::Block* block, ir::Graph* graph);

}  // namespace onnxport::functions

#endif  // ONNXPORT_RUNTIME_MODEL_FUNCTIONS_LOCAL_NAMES_H_
