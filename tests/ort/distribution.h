// Comparison of draws, which agree when they are distributed alike.
#ifndef ONNXPORT_TESTS_ORT_DISTRIBUTION_H_
#define ONNXPORT_TESTS_ORT_DISTRIBUTION_H_

#include <set>
#include <string>

#include "runtime/verify/ort/protocol.h"

namespace onnxport::ort {

// The difference between two samples of a distribution: each element is one draw, and the distributions must agree. It
// compares the range, the number of distinct draws, and the largest distance between the two empirical distribution
// functions (Kolmogorov and Smirnov), which sees location, spread and shape. A difference that is none is seen less
// than once in ten million comparisons.
std::string DistributionDifference(const Tensor& actual, const Tensor& expected);

// The absolute values of the elements; of a complex tensor none that mean anything.
std::set<double> Magnitudes(const Tensor& tensor);

}  // namespace onnxport::ort

#endif  // ONNXPORT_TESTS_ORT_DISTRIBUTION_H_
