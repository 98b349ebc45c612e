// New calls and values for the rewritten graph.
#ifndef ONNXPORT_RUNTIME_FUNCTIONALIZE_BUILDER_H_
#define ONNXPORT_RUNTIME_FUNCTIONALIZE_BUILDER_H_

#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/ir/unique_names.h"

namespace onnxport::functionalize {

// Of a graph that states its types: the results of a call are there before the call is appended.
class Builder {
 public:
  explicit Builder(ir::Graph* graph);
  virtual ~Builder() = default;

  const ir::Graph& graph() const { return *graph_; }
  // Calls made from now on came from there.
  void SetLocation(ir::LocationId location) { location_ = location; }
  ir::LocationId location() const { return location_; }

  // Whether results exist, with their types, only once their call was appended. `outputs` of a node are then set by
  // Append, and Like gives kNone.
  virtual bool makes_results() const { return false; }
  // The results, as many as the call has; where they are tensors, in the order of `node->outputs`.
  // Throws Error (kCannotExport) past two million calls: views of views, each read after each of many writes.
  virtual std::vector<ir::Arg> Append(ir::Node* node);
  std::vector<ir::Node> TakeNodes() { return std::move(nodes_); }

  // A result of a call that could not be made.
  virtual bool IsFailed(ir::ValueId) const { return false; }
  // A value for which IsFailed holds; kNone where there is no such thing.
  virtual ir::ValueId AddFailed() { return ir::ValueId::kNone; }
  // `value` has the sizes of `model`, whatever its call says.
  virtual void Refine(ir::ValueId, ir::ValueId) {}

  // A value of the same type under a name of its own.
  virtual ir::ValueId Like(ir::ValueId model);
  void SetDType(ir::ValueId id, ir::DType dtype) { graph_->value(id).dtype = dtype; }

  using Positioned = std::pair<size_t, ir::Arg>;
  // Appends a call of a schema; arguments that are not given have their defaults. The result has `model`'s type.
  ir::ValueId Call(std::string_view op, std::vector<Positioned> args, ir::ValueId model);
  // Appends an instruction of the runtime's own on numbers; only where makes_results().
  ir::Arg Host(std::string_view op, std::vector<ir::Arg> args);
  // The tensor with the type of another.
  ir::ValueId Cast(ir::ValueId tensor, ir::ValueId model);

  // The sizes of a tensor as a list of ints and of `host::sym_size` instructions. `infer`: a single unknown one is -1.
  ir::Arg Sizes(ir::ValueId tensor, bool infer);

 protected:
  void CountCall();

  ir::Graph* graph_;

 private:
  ir::ValueId Add(ir::Value value, std::string name);

  std::vector<ir::Node> nodes_;
  size_t calls_ = 0;
  ir::UniqueNames names_;
  std::unordered_map<ir::ValueId, std::string> origins_;  // the name that a new value's name was made from
  ir::LocationId location_ = ir::LocationId::kNone;
};

// Equal, and known to be: unknown sizes equal nothing.
bool SameShape(const ir::Value& a, const ir::Value& b);

}  // namespace onnxport::functionalize

#endif  // ONNXPORT_RUNTIME_FUNCTIONALIZE_BUILDER_H_
