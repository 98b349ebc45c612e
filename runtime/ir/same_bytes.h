// Compares two tensors by their bytes.
#ifndef ONNXPORT_RUNTIME_IR_SAME_BYTES_H_
#define ONNXPORT_RUNTIME_IR_SAME_BYTES_H_

#include "runtime/ir/graph.h"

namespace onnxport::ir {

// The same type, shape and bytes, by a hash of 128 bits: both are read once, neither is held.
bool SameBytes(const TensorData& a, const TensorData& b);

}  // namespace onnxport::ir

#endif  // ONNXPORT_RUNTIME_IR_SAME_BYTES_H_
