#ifndef ONNXPORT_RUNTIME_VERIFY_PROGRAM_RESULTS_H_
#define ONNXPORT_RUNTIME_VERIFY_PROGRAM_RESULTS_H_

#include <ATen/core/ivalue.h>

#include <optional>

#include "runtime/verify/ort/protocol.h"

namespace onnxport::verify {

// Converts a value of LibTorch to a tensor of a model: a number is a 0-d one, a complex one its parts. Returns nothing
// for None. Throws std::runtime_error for anything else.
std::optional<ort::Tensor> AsOutput(const c10::IValue& value);

}  // namespace onnxport::verify

#endif  // ONNXPORT_RUNTIME_VERIFY_PROGRAM_RESULTS_H_
