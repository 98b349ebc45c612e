#ifndef ONNXPORT_RUNTIME_LOWERING_BUILD_PIECE_H_
#define ONNXPORT_RUNTIME_LOWERING_BUILD_PIECE_H_

#include "runtime/ir/graph.h"

namespace onnxport::lowering {

// ONNX nodes that were made for an If or Loop and are not yet part of one; may be dropped.
struct Piece {
  int id = 0;
  ir::Block onnx;
};

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_BUILD_PIECE_H_
