#include "runtime/pt2/op_name.h"

#include <gtest/gtest.h>

namespace onnxport::pt2 {
namespace {

TEST(OpName, IsThatOfTheSchema) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"torch.ops.aten.relu.default", "aten::relu"},
      {"torch.ops.aten.add.Tensor", "aten::add.Tensor"},
      {"torch.ops.aten.__and__.Tensor", "aten::__and__.Tensor"},
      {"torch.ops.my_space.op.default", "my_space::op"},
      {"torch.ops.higher_order.cond", "higher_order::cond"},
      {"_operator.floordiv", "host::floordiv"},
      {"_operator.and_", "host::and"},
      {"math.trunc", "host::trunc"},
      {"torch.sym_max", "host::max"},
      {"torch._sym_sqrt", "host::sqrt"},
      {"torch.sym_ite", "host::ite"},
      {"torch.fx.something", "torch.fx.something"},
      {"torch.ops.alone", "torch::alone"},
  };
  for (const auto& [target, op] : cases) EXPECT_EQ(OpName(target), op);
}

// The runtime's own instructions are not to be had by any spelling.
TEST(OpName, OfOtherFunctionsIsTheTarget) {
  for (const std::string_view target :
       {"_operator.emptied", "operator.cast", "math.sequence_at", "builtins.zeros", "torch.sym_size", "torch.sym_numel",
        "torch.sym_stride", "operator.getitem", "operator.lshift", "math.add", "torch.add", "_math.trunc",
        "torch.ops.host.emptied.default", "operator.", "operator"}) {
    EXPECT_EQ(OpName(target), target);
    EXPECT_FALSE(OperandsOf(target));
  }
  EXPECT_EQ(OperandsOf("torch.sym_ite")->least, 3u);
  EXPECT_EQ(OperandsOf("builtins.round")->most, 2u);
}

TEST(OpName, Assertions) {
  EXPECT_TRUE(IsAssertion("aten::_assert_scalar"));
  EXPECT_TRUE(IsAssertion("aten::_linalg_check_errors"));
  EXPECT_TRUE(IsAssertion("aten::sym_constrain_range_for_size"));
  EXPECT_FALSE(IsAssertion("aten::relu"));
  EXPECT_FALSE(IsAssertion("mine::log"));
}

}  // namespace
}  // namespace onnxport::pt2
