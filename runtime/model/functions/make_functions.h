// Modules of the program as functions of the model.
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
  size_t inputs = SIZE_MAX;               // of the model that are no weights; those behind are
};

// Error (kUsage) for an opset whose files have no functions.
void CheckOpset(int opset);

// Every call of a module becomes a node that calls a function, which is named after the module's class and in which
// modules are calls again. `graph` is ready to be written.
//  1. Calls whose nodes are the same in operators, attributes and dtypes call one function; others `Net`, `Net_2` ...
//  2. Values from outside become inputs, in this order: results of other nodes, weights, constants.
//     Constants that are the same in all calls are in the function.
//  3. Results that are used outside are outputs. Results that a module shares with others and that take no weight are
//     made outside of it: they remain in one module where the same was computed in each.
//  4. A module with one node stays a node, unless its class is named. Nodes around something that is not the module's
//     become two functions (partition.h). Modules in subgraphs likewise.
//  5. Nodes that call are named by the module's path, `/encoder/layer/0`; names in a function are relative to it.
//
// Throws what ModuleTree throws. Takes time that grows with the nodes and how deep they lie in modules.
ModularGraph MakeFunctions(ir::Graph graph, const Options& options);

}  // namespace onnxport::functions

#endif  // ONNXPORT_RUNTIME_MODEL_FUNCTIONS_MAKE_FUNCTIONS_H_
