// Sets of element types that specs name.
#ifndef ONNXPORT_CODEGEN_CHECK_DTYPES_H_
#define ONNXPORT_CODEGEN_CHECK_DTYPES_H_

#include <string>
#include <string_view>

#include "runtime/ir/dtype_set.h"

namespace onnxport::codegen {

inline constexpr ir::DTypeSet kFloatTypes = {ir::DType::kFloat16, ir::DType::kBFloat16, ir::DType::kFloat32,
                                             ir::DType::kFloat64};
inline constexpr ir::DTypeSet kIntTypes = {ir::DType::kUInt8, ir::DType::kInt8, ir::DType::kInt16, ir::DType::kInt32,
                                           ir::DType::kInt64};
inline constexpr ir::DTypeSet kBoolType = {ir::DType::kBool};
inline constexpr ir::DTypeSet kComplexTypes = {ir::DType::kComplex64, ir::DType::kComplex128};
// The dtypes that a tensor of a PyTorch program may have, except quantized and complex ones.
inline constexpr ir::DTypeSet kTensorTypes = kFloatTypes | kIntTypes | kBoolType;

// Returns the dtypes of a class of `compute_in` and of the support table: "int", "half", "bool", "double", "float".
// Returns the empty set for another word.
ir::DTypeSet TypesOfClass(std::string_view word);

// Returns the dtypes whose values all convert to `to` exactly.
ir::DTypeSet HeldBy(ir::DType to);

// "{float32, int64}": for messages.
std::string ToText(ir::DTypeSet dtypes);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_CHECK_DTYPES_H_
