// Facts about values of the graph, beside their types.
#ifndef ONNXPORT_RUNTIME_LOWERING_BUILD_VALUE_FACTS_H_
#define ONNXPORT_RUNTIME_LOWERING_BUILD_VALUE_FACTS_H_

#include <memory>
#include <unordered_map>
#include <unordered_set>

#include "runtime/ir/graph.h"
#include "runtime/lowering/types/inference.h"

namespace onnxport::lowering {

class ValueFacts {
 public:
  // Data of values are passed on to `inference`.
  ValueFacts(ir::Graph* graph, TypeInference* inference) : graph_(*graph), inference_(*inference) {}
  ValueFacts(const ValueFacts&) = delete;

  // The data of a Constant node or a weight; null for other values.
  std::shared_ptr<const ir::TensorData> DataOf(ir::ValueId id) const;
  void SetData(ir::ValueId id, std::shared_ptr<const ir::TensorData> data);
  // Tracks the elements of a value with a few integers from now on: traced programs compute sizes with such constants.
  void ReadContents(ir::ValueId id);

  // Marks a 0-d tensor as a number of the source program: type promotion treats it as a number.
  void MarkNumber(ir::ValueId id) { numbers_.insert(id); }
  bool IsNumber(ir::ValueId id) const { return numbers_.contains(id); }

 private:
  ir::Graph& graph_;
  TypeInference& inference_;
  std::unordered_map<ir::ValueId, std::shared_ptr<const ir::TensorData>> data_;
  std::unordered_set<ir::ValueId> numbers_;
};

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_BUILD_VALUE_FACTS_H_
