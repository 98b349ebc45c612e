// Which axes of a weight a product runs over.
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
  size_t channel = 0;  // that of the result: there is a number for each output channel
  size_t summed = 0;   // that is summed over
};

struct WeightReaders {
  std::optional<ProductAxes> axes;  // of the first product that reads it
  std::string other;                // an operator that reads it and is none: the weight has to stay what it is
  size_t first = 0;                 // the node of the graph's body that reads it first, or one of whose blocks does
};

// The weights of the graph that MatMul, Gemm, Conv, Einsum and Gather read, also through Transpose. A Gather from the
// first axis looks up rows, as of an embedding: each is a channel, and its elements count as summed. If a Linear shares
// the weight, they are summed there.
std::unordered_map<ir::ValueId, WeightReaders> FindProductWeights(const ir::Graph& graph);

// The same of these values, whose ranks are known.
std::unordered_map<ir::ValueId, WeightReaders> FindProductsOf(const std::vector<ir::ValueId>& values,
                                                              const ir::Graph& graph);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_GRAPH_PRODUCT_WEIGHTS_H_
