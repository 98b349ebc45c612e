// Names of everything in an ONNX file.
#ifndef ONNXPORT_RUNTIME_PASSES_NAMING_H_
#define ONNXPORT_RUNTIME_PASSES_NAMING_H_

#include <string>
#include <vector>

#include "runtime/ir/graph.h"

namespace onnxport::passes {

struct NamingOptions {
  std::vector<std::string> input_names = {};  // all of them in order, or empty: the model's own
  std::vector<std::string> output_names = {};
};

// Sets the name of every value and node.
//  1. Inputs and outputs: the given names, else the model's.
//  2. Weights keep their names in the model (`layer1.0.conv1.weight`); constants are `constant`, `constant_1` ...
//  3. Nodes are named by module and operator: `/layer1/0/conv1/Conv`; their results `/layer1/0/conv1/Conv_output_0`.
//  4. Inside the subgraphs of a node likewise; a Loop's body has `/Loop_iteration`, `/Loop_condition`,
//  `/Loop_carried_0`.
//  5. All names differ, across values, nodes and subgraphs; who comes later in this list gets `_1`, `_2` ... They are
//  valid UTF-8
//     without control characters, at most kLongestName bytes, and the same in every run.
// Throws Error (kUsage) when the count of given names is not the model's, or one is empty, not valid, or given twice.
void NameValues(ir::Graph* graph, const NamingOptions& options = {});

inline constexpr size_t kLongestName = 240;  // bytes

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_PASSES_NAMING_H_
