// Which calls are run, and at which opset.
#ifndef ONNXPORT_TESTS_ARGUMENTS_SAMPLE_H_
#define ONNXPORT_TESTS_ARGUMENTS_SAMPLE_H_

#include <map>
#include <string>
#include <string_view>

#include "tests/conformance/case.h"

namespace onnxport::arguments {

// ONNXPORT_ONE_OF: every N-th call is run, chosen by a hash. Not stated: 1, that is all.
int OneOf();
bool IsChosen(const std::string& text);

// The one next to opset 20 at which the test runs.
int OpsetOf(const conformance::Case& test);

// For other operators the judge would be our own code (tests/conformance/eager_*.cc), which checks no argument.
bool IsOfPyTorch(std::string_view overload);

// "aten::elu alpha" -> the reason that stands above it in a file of this folder.
using Reasons = std::map<std::string, std::string>;
Reasons ReadReasons(const std::string& name);

}  // namespace onnxport::arguments

#endif  // ONNXPORT_TESTS_ARGUMENTS_SAMPLE_H_
