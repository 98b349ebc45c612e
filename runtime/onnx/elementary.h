// Elementary functions, the same on every machine.
#ifndef ONNXPORT_RUNTIME_ONNX_ELEMENTARY_H_
#define ONNXPORT_RUNTIME_ONNX_ELEMENTARY_H_

#include <optional>

namespace onnxport::onnx_ops {

// Computed with additions, products, quotients and square roots only, which IEEE 754 defines exactly, in one order. The
// relative error is below 2^-40 (for sine and cosine: of float32 arguments). So a result that is rounded to float32 is
// the nearest one, but for one of some ten thousands that lies as near to its neighbour. They return nothing for
// operands outside of the ranges named here, for results that overflow, and for NaN.
std::optional<double> Sine(double x);         // |x| <= 2^20
std::optional<double> Cosine(double x);       // |x| <= 2^20
std::optional<double> Exponential(double x);  // |x| <= 80
std::optional<double> Logarithm(double x);    // 0 <= x, finite; of 0 it is -inf
// 0 < base, and |exponent * log(base)| <= 80; or the exponent is 1 or 2. Squares are exact for float32.
std::optional<double> Power(double base, double exponent);

}  // namespace onnxport::onnx_ops

#endif  // ONNXPORT_RUNTIME_ONNX_ELEMENTARY_H_
