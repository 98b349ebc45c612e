#include "runtime/model/passes/simplify/simplify_shapes.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "runtime/ir/read_node.h"
#include "runtime/model/passes/graph/reshape_shape.h"
#include "runtime/model/passes/graph/rewrite.h"

namespace onnxport::passes {
namespace {

using ir::Dim;
using ir::Dims;
using Ints = std::vector<int64_t>;

bool AllNumbers(const Dims& dims) {
  return std::ranges::all_of(dims, [](const Dim& dim) { return dim.is_number(); });
}

// Axes are compared from the last one, as in broadcasting: [s0, 1] expanded to [4, s0, 3] is written [4, 1, 3].
std::optional<Ints> ExpandShape(const Dims& input, const Dims& wanted) {
  Ints shape;
  for (size_t i = 0; i < wanted.size(); ++i) {
    const size_t from_end = wanted.size() - i;
    const bool as_input = from_end <= input.size() && wanted[i] == input[input.size() - from_end];
    if (!as_input && !wanted[i].is_number()) return std::nullopt;
    shape.push_back(wanted[i].is_number() ? wanted[i].number() : 1);
  }
  return shape;
}

// The constant shape with the same effect as the node's; nothing if there is none, or it is constant already.
std::optional<Ints> ConstantShape(const ir::Graph& graph, const ir::Node& node) {
  const bool reshape = node.op == "Reshape" && IntAttribute(node, "allowzero", 0) == 0;
  const ir::ValueId data = InputAt(node, 0);
  const ir::ValueId shape = InputAt(node, 1);
  if (!(reshape || node.op == "Expand") || data == ir::ValueId::kNone || shape == ir::ValueId::kNone)
    return std::nullopt;
  const std::optional<Dims>& input = graph.value(data).dims;
  // The dimensions in the shape. A shape with a -1 or 0 among computed sizes is left alone.
  const Rare<Dims>& wanted = graph.value(shape).contents;
  if (!input || !wanted || AllNumbers(*wanted)) return std::nullopt;
  return reshape ? ReshapeShape(*input, *wanted, graph.ranges) : ExpandShape(*input, *wanted);
}

bool SimplifyBlock(ir::Graph* graph, ir::Block* block) {
  Insertions constants;
  bool changed = false;
  for (size_t i = 0; i < block->nodes.size(); ++i) {
    ir::Node& node = block->nodes[i];
    for (ir::Block& inner : node.blocks) changed |= SimplifyBlock(graph, &inner);
    if (const std::optional<Ints> shape = ConstantShape(*graph, node)) {
      node.inputs[1] = {constants.Before(i, IntsConstant(*shape, node.location, graph)).outputs[0]};
    }
  }
  return constants.Into(block) || changed;
}

}  // namespace

bool SimplifyShapes(ir::Graph* graph) { return SimplifyBlock(graph, &graph->body); }

}  // namespace onnxport::passes
