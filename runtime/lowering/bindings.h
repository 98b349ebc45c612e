// What each value of the source graph became.
#ifndef ONNXPORT_RUNTIME_LOWERING_BINDINGS_H_
#define ONNXPORT_RUNTIME_LOWERING_BINDINGS_H_

#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/lowering/build/val.h"

namespace onnxport::lowering {

class Emitter;

// Tensors are bound without a context; `Context` gives them its own.
class Bindings {
 public:
  explicit Bindings(Emitter* emitter) : emitter_(*emitter) {}

  void Bind(ir::ValueId id, Val value);

  // A tensor constant becomes a Constant node. Throws Refusal for a value that is not bound.
  Val ToVal(const ir::Arg& arg) const;

 private:
  Val Find(ir::ValueId id) const;
  Val Constant(const ir::TensorData& data) const;

  Emitter& emitter_;
  std::vector<Val> vals_;
  std::vector<bool> bound_;
};

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_BINDINGS_H_
