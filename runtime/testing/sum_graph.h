// A small graph with weights.
#ifndef ONNXPORT_RUNTIME_TESTING_SUM_GRAPH_H_
#define ONNXPORT_RUNTIME_TESTING_SUM_GRAPH_H_

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/testing/graph_builder.h"

namespace onnxport::serializer {

// y = x + w0 + w1 + ...; each weight has the number of elements in `sizes`. w1 is 1, 2, 3, ...; x is float32[n, size].
inline ir::Graph SumGraph(int opset, const std::vector<int64_t>& sizes) {
  passes::GraphBuilder builder(opset);
  const ir::Dims dims = {ir::Dim::Symbol("n"), ir::Dim(sizes.front())};
  ir::ValueId last = builder.Input("x", dims);
  for (size_t i = 0; i < sizes.size(); ++i) {
    std::vector<float> elements(static_cast<size_t>(sizes[i]));
    std::iota(elements.begin(), elements.end(), static_cast<float>(i));
    const ir::ValueId weight = builder.Weight("w" + std::to_string(i), {sizes[i]}, passes::AsBytes(elements));
    const std::string node = "/Add_" + std::to_string(i);
    last = builder.Node("Add", {last, weight}, i + 1 == sizes.size() ? "y" : node + "_output_0", dims);
    builder.graph.body.nodes.back().name = node;
  }
  builder.Output(last);
  builder.graph.outputs.back().name = "y";
  return std::move(builder.graph);
}

}  // namespace onnxport::serializer

#endif  // ONNXPORT_RUNTIME_TESTING_SUM_GRAPH_H_
