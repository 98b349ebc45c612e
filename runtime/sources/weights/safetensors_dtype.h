// The names of dtypes in safetensors files.
#ifndef ONNXPORT_RUNTIME_SOURCES_WEIGHTS_SAFETENSORS_DTYPE_H_
#define ONNXPORT_RUNTIME_SOURCES_WEIGHTS_SAFETENSORS_DTYPE_H_

#include <optional>
#include <string_view>

#include "runtime/ir/dtype.h"

namespace onnxport::weights {

// "F32"; empty if the format does not have the dtype.
std::string_view SafetensorsName(ir::DType dtype);
std::optional<ir::DType> DTypeOfSafetensors(std::string_view name);

}  // namespace onnxport::weights

#endif  // ONNXPORT_RUNTIME_SOURCES_WEIGHTS_SAFETENSORS_DTYPE_H_
