#include "onnxport/dtype.h"

#include "runtime/ir/dtype.h"

namespace onnxport {

// One numbering, so that a cast converts.
static_assert(static_cast<int>(kFloat32) == static_cast<int>(ir::DType::kFloat32));
static_assert(static_cast<int>(kBFloat16) == static_cast<int>(ir::DType::kBFloat16));
static_assert(static_cast<int>(kFloat8E5M2FNUZ) == static_cast<int>(ir::DType::kFloat8E5M2FNUZ));

std::string_view Name(DType dtype) { return ir::Name(static_cast<ir::DType>(dtype)); }

}  // namespace onnxport
