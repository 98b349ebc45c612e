// PyTorch's numbers for dtypes, for programs that give a dtype as an int. Source: c10/core/ScalarType.h.
#ifndef ONNXPORT_RUNTIME_IR_SCALAR_TYPE_H_
#define ONNXPORT_RUNTIME_IR_SCALAR_TYPE_H_

#include <cstdint>
#include <optional>

#include "runtime/ir/dtype.h"

namespace onnxport::ir {

// 6 means float32. Returns nothing for quantized dtypes and for numbers of dtypes that we do not support.
std::optional<DType> DTypeOfScalarType(int64_t number);

// float32 is 6. Returns -1 for a dtype that PyTorch does not have.
int64_t ScalarTypeOf(DType dtype);

}  // namespace onnxport::ir

#endif  // ONNXPORT_RUNTIME_IR_SCALAR_TYPE_H_
