// The lowered form of each value of the program.
#ifndef ONNXPORT_RUNTIME_LOWERING_BINDINGS_H_
#define ONNXPORT_RUNTIME_LOWERING_BINDINGS_H_

#include <deque>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/lowering/build/val.h"

namespace onnxport::lowering {

class Bindings {
 public:
  void Bind(ir::ValueId id, Val value);

  // Throws Refusal for a value that is not bound.
  Val ToVal(const ir::Arg& arg) const;

 private:
  Val Find(ir::ValueId id) const;

  std::deque<Val> vals_;  // a deque, because a vector would move all elements again and again
  std::vector<bool> bound_;
};

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_BINDINGS_H_
