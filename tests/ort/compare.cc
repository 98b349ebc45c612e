#include "tests/ort/compare.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <set>
#include <sstream>
#include <vector>

namespace onnxport::ort {
namespace {

using ir::DType;

template <typename T>
T At(const std::string& bytes, size_t i) {
  T value;
  std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
  return value;
}

double HalfToDouble(uint16_t h) {
  const int exponent = (h >> 10) & 31;
  const double fraction = h & 1023;
  const double sign = (h & 0x8000) != 0 ? -1 : 1;
  if (exponent == 31) return fraction != 0 ? NAN : sign * INFINITY;
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  return sign * std::ldexp(1024 + fraction, exponent - 25);
}

double Element(const Tensor& t, size_t i) {
  switch (t.dtype) {
    case DType::kFloat32:
      return At<float>(t.bytes, i);
    case DType::kFloat64:
      return At<double>(t.bytes, i);
    case DType::kFloat16:
      return HalfToDouble(At<uint16_t>(t.bytes, i));
    case DType::kBFloat16:
      return std::bit_cast<float>(static_cast<uint32_t>(At<uint16_t>(t.bytes, i)) << 16);
    case DType::kInt8:
      return At<int8_t>(t.bytes, i);
    case DType::kInt16:
      return At<int16_t>(t.bytes, i);
    case DType::kInt32:
      return At<int32_t>(t.bytes, i);
    case DType::kInt64:
      return static_cast<double>(At<int64_t>(t.bytes, i));
    case DType::kUInt16:
      return At<uint16_t>(t.bytes, i);
    case DType::kUInt32:
      return At<uint32_t>(t.bytes, i);
    case DType::kUInt64:
      return static_cast<double>(At<uint64_t>(t.bytes, i));
    default:
      return static_cast<uint8_t>(t.bytes[i]);
  }
}

std::string TypeText(const Tensor& t) {
  std::string text(ir::Name(t.dtype));
  text += "[";
  for (size_t i = 0; i < t.shape.size(); ++i) text += (i ? "," : "") + std::to_string(t.shape[i]);
  return text + "]";
}

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

// Whole numbers in full.
std::string ElementText(const Tensor& t, size_t i) {
  std::ostringstream text;
  if (t.dtype == DType::kInt64) {
    text << At<int64_t>(t.bytes, i);
  } else if (t.dtype == DType::kUInt64) {
    text << At<uint64_t>(t.bytes, i);
  } else {
    text.precision(9);
    text << Element(t, i);
  }
  return text.str();
}

size_t CountOf(const Tensor& t) { return t.bytes.size() / static_cast<size_t>(ir::ByteSize(t.dtype)); }

// Nothing when there is a NaN among them, which has no order.
std::vector<double> Sorted(const Tensor& t) {
  std::vector<double> values(CountOf(t));
  for (size_t i = 0; i < values.size(); ++i) values[i] = Element(t, i);
  if (std::ranges::any_of(values, [](double value) { return std::isnan(value); })) return {};
  std::ranges::sort(values);
  return values;
}

// The share of sorted values that are at most `limit`.
double ShareUpTo(const std::vector<double>& sorted, double limit) {
  return static_cast<double>(std::ranges::upper_bound(sorted, limit) - sorted.begin()) /
         static_cast<double>(sorted.size());
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

std::set<double> Magnitudes(const Tensor& tensor) {
  std::set<double> magnitudes;
  for (size_t i = 0; i < CountOf(tensor); ++i) magnitudes.insert(std::fabs(Element(tensor, i)));
  return magnitudes;
}

double Largest(const Tensor& tensor) {
  if (tensor.is_sequence) {
    double largest = 0;
    for (const Tensor& element : tensor.elements) largest = std::max(largest, Largest(element));
    return largest;
  }
  double largest = 0;
  if (!ir::IsFloat(tensor.dtype)) return largest;
  const size_t count = CountOf(tensor);
  for (size_t i = 0; i < count; ++i) {
    const double magnitude = std::fabs(Element(tensor, i));
    if (std::isfinite(magnitude)) largest = std::max(largest, magnitude);
  }
  return largest;
}

std::string Difference(const Tensor& actual, const Tensor& expected, const Tolerance& tolerance, bool values) {
  if (actual.is_sequence || expected.is_sequence) return ElementsDiffer(actual, expected, tolerance, values);
  if (actual.dtype != expected.dtype || actual.shape != expected.shape) {
    return "got " + TypeText(actual) + ", PyTorch gives " + TypeText(expected);
  }
  if (actual.bytes.size() != expected.bytes.size()) return "sizes in bytes differ";
  if (!values || actual.bytes == expected.bytes) return "";
  const bool exact = !ir::IsFloat(expected.dtype);
  const size_t count = CountOf(expected);
  size_t wrong = 0;
  size_t worst = 0;
  double largest = -1;
  for (size_t i = 0; i < count; ++i) {
    const double a = Element(actual, i);
    const double e = Element(expected, i);
    if (exact ? SameBytes(actual, expected, i) : Close(a, e, tolerance)) continue;
    ++wrong;
    const double error = std::fabs(a - e);
    if (!(error <= largest)) worst = i, largest = error;
  }
  if (wrong == 0) return "";
  std::ostringstream text;
  text << wrong << " of " << count << " elements of " << TypeText(expected) << " differ; worst at " << worst << ": got "
       << ElementText(actual, worst) << ", PyTorch gives " << ElementText(expected, worst);
  return text.str();
}

std::string DistributionDifference(const Tensor& actual, const Tensor& expected) {
  constexpr size_t kFewest = 500;  // draws, for the distance to mean something
  constexpr double kUnlikely = 3;  // of the scaled distance: 2 exp(-2 * 3^2) = 3e-8
  constexpr double kBeyond = 0.2;  // of the range, where that is one quartile distance; long tails reach further
  std::string difference = Difference(actual, expected, {}, false);
  const size_t count = CountOf(expected);
  if (!difference.empty()) return difference;
  if (count < kFewest) return std::to_string(count) + " draws say nothing; " + std::to_string(kFewest) + " do";
  const std::vector<double> a = Sorted(actual);
  const std::vector<double> e = Sorted(expected);
  if (a.empty() || e.empty()) return "a draw is NaN";
  const double range = e.back() - e.front();
  const double quartiles = e[count * 3 / 4] - e[count / 4];
  double distance = 0;
  for (const auto* values : {&a, &e}) {
    for (const double value : *values)
      distance = std::max(distance, std::fabs(ShareUpTo(a, value) - ShareUpTo(e, value)));
  }
  const double beyond = quartiles > 0 ? kBeyond * range * (range / quartiles) : range;
  const bool same_range = a.front() >= e.front() - beyond && a.back() <= e.back() + beyond;
  if (same_range && distance <= kUnlikely * std::sqrt(2.0 / static_cast<double>(count))) return "";
  std::ostringstream text;
  text << TypeText(actual) << " is distributed otherwise: from " << a.front() << " to " << a.back() << ", median "
       << a[count / 2] << "; PyTorch's from " << e.front() << " to " << e.back() << ", median " << e[count / 2]
       << "; distance " << distance;
  return text.str();
}

std::string ToText(const Tensor& tensor, size_t most) {
  std::string text = TypeText(tensor);
  if (ir::ByteSize(tensor.dtype) == 0) return text;
  const size_t count = ir::IsComplex(tensor.dtype) ? 0 : CountOf(tensor);
  for (size_t i = 0; i < std::min(count, most); ++i) text += (i ? " " : ": ") + ElementText(tensor, i);
  return text + (count > most ? " ..." : "");
}

}  // namespace onnxport::ort
