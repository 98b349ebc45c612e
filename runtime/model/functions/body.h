// Nodes that would be the body of a function.
#ifndef ONNXPORT_RUNTIME_MODEL_FUNCTIONS_BODY_H_
#define ONNXPORT_RUNTIME_MODEL_FUNCTIONS_BODY_H_

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/ir/graph.h"

namespace onnxport::functions {

// Where a value comes from.
enum class Origin : uint8_t { kComputed, kWeight, kConstant };

struct Body {
  std::vector<ir::Node> nodes;
  std::vector<ir::ValueId> outputs;

  // Values from outside, those of the nodes' blocks included: what is computed first, then weights, then constants.
  std::vector<ir::ValueId> inputs;
  std::vector<ir::ValueId> values;  // all, in the order of their first appearance
  // Equal for bodies that one function can stand for: the same operators, attributes and types (dtypes), joined in the
  // same way.
  std::string key;
};

// `origins`: by value.
Body Describe(const ir::Graph& graph, const std::vector<Origin>& origins, std::vector<ir::Node> nodes,
              std::vector<ir::ValueId> outputs);

// The block with other values in place of those that `replace` has, in blocks of its nodes, too.
void ReplaceValues(const std::unordered_map<ir::ValueId, ir::ValueId>& replace, ir::Block* block);

// Calls `visit` with each value that a node takes; those that it and nodes in its blocks take and those that its blocks
// give, wherever they are made.
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
