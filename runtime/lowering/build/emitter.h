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

// Adds nodes to the end of the innermost open block. Every result has its type from ONNX's inference, and its contents
// where they follow from known ones. Throws Refusal for a node that the opset does not allow.
//
// Its parts keep what is known of the values and is no part of the graph; so that ends with the values.
class Emitter {
 public:
  // `graph` must outlive this; its inputs and weights may be there already.
  Emitter(ir::Graph* graph, int opset, FreeSizes free_sizes = FreeSizes::kAsExported, Choices choices = {});
  Emitter(const Emitter&) = delete;

  ir::Graph& graph() { return graph_; }
  const ir::Graph& graph() const { return graph_; }
  const ir::Value& value(ir::ValueId id) const { return graph_.value(id); }
  int opset() const { return catalog_.opset(); }
  const Choices& choices() const { return choices_; }
  // Those that decisions about the graph make.
  Assumptions& assumptions() { return assumptions_; }
  const Assumptions& assumptions() const { return assumptions_; }
  Sizes& sizes() { return sizes_; }
  Blocks& blocks() { return blocks_; }
  ValueFacts& facts() { return facts_; }
  const ValueFacts& facts() const { return facts_; }

  // For the nodes to come.
  void set_location(ir::LocationId location) { location_ = location; }
  // The dtypes in which a spec's nodes compute (dsl/placement.h).
  ComputeIn& compute_in() { return compute_in_; }

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

  // Constant nodes; equal ones are one.
  ir::ValueId Constant(ir::DType dtype, std::vector<int64_t> shape, std::string bytes);
  // 0-d of a number, 1-d of a list of numbers.
  ir::ValueId Constant(const Val& value, ir::DType dtype);
  // A complex tensor of its parts, real[..., 2], and back (runtime/lowering/build/complex.h). From opset 13 on.
  ir::ValueId AsComplex(ir::ValueId parts);
  ir::ValueId PartsOf(ir::ValueId complex) const;

  // `id` itself when it has the dtype.
  ir::ValueId Cast(ir::ValueId id, ir::DType dtype);

  // Narrows a value's type to what is known from elsewhere; `dims` and `contents` replace unknown parts only.
  void Refine(ir::ValueId id, const ir::Value& stated);

 private:
  // A node that lacks its outputs only.
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
