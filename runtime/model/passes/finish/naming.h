// Names of everything in an ONNX file.
#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_FINISH_NAMING_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_FINISH_NAMING_H_

#include <cstddef>
#include <string>
#include <vector>

#include "runtime/ir/graph.h"

namespace onnxport::passes {

struct NamingOptions {
  std::vector<std::string> input_names = {};  // of the first ones, in order; the others keep the model's own
  std::vector<std::string> output_names = {};
  // The names of the first parameters and buffers that the graph has. "..." at the end counts on: "w_0", "...".
  std::vector<std::string> parameter_names = {};
  std::vector<std::string> state = {};  // the program's parameters and buffers, in its order
  // Inputs from this one on are weights without elements.
  size_t first_weight_input = 0;
};

// Error (kUsage) for names that no model could take: empty, not valid, or given twice.
void CheckNaming(const NamingOptions& options);

// Inputs, outputs and weights get the given names. Throws what CheckNaming throws, and Error (kUsage) when there are
// more than the model has, or one that another input, output or weight has.
void NamePorts(ir::Graph* graph, const NamingOptions& options);

// Sets the name of every value and node.
//  1. Inputs and outputs: those of their ports.
//  2. Weights keep their names in the model (`layer1.0.conv1.weight`); constants are `constant`, `constant_1` ...
//  3. Nodes are named by module and operator: `/layer1/0/conv1/Conv`; their results `/layer1/0/conv1/Conv_output_0`.
//  4. Inside the subgraphs of a node likewise; a Loop's body has `/Loop_iteration`, `/Loop_condition`,
//     `/Loop_carried_0`.
//  5. All names differ, across values, nodes and subgraphs; who comes later in this list gets `_1`, `_2` ... They are
//     valid UTF-8 without control characters, at most kLongestName bytes, and the same in every run.
void NameValues(ir::Graph* graph);

inline constexpr size_t kLongestName = 240;  // bytes

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_FINISH_NAMING_H_
