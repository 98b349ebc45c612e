// Where functional calls go.
#ifndef ONNXPORT_RUNTIME_FUNCTIONALIZE_BUILDER_H_
#define ONNXPORT_RUNTIME_FUNCTIONALIZE_BUILDER_H_

#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/ir/stated.h"

namespace onnxport::functionalize {

// Functional calls, one after another, and the values that they give in a graph of ATen calls.
class Builder {
 public:
  explicit Builder(ir::Graph* graph) : graph_(graph) {}
  virtual ~Builder() = default;

  const ir::Graph& graph() const { return *graph_; }
  // Calls made from now on came from there.
  void SetLocation(ir::LocationId location) { location_ = location; }
  ir::LocationId location() const { return location_; }

  // The results, as many as the call has; those that are values become `node->outputs`, lists flattened. They are what
  // is stated of them, where something is (`stated` may be null).
  // Throws Error (kCannotExport) past two million calls: views of views, each read after each of many writes.
  virtual std::vector<ir::Arg> Append(ir::Node* node, const ir::StatedTypes* stated) = 0;
  std::vector<ir::Arg> Append(ir::Node* node) { return Append(node, nullptr); }

  // A result of a call that could not be made.
  virtual bool IsFailed(ir::ValueId id) const = 0;
  // A value for which IsFailed holds.
  virtual ir::ValueId AddFailed() = 0;
  // `value` has the sizes of `model`, whatever its call says.
  virtual void Refine(ir::ValueId value, ir::ValueId model) = 0;

  using Positioned = std::pair<size_t, ir::Arg>;
  // Appends a call of a schema; arguments that are not given have their defaults. The result has the sizes of `model`.
  ir::ValueId Call(std::string_view op, std::vector<Positioned> args, ir::ValueId model);
  // Appends an instruction on numbers.
  ir::Arg Run(ir::Instruction instruction, std::vector<ir::Arg> args);
  // The tensor with the type of another.
  ir::ValueId Cast(ir::ValueId tensor, ir::ValueId model);

  // The sizes of a tensor as a list of ints and of `sym_size` instructions. `infer`: a single unknown one is -1.
  ir::Arg Sizes(ir::ValueId tensor, bool infer);

 protected:
  void CountCall();

  ir::Graph* graph_;

 private:
  size_t calls_ = 0;
  ir::LocationId location_ = ir::LocationId::kNone;
};

// Equal, and known to be: unknown sizes equal nothing.
bool SameShape(const ir::Value& a, const ir::Value& b);

}  // namespace onnxport::functionalize

#endif  // ONNXPORT_RUNTIME_FUNCTIONALIZE_BUILDER_H_
