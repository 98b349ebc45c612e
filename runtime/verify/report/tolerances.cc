#include "runtime/verify/report/tolerances.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "runtime/verify/ort/elements.h"

namespace onnxport::verify {
namespace {

struct Row {
  std::string_view type;
  ort::Tolerance tolerance;
};

constexpr Row kTable[] = {
#include "runtime/verify/report/tolerances.inc"
};

// Compare tests integers and bools for equality and ignores the tolerance.
ort::Tolerance DefaultFor(ir::DType dtype) {
  const auto row = std::ranges::find(kTable, ir::Name(dtype), &Row::type);
  return row != std::end(kTable) ? row->tolerance : std::ranges::find(kTable, "float32", &Row::type)->tolerance;
}

}  // namespace

ort::Tolerance ToleranceFor(const ort::Tensor& expected, const GivenTolerances& given) {
  ort::Tolerance tolerance = DefaultFor(expected.dtype);
  tolerance.relative = given.relative.value_or(tolerance.relative);
  tolerance.absolute = given.absolute.value_or(tolerance.absolute * std::max(1.0, ort::Largest(expected)));
  return tolerance;
}

}  // namespace onnxport::verify
