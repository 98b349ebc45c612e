// Compares two tensors by their bytes.
#ifndef ONNXPORT_RUNTIME_IR_SAME_BYTES_H_
#define ONNXPORT_RUNTIME_IR_SAME_BYTES_H_

#include "runtime/ir/graph.h"

namespace onnxport::ir {

// Compares type, shape, and a hash of 128 bits of the bytes. Each tensor is read once, and neither is kept in memory.
bool SameBytes(const TensorData& a, const TensorData& b);

}  // namespace onnxport::ir

#endif  // ONNXPORT_RUNTIME_IR_SAME_BYTES_H_
