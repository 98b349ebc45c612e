#ifndef ONNXPORT_RUNTIME_LOWERING_BUILD_COMPUTE_IN_H_
#define ONNXPORT_RUNTIME_LOWERING_BUILD_COMPUTE_IN_H_

#include "runtime/ir/dtype.h"

namespace onnxport::lowering {

// The operator's schema does not take some dtypes at the target opset. They are cast to these before the node, and back
// after it. kUndefined: refuse.
struct ComputeIn {
  ir::DType integers = ir::DType::kUndefined;
  ir::DType half = ir::DType::kUndefined;  // float16, bfloat16
  ir::DType boolean = ir::DType::kUndefined;
  ir::DType float64 = ir::DType::kUndefined;
};

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_BUILD_COMPUTE_IN_H_
