#include "runtime/model/passes/quantize/not_quantizable.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "runtime/base/error.h"
#include "runtime/base/text.h"
#include "runtime/model/passes/quantize/quantized_numbers.h"

namespace onnxport::passes {

float LargestOf(std::span<const float> numbers, const std::string& name) {
  float largest = 0;
  bool fits = true;
  for (const float number : numbers) {
    const float size = std::abs(number);
    fits &= size <= kLargestQuantized;  // false for NaN
    largest = std::max(largest, size);
  }
  if (!fits) ThrowNotQuantizable(name);
  return largest;
}

void ThrowNotQuantizable(const std::string& name) {
  throw Error(ErrorKind::kCannotExport,
              fmt::format("weight `{0}` has a number that is NaN, infinite or beyond 2**126, which no integer stands "
                          "for: leave the weight as it is (<<weights_keep: {0}>>)",
                          Printable(name)));
}

}  // namespace onnxport::passes
