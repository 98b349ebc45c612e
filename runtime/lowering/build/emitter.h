// The ONNX graph under construction.
#ifndef ONNXPORT_RUNTIME_LOWERING_BUILD_EMITTER_H_
#define ONNXPORT_RUNTIME_LOWERING_BUILD_EMITTER_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/lowering/build/assumptions.h"
#include "runtime/lowering/build/blocks.h"
#include "runtime/lowering/build/choices.h"
#include "runtime/lowering/build/compute_in.h"
#include "runtime/lowering/build/sizes.h"
#include "runtime/lowering/build/val.h"
#include "runtime/lowering/build/value_facts.h"
#include "runtime/lowering/types/free_sizes.h"
#include "runtime/lowering/types/inference.h"
#include "runtime/lowering/types/op_info.h"

namespace onnxport::lowering {

// Adds nodes to the end of the innermost open block. ONNX's inference gives the type of every result. Contents are
// computed from known contents. Throws Refusal for a node that the opset does not allow.
//
// Its parts hold facts about the values that are not in the graph. These facts end with the values.
class Emitter {
 public:
  // `graph` must outlive this. It may already have inputs and weights.
  Emitter(ir::Graph* graph, int opset, FreeSizes free_sizes = FreeSizes::kAsExported, Choices choices = {});
  Emitter(const Emitter&) = delete;

  ir::Graph& graph() { return graph_; }
  const ir::Graph& graph() const { return graph_; }
  const ir::Value& value(ir::ValueId id) const { return graph_.value(id); }
  int opset() const { return catalog_.opset(); }
  const Choices& choices() const { return choices_; }
  // Assumptions behind decisions about the graph.
  Assumptions& assumptions() { return assumptions_; }
  const Assumptions& assumptions() const { return assumptions_; }
  Sizes& sizes() { return sizes_; }
  Blocks& blocks() { return blocks_; }
  ValueFacts& facts() { return facts_; }
  const ValueFacts& facts() const { return facts_; }

  // Sets the location of the next nodes.
  void set_location(ir::LocationId location) { location_ = location; }
  // The dtypes in which a spec's nodes compute (dsl/placement.h).
  ComputeIn& compute_in() { return compute_in_; }

  // Throws Refusal for an operator that the opset does not have.
  const OpInfo& Op(std::string_view op);

  // Adds a node. Inputs (values or None) and attributes must match the schema.
  std::vector<ir::ValueId> AddNode(const OpInfo& op, std::vector<ir::Arg> inputs, std::vector<ir::Attribute> attributes,
                                   size_t outputs = 1);
  // The same for an operator, by name, with one result.
  ir::ValueId Add(std::string_view op, std::vector<ir::Arg> inputs, std::vector<ir::Attribute> attributes = {});

  // The same for If and Loop: with blocks, and with results of these types.
  std::vector<ir::ValueId> AddControl(std::string_view op, std::vector<ir::Arg> inputs, std::vector<ir::Block> blocks,
                                      std::vector<ir::Value> types);

  // Adds a node of an operator without a schema, with results of these types. `version` is that of its domain; 0:
  // unknown.
  std::vector<ir::ValueId> AddCustom(const std::string& op, int version, std::vector<ir::Arg> inputs,
                                     std::vector<ir::Attribute> attributes, std::vector<ir::Value> types);
  // Returns true if a schema describes the operator at this opset.
  bool HasSchema(std::string_view op) { return catalog_.Find(op) != nullptr; }

  // Returns a Constant node; equal constants share one.
  ir::ValueId Constant(ir::DType dtype, std::vector<int64_t> shape, std::string bytes);
  // 0-d for a number, 1-d for a list of numbers.
  ir::ValueId Constant(const Val& value, ir::DType dtype);
  // Makes a complex tensor from its parts, real[..., 2], and back (runtime/lowering/build/complex.h). From opset 13 on.
  ir::ValueId AsComplex(ir::ValueId parts);
  ir::ValueId PartsOf(ir::ValueId complex) const;

  // Returns `id` itself if it has the dtype.
  ir::ValueId Cast(ir::ValueId id, ir::DType dtype);

  // Adds facts to the type of a value. `dims` and `contents` only replace unknown parts.
  void Refine(ir::ValueId id, const ir::Value& stated);

 private:
  // Adds a node that is complete except for its outputs.
  std::vector<ir::ValueId> AddTyped(ir::Node node, std::vector<ir::Value> types);

  ir::Graph& graph_;
  OpCatalog catalog_;
  Assumptions assumptions_;
  Choices choices_;
  TypeInference inference_;
  ValueFacts facts_;
  Sizes sizes_;
  Blocks blocks_;
  ir::LocationId location_ = ir::LocationId::kNone;
  ComputeIn compute_in_;
  std::unordered_map<std::string, ir::ValueId> constants_;  // by dtype, shape and bytes
  std::unordered_map<ir::ValueId, ir::ValueId> parts_;      // of complex values
  std::unordered_set<ir::ValueId> empty_sequences_;
};

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_BUILD_EMITTER_H_
