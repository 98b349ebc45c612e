// Rejects numbers for which there is no scale.
#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_QUANTIZE_NOT_QUANTIZABLE_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_QUANTIZE_NOT_QUANTIZABLE_H_

#include <span>
#include <string>

namespace onnxport::passes {

// The largest |number|. Throws Error (kCannotExport) with `name` if a number is NaN, infinite, or beyond
// kLargestQuantized.
float LargestOf(std::span<const float> numbers, const std::string& name);

// Throws that error.
[[noreturn]] void ThrowNotQuantizable(const std::string& name);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_QUANTIZE_NOT_QUANTIZABLE_H_
