// Calls that are wrong on purpose, or nearly: what a valid call becomes with one argument that tends to be refused.
#ifndef ONNXPORT_TESTS_ARGUMENTS_MISTAKES_H_
#define ONNXPORT_TESTS_ARGUMENTS_MISTAKES_H_

#include <string>
#include <vector>

#include "tests/conformance/program.h"

namespace onnxport::arguments {

struct Mistake {
  std::string text;  // what is other: "dim=-7", "weight=i64[2,3]"
  conformance::Call call;
};

// For each argument that is no tensor: the values of changes.h, values far out of range, repeated and superfluous
// elements of lists, and no tensors in a list of them. For each tensor: an axis less and more, sizes that do not fit,
// an absent tensor, another dtype, and values far out of range. PyTorch may accept some of these calls.
std::vector<Mistake> MistakesOf(const conformance::Call& call);

}  // namespace onnxport::arguments

#endif  // ONNXPORT_TESTS_ARGUMENTS_MISTAKES_H_
