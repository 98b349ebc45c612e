#include "tests/opinfo/outcome.h"

#include <gtest/gtest.h>

namespace onnxport::opinfo {
namespace {

TEST(RefusalClass, NamesOperatorsOnce) {
  EXPECT_EQ(RefusalClass("the model cannot be exported at opset 18:\n"
                         "  aten::foo (2 calls): no spec says how to export it\n"
                         "      model.py:12  x = torch.foo(x)\n"
                         "  aten::bar.Tensor (1 call): takes no int64\n"
                         "      opset 20 can express it\n"
                         "  aten::foo (1 call): no spec says how to export it"),
            "aten::bar.Tensor@20, no spec aten::foo");
}

TEST(RefusalClass, IsTheTextWhereNoOperatorIsNamed) {
  EXPECT_EQ(RefusalClass("the model cannot be exported at opset 18:\n  output 12 is a list; none = 3 of it"),
            "output # is a list, none , # of it");
  EXPECT_EQ(RefusalClass("input x has 17 axes"), "input x has # axes");
}

}  // namespace
}  // namespace onnxport::opinfo
