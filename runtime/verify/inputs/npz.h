// NumPy's archives of arrays.
#ifndef ONNXPORT_RUNTIME_VERIFY_INPUTS_NPZ_H_
#define ONNXPORT_RUNTIME_VERIFY_INPUTS_NPZ_H_

#include <string>
#include <string_view>
#include <vector>

#include "runtime/verify/ort/protocol.h"

namespace onnxport::verify {

// The arrays of a file of `numpy.savez` or `savez_compressed`, with the names that they have there. Error: kBadInput
// for a damaged file, kUsage for an array that is no row-major tensor of numbers.
std::vector<ort::Tensor> ReadNpz(const std::string& path);

// An array as `numpy.save` writes it. Throws std::runtime_error that says what is wrong.
ort::Tensor ParseNpy(std::string_view bytes);

}  // namespace onnxport::verify

#endif  // ONNXPORT_RUNTIME_VERIFY_INPUTS_NPZ_H_
