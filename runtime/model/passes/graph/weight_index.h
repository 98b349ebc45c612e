// Finds the weights of a graph by their values.
#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_GRAPH_WEIGHT_INDEX_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_GRAPH_WEIGHT_INDEX_H_

#include <cstddef>
#include <initializer_list>
#include <string>
#include <unordered_map>

#include "runtime/ir/graph.h"

namespace onnxport::passes {

// Finds the weights that the graph had at construction. No weight may be erased afterwards.
class WeightIndex {
 public:
  explicit WeightIndex(ir::Graph* graph);
  // Null if the value is no weight. Valid until a weight is added.
  ir::Weight* Find(ir::ValueId id) const;
  // A name for a tensor made from these weights: their joined names. Values that are no weights, and weights without a
  // name, are skipped.
  std::string JoinedName(std::initializer_list<ir::ValueId> ids) const;

 private:
  ir::Graph* graph_;
  std::unordered_map<ir::ValueId, size_t> places_;
};

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_GRAPH_WEIGHT_INDEX_H_
