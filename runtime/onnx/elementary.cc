#include "runtime/onnx/elementary.h"

#include <cmath>
#include <limits>
#include <utility>

namespace onnxport::onnx_ops {
namespace {

constexpr double kMostAngle = 0x1p20;
constexpr double kMostExponent = 80;
constexpr int kTerms = 20;  // terms of a series: more than a double can resolve

// pi/2 and log(2) as sums. The first terms are so short that their products with the integers below are exact.
constexpr double kHalfPi[] = {0x1.921fb544p+0, 0x1.0b4611a6p-34, 0x1.3198a2e037073p-69};
constexpr double kLogTwo[] = {0x1.62e42feep-1, 0x1.a39ef35793c76p-33};

// x - x^3/3! + x^5/5! ... for |x| <= pi/4, summed from the innermost term: x * (1 - x^2/6 * (1 - x^2/20 * (...))).
double SineSeries(double x) {
  double sum = 1;
  for (int n = kTerms; n >= 2; n -= 2) sum = 1 - x * x / (n * (n + 1)) * sum;
  return x * sum;
}

// 1 - x^2/2! + x^4/4! ... for |x| <= pi/4
double CosineSeries(double x) {
  double sum = 1;
  for (int n = kTerms; n >= 2; n -= 2) sum = 1 - x * x / (n * (n - 1)) * sum;
  return sum;
}

// Returns the sine of x + quarters * pi/2.
std::optional<double> SineFrom(double x, int quarters) {
  if (!(std::abs(x) <= kMostAngle)) return std::nullopt;
  // Cody and Waite: subtract `count` quarter turns from x. count * kHalfPi[0] is exact and close to x, so their
  // difference is exact, too. The other parts add the digits that the first one lacks. Without them sin(1e6) would be
  // off by 4e-5.
  const double count = std::nearbyint(x / (kHalfPi[0] + kHalfPi[1]));
  double rest = x;
  for (const double part : kHalfPi) rest -= count * part;
  // A turn of 0 to 3 is sin, cos, -sin, -cos of the rest.
  const int turn = (static_cast<int>(count) + quarters) & 3;
  const double size = (turn & 1) != 0 ? CosineSeries(rest) : SineSeries(rest);
  return (turn & 2) != 0 ? -size : size;
}

}  // namespace

std::optional<double> Sine(double x) { return SineFrom(x, 0); }

std::optional<double> Cosine(double x) { return SineFrom(x, 1); }

std::optional<double> Exponential(double x) {
  if (!(std::abs(x) <= kMostExponent)) return std::nullopt;
  const double count = std::nearbyint(x / kLogTwo[0]);
  double rest = x;
  for (const double part : kLogTwo) rest -= count * part;
  double sum = 1;
  for (int n = kTerms; n >= 1; --n) sum = 1 + rest / n * sum;
  return std::ldexp(sum, static_cast<int>(count));
}

// log(m * 2^e) = e * log(2) + 2 * artanh((m - 1) / (m + 1)) for m near 1
std::optional<double> Logarithm(double x) {
  if (x == 0) return -std::numeric_limits<double>::infinity();
  if (!(x > 0) || std::isinf(x)) return std::nullopt;
  int exponent = 0;
  double mantissa = std::frexp(x, &exponent);
  // Moves m into sqrt(1/2) .. sqrt(2), where the series is shortest and log(1) is exactly 0.
  if (mantissa < std::sqrt(0.5)) {
    mantissa *= 2;
    --exponent;
  }
  const double ratio = (mantissa - 1) / (mantissa + 1);
  double sum = 0;
  for (int n = 2 * kTerms + 1; n >= 1; n -= 2) sum = sum * ratio * ratio + 1.0 / n;
  return exponent * kLogTwo[0] + (exponent * kLogTwo[1] + 2 * ratio * sum);
}

std::optional<double> Power(double base, double exponent) {
  if (exponent == 1) return base;
  if (exponent == 2) return base * base;
  const std::optional<double> log = Logarithm(base);
  return log ? Exponential(exponent * *log) : std::nullopt;
}

}  // namespace onnxport::onnx_ops
