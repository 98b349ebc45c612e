// Functions of a model.
#ifndef ONNXPORT_RUNTIME_MODEL_FUNCTIONS_FUNCTION_H_
#define ONNXPORT_RUNTIME_MODEL_FUNCTIONS_FUNCTION_H_

#include <memory>
#include <string>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/ir/location.h"

namespace onnxport::functions {

// Its values belong to the graph that calls it, and are not used elsewhere. Their types are what all calls have in
// common.
struct Function {
  std::string op;                                // operator of its calls: "torch.nn.modules.linear.Linear_2"
  ir::Block body;                                // captures nothing
  std::shared_ptr<const ir::ModuleCall> module;  // the module that it was made from
  std::vector<std::string> paths;                // paths of all modules that it represents, including the first
};

// A node calls a function if the function's name is its operator. A function calls only earlier ones. The locations of
// these nodes come after those of the source's calls.
struct ModularGraph {
  ir::Graph graph;
  std::vector<Function> functions;
};

}  // namespace onnxport::functions

#endif  // ONNXPORT_RUNTIME_MODEL_FUNCTIONS_FUNCTION_H_
