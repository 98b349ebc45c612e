// The contents of a call's tensors.
#ifndef ONNXPORT_TESTS_CONFORMANCE_TENSORS_H_
#define ONNXPORT_TESTS_CONFORMANCE_TENSORS_H_

#include <random>
#include <string>
#include <vector>

#include "runtime/verify/ort/protocol.h"
#include "tests/conformance/variation.h"

namespace onnxport::conformance {

// Rounds of values. Round 0 is ordinary: floats from -2 to 2, integers from -5 to 5, or within the bounds that the test
// gives. In the others every second element is special, as far as the bounds allow it, and from round to round others
// (of complex numbers in one part, or in both):
//   1 to 4  -0.0, 0.0, halves that round either way, 1e30 and 1e-30 where the dtype has them; of integers 0, -1, the
//           dtype's limits, and what float32 and float64 cannot hold
//   5, 6    NaN, inf, -inf
//   7       NaN where a test gives bounds, ordinary values elsewhere
// Values in equal steps have no special ones among them.
inline constexpr int kFiniteRounds = 4;
inline constexpr int kRoundOfBounded = 7;
inline constexpr int kRounds = 8;

// `position`: which tensor of the call this is.
ort::Tensor MakeTensor(const TensorPlan& plan, int round, int position, std::mt19937* random);

// Returns whether the dtype has values within the bounds of the plan.
bool HasValues(const TensorPlan& plan);

// The test with every dtype and with each axis empty, as far as there are values. None for tests that state what is in
// a tensor: they are run as they stand.
std::vector<Variation> VariationsOf(const Case& test);

}  // namespace onnxport::conformance

#endif  // ONNXPORT_TESTS_CONFORMANCE_TENSORS_H_
