// Comparison of draws, which agree when they are distributed alike.
#ifndef ONNXPORT_TESTS_ORT_DISTRIBUTION_H_
#define ONNXPORT_TESTS_ORT_DISTRIBUTION_H_

#include <set>
#include <string>

#include "runtime/verify/ort/protocol.h"

namespace onnxport::ort {

// What differs between draws from a distribution: each element is one, and how they are distributed must agree. By the
// largest distance between the two empirical distribution functions (Kolmogorov and Smirnov), which sees location,
// spread and shape, by the range, and by how many numbers are among the draws. A difference that is none is seen less
// than once in ten million comparisons.
std::string DistributionDifference(const Tensor& actual, const Tensor& expected);

// The absolute values of the elements; of a complex tensor none that mean anything.
std::set<double> Magnitudes(const Tensor& tensor);

}  // namespace onnxport::ort

#endif  // ONNXPORT_TESTS_ORT_DISTRIBUTION_H_
