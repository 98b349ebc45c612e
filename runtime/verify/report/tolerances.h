// Decides what counts as equal.
#ifndef ONNXPORT_RUNTIME_VERIFY_REPORT_TOLERANCES_H_
#define ONNXPORT_RUNTIME_VERIFY_REPORT_TOLERANCES_H_

#include <optional>

#include "runtime/verify/ort/compare.h"

namespace onnxport::verify {

struct GivenTolerances {
  std::optional<double> absolute;
  std::optional<double> relative;
};

// The tolerance of the dtype, as tolerances.txt has it: the Python package compares with the same ones. The absolute
// one holds for outputs up to 1 and grows with the largest magnitude of `expected`, as rounding does in a deep network.
// Given tolerances are used as they are.
ort::Tolerance ToleranceFor(const ort::Tensor& expected, const GivenTolerances& given);

}  // namespace onnxport::verify

#endif  // ONNXPORT_RUNTIME_VERIFY_REPORT_TOLERANCES_H_
