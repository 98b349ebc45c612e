// The body of a possible function: its nodes and values.
#ifndef ONNXPORT_RUNTIME_MODEL_FUNCTIONS_BODY_H_
#define ONNXPORT_RUNTIME_MODEL_FUNCTIONS_BODY_H_

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/ir/graph.h"

namespace onnxport::functions {

// The origin of a value.
enum class Origin : uint8_t { kComputed, kWeight, kConstant };

struct Body {
  std::vector<ir::Node> nodes;
  std::vector<ir::ValueId> outputs;

  // Values from outside, including those of the nodes' blocks: computed values first, then weights, then constants.
  std::vector<ir::ValueId> inputs;
  std::vector<ir::ValueId> values;  // all values, in the order of their first use
  // Two bodies can share a function if their keys are equal. Then their operators, attributes and types (dtypes) are
  // the same, and the nodes are connected in the same way.
  std::string key;
};

// `origins` are those of the values, by id.
Body Describe(const ir::Graph& graph, const std::vector<Origin>& origins, std::vector<ir::Node> nodes,
              std::vector<ir::ValueId> outputs);

// Replaces values in the block, and in blocks of its nodes, as `replace` says.
void ReplaceValues(const std::unordered_map<ir::ValueId, ir::ValueId>& replace, ir::Block* block);

// Calls `visit` with each value that a node uses: its inputs, the inputs of nodes in its blocks, and the outputs of its
// blocks.
template <typename Visit>
void ForEachUse(const ir::Node& node, const Visit& visit) {
  for (const ir::Arg& input : node.inputs) {
    if (const ir::ValueId* id = input.value()) visit(*id);
  }
  for (const ir::Block& block : node.blocks) {
    for (const ir::Node& inner : block.nodes) ForEachUse(inner, visit);
    for (const ir::Arg& output : block.outputs) visit(*output.value());
  }
}

}  // namespace onnxport::functions

#endif  // ONNXPORT_RUNTIME_MODEL_FUNCTIONS_BODY_H_
