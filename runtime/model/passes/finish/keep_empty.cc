#include "runtime/model/passes/finish/keep_empty.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "runtime/ir/read_node.h"
#include "runtime/model/passes/graph/new_weight.h"
#include "runtime/model/passes/graph/rewrite.h"
#include "runtime/onnx/known_tensor.h"
#include "runtime/onnx/permutation.h"

namespace onnxport::passes {
namespace {

constexpr int kSliceWithInputs = 10;

// Returns the axes that an Expand to `wanted` makes empty. None if an axis may grow, or if that is unknown.
std::vector<int64_t> EmptiedAxes(const ir::Dims& dims, const ir::Dims& wanted) {
  std::vector<int64_t> axes;
  if (wanted.size() > dims.size()) return axes;
  const size_t more = dims.size() - wanted.size();
  for (size_t i = 0; i < wanted.size(); ++i) {
    const ir::Dim& size = wanted[i];
    if (size == ir::Dim(0)) {
      axes.push_back(static_cast<int64_t>(more + i));
    } else if (!(size == ir::Dim(1)) && !(size == dims[more + i])) {
      return {};
    }
  }
  return axes;
}

void TakeNone(const std::vector<int64_t>& axes, ir::Node* node, ir::Graph* graph) {
  const std::vector<int64_t> zeros(axes.size(), 0);
  node->op = "Slice";
  node->inputs.resize(1);
  if (graph->opset < kSliceWithInputs) {
    for (const char* name : {"starts", "ends"}) node->attributes.push_back({name, onnx_ops::ToArg(zeros)});
    node->attributes.push_back({"axes", onnx_ops::ToArg(axes)});
    return;
  }
  const auto add = [&](const std::vector<int64_t>& ints) {
    const onnx_ops::KnownTensor tensor = {ir::DType::kInt64, {static_cast<int64_t>(ints.size())}, ints};
    return AddWeight(graph, ToTensorData(tensor), "", true);
  };
  const ir::ValueId none = add(zeros);
  node->inputs.insert(node->inputs.end(), {{none}, {none}, {add(axes)}});
}

}  // namespace

bool KeepEmpty(ir::Graph* graph) {
  std::vector<std::pair<ir::Node*, std::vector<int64_t>>> found;
  ForEachNode(graph->body, [&](ir::Node& node) {
    if (node.op != "Expand") return;
    const ir::Value& x = graph->value(InputAt(node, 0));
    const ir::Value& shape = graph->value(InputAt(node, 1));
    if (!x.dims || !shape.contents) return;
    std::vector<int64_t> axes = EmptiedAxes(*x.dims, *shape.contents);
    if (!axes.empty()) found.emplace_back(&node, std::move(axes));
  });
  for (const auto& [node, axes] : found) TakeNone(axes, node, graph);
  return !found.empty();
}

}  // namespace onnxport::passes
