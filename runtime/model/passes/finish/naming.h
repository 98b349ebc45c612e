// Names everything in an ONNX file.
#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_FINISH_NAMING_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_FINISH_NAMING_H_

#include <cstddef>
#include <string>
#include <vector>

#include "runtime/ir/graph.h"

namespace onnxport::passes {

struct NamingOptions {
  std::vector<std::string> input_names = {};  // names of the first ones, in order; the others keep the model's names
  std::vector<std::string> output_names = {};
  // Names of the first parameters and buffers of the graph. "..." at the end continues counting: "w_0", "...".
  std::vector<std::string> parameter_names = {};
  std::vector<std::string> state = {};  // the program's parameters and buffers, in its order
  // Inputs from this index on are weights without elements.
  size_t first_weight_input = 0;
};

// Throws Error (kUsage) for names that no model could have: empty, invalid, or given twice.
void CheckNaming(const NamingOptions& options);

// Gives inputs, outputs and weights their names. Throws the errors of CheckNaming. Throws Error (kUsage) if there are
// more names than ports, or if another input, output or weight has a name.
void NamePorts(ir::Graph* graph, const NamingOptions& options);

// Names every value and node.
//  1. Inputs and outputs have the names of their ports.
//  2. Weights keep their names in the model (`layer1.0.conv1.weight`); constants are `constant`, `constant_1` ...
//  3. Nodes are named by module and operator: `/layer1/0/conv1/Conv`; their results `/layer1/0/conv1/Conv_output_0`.
//  4. The same holds in subgraphs of a node; a Loop's body has `/Loop_iteration`, `/Loop_condition`,
//     `/Loop_carried_0`.
//  5. All names differ, across values, nodes and subgraphs; later ones in this list get `_1`, `_2` ... They are valid
//     UTF-8 without control characters, at most kLongestName bytes, and the same in every export.
void NameValues(ir::Graph* graph);

inline constexpr size_t kLongestName = 240;  // bytes

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_FINISH_NAMING_H_
