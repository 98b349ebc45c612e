// A part of a model that has a name.
#ifndef ONNXPORT_RUNTIME_MODEL_FUNCTIONS_FUNCTION_H_
#define ONNXPORT_RUNTIME_MODEL_FUNCTIONS_FUNCTION_H_

#include <memory>
#include <string>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/ir/location.h"

namespace onnxport::functions {

// Its values are of the graph that calls it, and nobody else's. They have the types that all calls have in common.
struct Function {
  std::string op;                                // of the nodes that call it: "torch.nn.modules.linear.Linear_2"
  ir::Block body;                                // captures nothing
  std::shared_ptr<const ir::ModuleCall> module;  // that it was made of
  std::vector<std::string> paths;                // of all modules that it stands for, the first included
};

// Nodes whose operator is that of a function call it. A function calls only earlier ones. Locations of these nodes lie
// behind those of the calls of the source.
struct ModularGraph {
  ir::Graph graph;
  std::vector<Function> functions;
};

}  // namespace onnxport::functions

#endif  // ONNXPORT_RUNTIME_MODEL_FUNCTIONS_FUNCTION_H_
