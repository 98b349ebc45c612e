#include "runtime/verify/ort/compare.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <sstream>

#include "runtime/verify/ort/elements.h"

namespace onnxport::ort {
namespace {

// NaN and infinities first: with them every difference is NaN, and `NaN <= x` is false, so equal infinities would
// differ.
bool Close(double actual, double expected, const Tolerance& tolerance) {
  if (std::isnan(expected) || std::isnan(actual)) return std::isnan(expected) && std::isnan(actual);
  if (std::isinf(expected) || std::isinf(actual)) return actual == expected;
  if (tolerance.zero_sign && expected == 0 && actual == 0) return std::signbit(expected) == std::signbit(actual);
  if (expected != 0 && std::fabs(expected) < tolerance.tiny) {
    return std::fabs(actual - expected) <= tolerance.relative * std::fabs(expected);
  }
  return std::fabs(actual - expected) <= tolerance.absolute + tolerance.relative * std::fabs(expected);
}

// A double cannot hold every int64.
bool SameBytes(const Tensor& a, const Tensor& b, size_t i) {
  const auto size = static_cast<size_t>(ir::ByteSize(a.dtype));
  return std::memcmp(a.bytes.data() + i * size, b.bytes.data() + i * size, size) == 0;
}

// NaN and infinities have no error, unless they disagree.
double ErrorOf(double actual, double expected) {
  if (actual == expected || (std::isnan(actual) && std::isnan(expected))) return 0;
  const double error = std::fabs(actual - expected);
  return std::isnan(error) ? std::numeric_limits<double>::infinity() : error;
}

std::string ElementsDiffer(const Tensor& actual, const Tensor& expected, const Tolerance& tolerance, bool values) {
  if (actual.is_sequence != expected.is_sequence) {
    return std::string("got a ") + (actual.is_sequence ? "sequence" : "tensor") + ", the other is expected";
  }
  if (actual.elements.size() != expected.elements.size()) {
    return "got a sequence of " + std::to_string(actual.elements.size()) + ", PyTorch gives " +
           std::to_string(expected.elements.size());
  }
  for (size_t i = 0; i < expected.elements.size(); ++i) {
    const std::string difference = Difference(actual.elements[i], expected.elements[i], tolerance, values);
    if (!difference.empty()) return "element " + std::to_string(i) + ": " + difference;
  }
  return "";
}

}  // namespace

Comparison Compare(const Tensor& actual, const Tensor& expected, const Tolerance& tolerance) {
  Comparison result;
  if (actual.dtype != expected.dtype || actual.shape != expected.shape) {
    result.type = "got " + TypeText(actual) + ", PyTorch gives " + TypeText(expected);
  } else if (actual.bytes.size() != expected.bytes.size()) {
    result.type = "sizes in bytes differ";
  }
  if (!result.type.empty()) return result;
  result.count = CountOf(expected);
  // Nearly every tensor ends here, and this saves to convert its elements one by one. 0 and -0 or two NaN with other
  // bits go on.
  if (actual.bytes == expected.bytes) return result;
  const bool exact = !ir::IsFloat(expected.dtype);
  // Below all errors: -0 for 0 may be wrong with an error of 0, and must still be found as the worst.
  double worst = -1;
  for (size_t i = 0; i < result.count; ++i) {
    const double a = ElementOf(actual, i);
    const double e = ElementOf(expected, i);
    const double error = ErrorOf(a, e);
    result.max_absolute = std::max(result.max_absolute, error);
    if (error > 0 && e != 0) result.max_relative = std::max(result.max_relative, error / std::fabs(e));
    if (exact ? SameBytes(actual, expected, i) : Close(a, e, tolerance)) continue;
    if (result.wrong++ == 0) result.first = i;
    if (error > worst) result.worst = i, worst = error;
  }
  return result;
}

std::string Difference(const Tensor& actual, const Tensor& expected, const Tolerance& tolerance, bool values) {
  if (actual.is_sequence || expected.is_sequence) return ElementsDiffer(actual, expected, tolerance, values);
  const Comparison found = Compare(actual, expected, tolerance);
  if (!found.type.empty() || found.wrong == 0 || !values) return found.type;
  std::ostringstream text;
  text << found.wrong << " of " << found.count << " elements of " << TypeText(expected) << " differ; worst at "
       << found.worst << ": got " << ElementText(actual, found.worst) << ", PyTorch gives "
       << ElementText(expected, found.worst);
  return text.str();
}

}  // namespace onnxport::ort
