#include "codegen/check/opset_text.h"

#include <gtest/gtest.h>

namespace onnxport::codegen {
namespace {

TEST(OpsetText, JoinsRuns) {
  EXPECT_EQ(OpsetText({25}), "opset 25");
  EXPECT_EQ(OpsetText({7, 8, 9}), "opset 7 to 9");
  EXPECT_EQ(OpsetText({7, 8, 11, 13, 14}), "opset 7 to 8, 11, 13 to 14");
}

}  // namespace
}  // namespace onnxport::codegen
