// Converts host values to the bytes of tensors.
#ifndef ONNXPORT_RUNTIME_LOWERING_BUILD_CONSTANTS_H_
#define ONNXPORT_RUNTIME_LOWERING_BUILD_CONSTANTS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/ir/dim.h"
#include "runtime/ir/dtype.h"
#include "runtime/lowering/build/val.h"

namespace onnxport::lowering {

// The default dtype of a host number, or of a list of them: bool, int64 or float32.
ir::DType DefaultDType(const Val& value);

// Appends one number, little-endian. Floats are rounded once, to nearest even. Throws Refusal for a value that the
// dtype cannot hold: 0.5 or 300 in uint8, a text.
void AppendElement(const Val& number, ir::DType dtype, std::string* bytes);

// Elements of a host number or a list of numbers.
std::string ElementBytes(const Val& value, ir::DType dtype);

// The elements of an integer constant with at most one dimension, if they are few enough to track them one by one.
std::optional<ir::Dims> ContentsOf(ir::DType dtype, const std::vector<int64_t>& shape, const std::string& bytes);

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_BUILD_CONSTANTS_H_
