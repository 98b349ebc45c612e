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

// Of each argument that is no tensor the values of changes.h, others that are far out of range, repeated and
// superfluous elements of lists, no tensors in a list of them. Of each tensor an axis less and more, sizes that do not
// fit, none at all, another dtype, values far out of range. Whether PyTorch takes a call is not asked.
std::vector<Mistake> MistakesOf(const conformance::Call& call);

}  // namespace onnxport::arguments

#endif  // ONNXPORT_TESTS_ARGUMENTS_MISTAKES_H_
