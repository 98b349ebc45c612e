// Lists operators that stay in float32 when a model computes in 16 bits.
#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_HALF_FLOAT32_OPERATORS_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_HALF_FLOAT32_OPERATORS_H_

#include <string_view>

namespace onnxport::passes {

// Returns the reason; empty for an operator that may compute in 16 bits if its schema allows it.
std::string_view ReasonForFloat32(std::string_view op);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_HALF_FLOAT32_OPERATORS_H_
