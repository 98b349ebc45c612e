#include "tests/support/refusal.h"

#include <gtest/gtest.h>

namespace onnxport::tests {
namespace {

constexpr char kHead[] = "the model cannot be exported at opset 7:\n";

TEST(PromisedOpset, IsThatOfTheCallThatNeedsTheNewest) {
  EXPECT_EQ(PromisedOpset(std::string(kHead) + "  aten::a (1 call): no\n      opset 9 can express it\n      at f.py:3\n"
                                               "  aten::b (2 calls): no\n      opset 13 can express it\n"),
            13);
}

TEST(PromisedOpset, IsNoneWhenOneCallHasNone) {
  EXPECT_EQ(PromisedOpset(std::string(kHead) + "  aten::a (1 call): no\n      opset 9 can express it\n"
                                               "  aten::b (1 call): no\n"),
            0);
  EXPECT_EQ(PromisedOpset("cannot open it"), 0);
}

}  // namespace
}  // namespace onnxport::tests
