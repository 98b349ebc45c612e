#include "runtime/model/passes/attention/head_axes.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "runtime/ir/read_node.h"

namespace onnxport::passes {

using ir::Dims;
using ir::InputAt;
using ir::Node;
using ir::ValueId;

const Node* RotationOf(const ir::Graph& graph, const Producers& producers, const UseCounts& uses, ValueId x) {
  const Node* node = producers.Of(x);
  const bool is_one = node != nullptr && node->op == "RotaryEmbedding" && node->inputs.size() == 3 &&
                      uses.Count(x) == 1 && FindAttribute(*node, "num_heads") == nullptr;
  const auto& dims = is_one ? graph.value(InputAt(*node, 0)).dims : graph.value(x).dims;
  return is_one && dims && dims->size() == 4 ? node : nullptr;
}

Dims JoinHeadAxes(const Dims& dims) { return {dims[0], dims[2], dims[1] * dims[3]}; }

ValueId MakeJoined(const ir::Graph& graph, const Producers& producers, const UseCounts& uses, ValueId x,
                   NodeMaker* make) {
  const Dims& dims = *graph.value(x).dims;
  Dims joined = JoinHeadAxes(dims);
  if (const Node* node = RotationOf(graph, producers, uses, x)) {
    std::vector<ir::Attribute> attributes(node->attributes.begin(), node->attributes.end());
    attributes.push_back({"num_heads", {dims[1].number()}});
    const ValueId turned = MakeJoined(graph, producers, uses, InputAt(*node, 0), make);
    return make->Make("RotaryEmbedding", {turned, InputAt(*node, 1), InputAt(*node, 2)}, graph.value(x).dtype,
                      std::move(joined), std::move(attributes));
  }
  const ValueId turned = make->Transposed(x, {0, 2, 1, 3});
  const int64_t features = joined[2].number();
  return make->Make("Reshape", {turned, make->Ints({0, 0, features})}, std::move(joined));
}

}  // namespace onnxport::passes
