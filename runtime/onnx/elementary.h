// Elementary functions, the same on every machine.
#ifndef ONNXPORT_RUNTIME_ONNX_ELEMENTARY_H_
#define ONNXPORT_RUNTIME_ONNX_ELEMENTARY_H_

#include <optional>

namespace onnxport::onnx_ops {

// These functions use only additions, products, quotients and square roots in a fixed order, and IEEE 754 defines those
// exactly. The relative error is below 2^-40 (sine and cosine: for float32 arguments). So a result that is rounded to
// float32 is the nearest one, except about once in some ten thousand, where its neighbour is nearly as close. They
// return nothing for operands outside the ranges below, for results that overflow, and for NaN.
std::optional<double> Sine(double x);         // |x| <= 2^20
std::optional<double> Cosine(double x);       // |x| <= 2^20
std::optional<double> Exponential(double x);  // |x| <= 80
std::optional<double> Logarithm(double x);    // 0 <= x, finite; -inf for 0
// For 0 < base and |exponent * log(base)| <= 80, or if the exponent is 1 or 2. Squares of float32 numbers are exact.
std::optional<double> Power(double base, double exponent);

}  // namespace onnxport::onnx_ops

#endif  // ONNXPORT_RUNTIME_ONNX_ELEMENTARY_H_
