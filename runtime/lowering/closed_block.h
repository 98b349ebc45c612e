#ifndef ONNXPORT_RUNTIME_LOWERING_CLOSED_BLOCK_H_
#define ONNXPORT_RUNTIME_LOWERING_CLOSED_BLOCK_H_

#include "runtime/ir/graph.h"

namespace onnxport::lowering {

// Nodes of a block that was closed and is not yet part of a node; may be dropped.
struct ClosedBlock {
  int id = 0;
  ir::Block onnx;
};

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_CLOSED_BLOCK_H_
