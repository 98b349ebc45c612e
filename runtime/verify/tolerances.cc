#include "runtime/verify/tolerances.h"

#include <algorithm>

#include "runtime/verify/ort/elements.h"

namespace onnxport::verify {
namespace {

ort::Tolerance DefaultFor(ir::DType dtype) {
  switch (dtype) {
    case ir::DType::kFloat64:
      return {.relative = 1e-6, .absolute = 1e-8};
    case ir::DType::kFloat16:
      return {.relative = 1e-2, .absolute = 1e-3};
    case ir::DType::kBFloat16:
      return {.relative = 5e-2, .absolute = 1e-2};
    default:
      // float32; of integers and bools Compare asks for equality and looks at no tolerance.
      return {.relative = 1e-3, .absolute = 1e-5};
  }
}

}  // namespace

ort::Tolerance ToleranceFor(const ort::Tensor& expected, const GivenTolerances& given) {
  ort::Tolerance tolerance = DefaultFor(expected.dtype);
  tolerance.relative = given.relative.value_or(tolerance.relative);
  tolerance.absolute = given.absolute.value_or(tolerance.absolute * std::max(1.0, ort::Largest(expected)));
  return tolerance;
}

}  // namespace onnxport::verify
