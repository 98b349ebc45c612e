// Shared parts of the tests of this folder that register their own tests.
#ifndef ONNXPORT_TESTS_ARGUMENTS_RUN_H_
#define ONNXPORT_TESTS_ARGUMENTS_RUN_H_

#include <gtest/gtest.h>

#include <memory>

namespace onnxport::arguments {

// For `main`. `at_end` prints or writes the results when the tests have run.
int RunTests(int argc, char** argv, void (*register_tests)(), std::unique_ptr<testing::Environment> at_end);

}  // namespace onnxport::arguments

#endif  // ONNXPORT_TESTS_ARGUMENTS_RUN_H_
