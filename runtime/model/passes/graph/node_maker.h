// Inserts nodes before others, while a pass walks over the nodes of the graph's body.
#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_GRAPH_NODE_MAKER_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_GRAPH_NODE_MAKER_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/model/passes/graph/rewrite.h"

namespace onnxport::passes {

// Returns a node without results.
ir::Node NewNode(std::string_view op, const std::vector<ir::ValueId>& inputs,
                 std::vector<ir::Attribute> attributes = {});

class NodeMaker {
 public:
  explicit NodeMaker(ir::Graph* graph) : graph_(graph) {}

  // Inserts the next nodes before node `index` of the body, with its location.
  void GoTo(size_t index) { GoTo(index, index); }
  // The same with the location of node `from`.
  void GoTo(size_t index, size_t from);

  // Returns a value that no node makes yet.
  ir::ValueId NewValue(ir::DType dtype, std::optional<ir::Dims> dims);

  // Returns the only result of a new node.
  ir::ValueId Make(std::string_view op, const std::vector<ir::ValueId>& inputs, ir::DType dtype,
                   std::optional<ir::Dims> dims, std::vector<ir::Attribute> attributes = {});
  ir::ValueId Make(ir::Node node, ir::DType dtype, std::optional<ir::Dims> dims);
  // Inserts a node with several results, whose values exist.
  void Put(ir::Node node);
  // The result has the dtype of the first input.
  ir::ValueId Make(std::string_view op, const std::vector<ir::ValueId>& inputs, ir::Dims dims);

  ir::ValueId Cast(ir::ValueId id, ir::DType to);
  ir::ValueId Ints(const std::vector<int64_t>& ints);  // 1-d, int64
  ir::ValueId Float(double number);                    // 0-d, float32
  // The size of one axis, int64 with the shape [1].
  ir::ValueId Size(ir::ValueId of, int64_t axis);
  // 1-d, int64. `of` has the sizes that are not numbers at these axes. From opset 15 on.
  ir::ValueId Shape(const ir::Dims& dims, ir::ValueId of, const std::vector<int64_t>& axes);
  // x[perm[0]], x[perm[1]], ...; x itself if the permutation changes nothing.
  ir::ValueId Transposed(ir::ValueId x, const std::vector<int64_t>& perm);

  // Call it after the last node.
  void Insert() { insertions_.Into(&graph_->body); }

 private:
  ir::Graph* graph_;
  Insertions insertions_;
  size_t at_ = 0;
  ir::LocationId location_ = ir::LocationId::kNone;
};

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_GRAPH_NODE_MAKER_H_
