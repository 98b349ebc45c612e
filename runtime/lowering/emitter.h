// The ONNX graph under construction.
#ifndef ONNXPORT_RUNTIME_LOWERING_EMITTER_H_
#define ONNXPORT_RUNTIME_LOWERING_EMITTER_H_

#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/lowering/inference.h"
#include "runtime/lowering/op_info.h"
#include "runtime/lowering/sizes.h"
#include "runtime/lowering/val.h"

namespace onnxport::lowering {

// Adds nodes to the end of the graph's body. Every result has its type from ONNX's inference, and its contents where
// they follow from known ones. Throws Refusal for a node that the opset does not allow.
class Emitter {
 public:
  // `graph` must outlive this; its inputs and weights may be there already.
  Emitter(ir::Graph* graph, int opset);
  Emitter(const Emitter&) = delete;

  ir::Graph& graph() { return graph_; }
  const ir::Value& value(ir::ValueId id) const { return graph_.value(id); }
  int opset() const { return catalog_.opset(); }
  Sizes& sizes() { return sizes_; }

  // Of the nodes to come.
  void set_location(ir::LocationId location) { location_ = location; }

  // Throws Refusal for an operator that the opset does not have.
  const OpInfo& Op(std::string_view op);

  // A node whose inputs (values or None) and attributes are as the schema wants them.
  std::vector<ir::ValueId> AddNode(const OpInfo& op, std::vector<ir::Arg> inputs, std::vector<ir::Attribute> attributes,
                                   size_t outputs = 1);
  // The same with one result, by name.
  ir::ValueId Add(std::string_view op, std::vector<ir::Arg> inputs, std::vector<ir::Attribute> attributes = {});

  // Constant nodes; equal ones are one.
  ir::ValueId Constant(ir::DType dtype, std::vector<int64_t> shape, std::string bytes);
  // 0-d of a number, 1-d of a list of numbers.
  ir::ValueId Constant(const Val& value, ir::DType dtype);
  // What a Constant node or a weight holds; null for other values.
  std::shared_ptr<const ir::TensorData> DataOf(ir::ValueId id) const;
  void SetData(ir::ValueId id, std::shared_ptr<const ir::TensorData> data);

  // `id` itself when it has the dtype.
  ir::ValueId Cast(ir::ValueId id, ir::DType dtype);

  // Narrows a value's type to what is known from elsewhere; `dims` and `contents` replace unknown parts only.
  void Refine(ir::ValueId id, const ir::Value& stated);

  // A 0-d tensor that stands for a number of the source program: it counts as a number in type promotion.
  void MarkNumber(ir::ValueId id) { numbers_.insert(id); }
  bool IsNumber(ir::ValueId id) const { return numbers_.contains(id); }

 private:
  ir::ValueId AddValue(ir::DType dtype, std::optional<ir::Dims> dims, std::optional<ir::Dims> contents);

  ir::Graph& graph_;
  OpCatalog catalog_;
  TypeInference inference_;
  Sizes sizes_;
  ir::LocationId location_ = ir::LocationId::kNone;
  std::unordered_map<std::string, ir::ValueId> constants_;  // by dtype, shape and bytes
  std::unordered_map<ir::ValueId, std::shared_ptr<const ir::TensorData>> data_;
  std::unordered_set<ir::ValueId> numbers_;
};

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_EMITTER_H_
