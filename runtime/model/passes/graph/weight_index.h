// Finds the weights of a graph by their values.
#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_GRAPH_WEIGHT_INDEX_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_GRAPH_WEIGHT_INDEX_H_

#include <cstddef>
#include <initializer_list>
#include <string>
#include <unordered_map>

#include "runtime/ir/graph.h"

namespace onnxport::passes {

// Finds the weights that the graph had when this was made; none may be erased since.
class WeightIndex {
 public:
  explicit WeightIndex(ir::Graph* graph);
  // Null for a value that is none. Valid until a weight is added.
  ir::Weight* Find(ir::ValueId id) const;
  // The name of what is made of these weights: theirs, joined. Values that are none, and weights without a name, add
  // none.
  std::string JoinedName(std::initializer_list<ir::ValueId> ids) const;

 private:
  ir::Graph* graph_;
  std::unordered_map<ir::ValueId, size_t> places_;
};

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_GRAPH_WEIGHT_INDEX_H_
