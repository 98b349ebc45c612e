// Host values as tensor bytes.
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

// The dtype of a host number or of a list of them when nothing else decides: bool, int64 or float32.
ir::DType DefaultDType(const Val& value);

// Appends one number, little-endian; floats are rounded once, to nearest even.
// Throws Refusal for what the dtype cannot hold: 0.5 or 300 in uint8, a text.
void AppendElement(const Val& number, ir::DType dtype, std::string* bytes);

// Elements of a host number or a list of numbers.
std::string ElementBytes(const Val& value, ir::DType dtype);

// The elements of a constant of integers of up to one dimension, where they are few enough to follow them one by one.
std::optional<ir::Dims> ContentsOf(ir::DType dtype, const std::vector<int64_t>& shape, const std::string& bytes);

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_BUILD_CONSTANTS_H_
