// What each value of the source graph became.
#ifndef ONNXPORT_RUNTIME_LOWERING_BINDINGS_H_
#define ONNXPORT_RUNTIME_LOWERING_BINDINGS_H_

#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/lowering/val.h"

namespace onnxport::lowering {

class Emitter;

// Tensors are bound without a context; `Context` gives them its own.
class Bindings {
 public:
  explicit Bindings(Emitter* emitter) : emitter_(*emitter) {}

  void Bind(ir::ValueId id, Val value);
  // Using it is a Refusal with this reason.
  void BindMissing(ir::ValueId id, std::string reason);
  bool Has(ir::ValueId id) const { return static_cast<size_t>(id) < bound_.size() && bound_[static_cast<size_t>(id)]; }

  // Binds results that are sizes the source states and that are numbers, or are computed already; whether all were.
  bool BindKnownSizes(const ir::Graph& aten, const ir::Node& node);

  // A tensor constant becomes a Constant node. Throws Refusal for a missing value.
  Val ToVal(const ir::Arg& arg) const;

 private:
  Val Find(ir::ValueId id) const;
  Val Constant(const ir::TensorData& data) const;

  Emitter& emitter_;
  std::vector<Val> vals_;
  std::vector<bool> bound_;
  std::unordered_map<ir::ValueId, std::string> missing_;
};

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_BINDINGS_H_
