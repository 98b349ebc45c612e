#include "runtime/verify/program/libtorch_release.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/headeronly/version.h>

#include "runtime/verify/report/cannot_compare.h"

namespace onnxport::verify {
namespace {

TEST(CheckLibTorch, TakesPatchesOfTheReleaseThatItWasCompiledWith) {
  EXPECT_NO_THROW(CheckLibTorch());
  EXPECT_NO_THROW(CheckLibTorch(TORCH_ABI_VERSION + (uint64_t{1} << 40)));
}

TEST(CheckLibTorch, SaysWhichOneWasLoaded) {
  try {
    CheckLibTorch(uint64_t{9} << 56 | uint64_t{12} << 48);
    FAIL() << "another release was taken";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::ContainsRegex("/libtorch_cpu[.]so[^ ]* is LibTorch 9[.]12: compile it again"));
  }
}

}  // namespace
}  // namespace onnxport::verify
