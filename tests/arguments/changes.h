// Other values for the arguments of a call that are no tensors: what no sample of PyTorch's and no test line gives.
#ifndef ONNXPORT_TESTS_ARGUMENTS_CHANGES_H_
#define ONNXPORT_TESTS_ARGUMENTS_CHANGES_H_

#include <string>
#include <string_view>
#include <vector>

#include "tests/conformance/program.h"
#include "tests/conformance/variation.h"

namespace onnxport::arguments {

struct Change {
  // The kind of change: "flag", "absent", "present", "zero", "negative", "fraction", "infinite or NaN", "number",
  // "length", "word", "dtype", "memory format"; "pair" for two arguments at a time.
  std::string_view category;
  std::vector<conformance::Replacement> values;
};

// One argument at a time, each value once. PyTorch may refuse the result.
std::vector<Change> ChangesOf(const conformance::Call& call);

// Two arguments at a time: each pair of arguments with a few values of both.
std::vector<Change> PairsOf(const conformance::Call& call);

// "alpha=-1.0, beta=2"
std::string ToText(const Change& change, const conformance::Call& call);

}  // namespace onnxport::arguments

#endif  // ONNXPORT_TESTS_ARGUMENTS_CHANGES_H_
