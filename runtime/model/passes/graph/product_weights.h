// Finds the axes of a weight that a product sums over.
#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_GRAPH_PRODUCT_WEIGHTS_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_GRAPH_PRODUCT_WEIGHTS_H_

#include <cstddef>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/ir/graph.h"

namespace onnxport::passes {

struct ProductAxes {
  size_t channel = 0;  // the axis of the output channels
  size_t summed = 0;   // the axis that is summed
};

struct WeightReaders {
  std::optional<ProductAxes> axes;  // of the first product that reads it
  std::string other;                // another operator that reads it, so that the weight must stay unchanged
  size_t first = 0;                 // index of the first node of the body that reads it, perhaps in its blocks
};

// Returns the weights of the graph that MatMul, Gemm, Conv, Einsum and Gather read, also through Transpose. A Gather
// from the first axis looks up rows, as in an embedding. Each row is a channel, and its elements count as summed. If a
// Linear shares the weight, it does sum them.
std::unordered_map<ir::ValueId, WeightReaders> FindProductWeights(const ir::Graph& graph);

// The same for these values, whose ranks are known.
std::unordered_map<ir::ValueId, WeightReaders> FindProductsOf(const std::vector<ir::ValueId>& values,
                                                              const ir::Graph& graph);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_GRAPH_PRODUCT_WEIGHTS_H_
