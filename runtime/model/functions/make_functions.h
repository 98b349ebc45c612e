// Turns modules of the program into functions of the model.
#ifndef ONNXPORT_RUNTIME_MODEL_FUNCTIONS_MAKE_FUNCTIONS_H_
#define ONNXPORT_RUNTIME_MODEL_FUNCTIONS_MAKE_FUNCTIONS_H_

#include <cstddef>
#include <string>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/model/functions/function.h"

namespace onnxport::functions {

struct Options {
  std::vector<std::string> classes = {};  // see ModuleTree; empty: all
  size_t inputs = SIZE_MAX;               // number of the model's inputs that are no weights; those after them are
};

// Throws Error (kUsage) for an opset whose models cannot have functions.
void CheckOpset(int opset);

// Every call of a module becomes a node that calls a function. The function has the name of the module's class, and
// modules inside it are calls again. `graph` must be ready to be written.
//  1. Calls share a function if their nodes have the same operators, attributes and dtypes. Otherwise they call `Net`,
//     `Net_2` ...
//  2. Values from outside become inputs, in this order: results of other nodes, weights, constants. Constants that are
//     the same in all calls are inside the function.
//  3. Results that are used outside are outputs. If a result is used by other modules, too, and needs no weight, it is
//     made outside. For example, each module computes the same mask, and only one of them keeps the nodes.
//  4. A module with one node stays a node, unless its class is named. If another node lies between a module's nodes,
//     they become two functions (partition.h). The same holds for modules in subgraphs.
//  5. Nodes that call are named by the module's path, `/encoder/layer/0`. Names in a function are relative to it.
//
// Throws the errors of ModuleTree. Its time grows with the number of nodes and the depth of modules.
ModularGraph MakeFunctions(ir::Graph graph, const Options& options);

}  // namespace onnxport::functions

#endif  // ONNXPORT_RUNTIME_MODEL_FUNCTIONS_MAKE_FUNCTIONS_H_
