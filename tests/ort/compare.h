// Comparison of what ONNX Runtime gave with what PyTorch gave.
#ifndef ONNXPORT_TESTS_ORT_COMPARE_H_
#define ONNXPORT_TESTS_ORT_COMPARE_H_

#include <set>
#include <string>

#include "tests/ort/protocol.h"

namespace onnxport::ort {

struct Tolerance {
  double relative = 1e-4;
  double absolute = 1e-5;
  // Values nearer to zero than this, but not zero, must agree relatively: they are no leftovers of a cancellation.
  double tiny = 0;
  bool zero_sign = false;  // -0.0 is not 0.0
};

// What differs, dtype and shape first, then the worst element; empty when nothing does. NaN equals NaN, infinities
// must agree; integers and bools must be equal, in all 64 bits. `values` false: only dtype and shape. Sequences element
// by element.
std::string Difference(const Tensor& actual, const Tensor& expected, const Tolerance& tolerance, bool values = true);

// The same of draws from a distribution: each element is one, and what differs is how they are distributed. By the
// largest distance between the two empirical distribution functions (Kolmogorov and Smirnov), which sees location,
// spread and shape, and by the range. A difference that is none is seen less than once in ten million comparisons.
std::string DistributionDifference(const Tensor& actual, const Tensor& expected);

// "f32[2,3]: 1 nan -0 ..." with at most that many values.
std::string ToText(const Tensor& tensor, size_t most);

// The absolute values of the elements; of a complex tensor none that mean anything.
std::set<double> Magnitudes(const Tensor& tensor);

// The largest finite magnitude of a float tensor; 0 for an empty or another one. A deep float32 network rounds relative
// to its activations, so elements near zero are as far off as the others.
double Largest(const Tensor& tensor);

}  // namespace onnxport::ort

#endif  // ONNXPORT_TESTS_ORT_COMPARE_H_
