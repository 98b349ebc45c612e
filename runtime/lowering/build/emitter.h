// The ONNX graph under construction.
#ifndef ONNXPORT_RUNTIME_LOWERING_BUILD_EMITTER_H_
#define ONNXPORT_RUNTIME_LOWERING_BUILD_EMITTER_H_

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/lowering/build/choices.h"
#include "runtime/lowering/build/compute_in.h"
#include "runtime/lowering/build/sizes.h"
#include "runtime/lowering/build/val.h"
#include "runtime/lowering/types/free_sizes.h"
#include "runtime/lowering/types/inference.h"
#include "runtime/lowering/types/op_info.h"

namespace onnxport::lowering {

// Adds nodes to the end of the innermost open block. Every result has its type from ONNX's inference, and its contents
// where they follow from known ones. Throws Refusal for a node that the opset does not allow.
//
// It also keeps the facts about a value that are no part of the graph: its block, its bytes if it is a constant,
// whether it stands for a number. So they end with the value; that is why there are so many functions.
class Emitter {
 public:
  // `graph` must outlive this; its inputs and weights may be there already.
  Emitter(ir::Graph* graph, int opset, FreeSizes free_sizes = FreeSizes::kAsExported, Choices choices = {});
  Emitter(const Emitter&) = delete;

  ir::Graph& graph() { return graph_; }
  const ir::Graph& graph() const { return graph_; }
  const ir::Value& value(ir::ValueId id) const { return graph_.value(id); }
  int opset() const { return catalog_.opset(); }
  FreeSizes free_sizes() const { return free_sizes_; }
  const Choices& choices() const { return choices_; }
  // Returns true if a decision may assume that free sizes are neither 0 nor 1. An assumption that the graph's ranges do
  // not bear out is kept, for a remark.
  bool Assume(const ir::Dim& size);
  std::vector<ir::Dim> TakeAssumptions() { return std::exchange(assumptions_, {}); }
  // While it lives, conditions are decided by what is stated alone: nothing is assumed.
  class AsStated {
   public:
    explicit AsStated(Emitter* emitter) : emitter_(*emitter), outer_(std::exchange(emitter->as_stated_, true)) {}
    ~AsStated() { emitter_.as_stated_ = outer_; }
    AsStated(const AsStated&) = delete;

   private:
    Emitter& emitter_;
    bool outer_;
  };
  Sizes& sizes() { return sizes_; }

  // For the nodes to come.
  void set_location(ir::LocationId location) { location_ = location; }
  // The dtypes in which a spec's nodes compute (dsl/placement.h).
  void set_compute_in(const ComputeIn& dtypes) { compute_in_ = dtypes; }
  const ComputeIn& compute_in() const { return compute_in_; }

  // Throws Refusal for an operator that the opset does not have.
  const OpInfo& Op(std::string_view op);

  // A node whose inputs (values or None) and attributes are as the schema wants them.
  std::vector<ir::ValueId> AddNode(const OpInfo& op, std::vector<ir::Arg> inputs, std::vector<ir::Attribute> attributes,
                                   size_t outputs = 1);
  // The same with one result, by name.
  ir::ValueId Add(std::string_view op, std::vector<ir::Arg> inputs, std::vector<ir::Attribute> attributes = {});

  // The same with blocks and with results of these types, for If and Loop.
  std::vector<ir::ValueId> AddControl(std::string_view op, std::vector<ir::Arg> inputs, std::vector<ir::Block> blocks,
                                      std::vector<ir::Value> types);

  // A node of an operator without a schema, with results of these types. `version` of its domain; 0: not known.
  std::vector<ir::ValueId> AddCustom(const std::string& op, int version, std::vector<ir::Arg> inputs,
                                     std::vector<ir::Attribute> attributes, std::vector<ir::Value> types);
  // Returns true if a schema describes the operator at this opset.
  bool HasSchema(std::string_view op) { return catalog_.Find(op) != nullptr; }

  // Blocks of If and Loop. A value made inside one cannot be used outside; constants are made in the graph's body. A
  // block that has ended is part of no graph until a node has it, and may be dropped.
  void BeginBlock();
  ir::ValueId AddBlockInput(ir::Value type);
  bool IsBlockInput(ir::ValueId id) const { return block_inputs_.contains(id); }
  ir::Block EndBlock();
  // The nodes that `add` adds stand at the end of a block that has ended; after it no more is open than before.
  void Append(ir::Block* block, const std::function<void()>& add);
  // The innermost open block; 0 is the graph's body.
  int block() const { return open_.empty() ? 0 : open_.back().id; }
  bool IsOpen(int block) const;
  // Where the value was made.
  int BlockOf(ir::ValueId id) const;
  size_t depth() const { return open_.size(); }
  // Drops open blocks, after an error.
  void CloseTo(size_t depth);

  // Constant nodes; equal ones are one.
  ir::ValueId Constant(ir::DType dtype, std::vector<int64_t> shape, std::string bytes);
  // 0-d of a number, 1-d of a list of numbers.
  ir::ValueId Constant(const Val& value, ir::DType dtype);
  // The data of a Constant node or a weight; null for other values.
  std::shared_ptr<const ir::TensorData> DataOf(ir::ValueId id) const;
  void SetData(ir::ValueId id, std::shared_ptr<const ir::TensorData> data);
  // Follows the elements of a few integers from now on, as traced programs compute sizes with such constants.
  void ReadContents(ir::ValueId id);

  // A complex tensor of its parts, real[..., 2], and back (runtime/lowering/build/complex.h). From opset 13 on.
  ir::ValueId AsComplex(ir::ValueId parts);
  ir::ValueId PartsOf(ir::ValueId complex) const;

  // `id` itself when it has the dtype.
  ir::ValueId Cast(ir::ValueId id, ir::DType dtype);

  // Narrows a value's type to what is known from elsewhere; `dims` and `contents` replace unknown parts only.
  void Refine(ir::ValueId id, const ir::Value& stated);

  // A 0-d tensor that stands for a number of the source program: it counts as a number in type promotion.
  void MarkNumber(ir::ValueId id) { numbers_.insert(id); }
  bool IsNumber(ir::ValueId id) const { return numbers_.contains(id); }

 private:
  struct OpenBlock {
    int id;
    ir::Block block;
  };

  ir::ValueId AddValue(ir::Value value, int block);
  int IdOf(const ir::Block& block);
  void Open(OpenBlock block);
  ir::Block& current() { return open_.empty() ? graph_.body : open_.back().block; }
  void CheckOpen(const ir::Node& node) const;
  // A node that lacks its outputs only.
  std::vector<ir::ValueId> AddTyped(ir::Node node, std::vector<ir::Value> types);

  ir::Graph& graph_;
  OpCatalog catalog_;
  FreeSizes free_sizes_;
  Choices choices_;
  bool as_stated_ = false;
  std::vector<ir::Dim> assumptions_;
  std::vector<OpenBlock> open_;  // innermost last
  int last_block_ = 0;
  std::vector<int> blocks_;  // of values; absent: the graph's body
  TypeInference inference_;
  Sizes sizes_;
  ir::LocationId location_ = ir::LocationId::kNone;
  ComputeIn compute_in_;
  std::unordered_map<std::string, ir::ValueId> constants_;  // by dtype, shape and bytes
  std::unordered_map<ir::ValueId, std::shared_ptr<const ir::TensorData>> data_;
  std::unordered_map<ir::ValueId, ir::ValueId> parts_;  // of complex values
  std::unordered_set<ir::ValueId> numbers_;
  std::unordered_set<ir::ValueId> block_inputs_;
  std::unordered_set<ir::ValueId> empty_sequences_;
};

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_BUILD_EMITTER_H_
