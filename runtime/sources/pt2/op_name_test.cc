#include "runtime/sources/pt2/op_name.h"

#include <gtest/gtest.h>

namespace onnxport::pt2::op_name_test {
namespace {

TEST(OperatorOf, HasTheNameOfTheSchema) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"torch.ops.aten.relu.default", "aten::relu"},
      {"torch.ops.aten.add.Tensor", "aten::add.Tensor"},
      {"torch.ops.aten.__and__.Tensor", "aten::__and__.Tensor"},
      {"torch.ops.my_space.op.default", "my_space::op"},
      {"torch.ops.higher_order.cond", "higher_order::cond"},
      {"torch.fx.something", "torch.fx.something"},
      {"torch.ops.alone", "torch::alone"},
      // An operator of somebody's library.
      {"torch.ops.host.emptied.default", "host::emptied"},
  };
  for (const auto& [target, op] : cases) EXPECT_TRUE(OperatorOf(target) == op) << target;
}

TEST(OperatorOf, FunctionsOnNumbers) {
  const std::pair<std::string_view, ir::Instruction> cases[] = {
      {"_operator.floordiv", ir::Instruction::kFloorDiv}, {"operator.floordiv", ir::Instruction::kFloorDiv},
      {"_operator.and_", ir::Instruction::kAnd},          {"math.trunc", ir::Instruction::kTrunc},
      {"torch.sym_max", ir::Instruction::kMax},           {"torch._sym_sqrt", ir::Instruction::kSqrt},
      {"torch.sym_ite", ir::Instruction::kIte},
  };
  for (const auto& [target, instruction] : cases) EXPECT_EQ(OperatorOf(target).instruction(), instruction) << target;
}

// The runtime's own instructions are not to be had by any spelling.
TEST(OperatorOf, OtherFunctionsIsNoInstruction) {
  for (const std::string_view target :
       {"_operator.emptied", "operator.cast", "math.sequence_at", "builtins.zeros", "torch.sym_size", "torch.sym_numel",
        "torch.sym_stride", "operator.getitem", "operator.lshift", "math.add", "torch.add", "_math.trunc",
        "torch.ops.host.emptied.default", "host::emptied", "operator.", "operator"}) {
    EXPECT_FALSE(OperatorOf(target).instruction()) << target;
    EXPECT_EQ(FindFunction(target), nullptr) << target;
  }
}

TEST(FindFunction, KnowsOperands) {
  EXPECT_EQ(FindFunction("torch.sym_ite")->least(), 3u);
  EXPECT_EQ(FindFunction("builtins.round")->most(), 2u);
  EXPECT_EQ(FindFunction("_operator.pos")->kind, Function::Kind::kItself);
  EXPECT_EQ(FindFunction("torch.sym_sum")->kind, Function::Kind::kSum);
  EXPECT_EQ(FindFunction("torch.sym_sum")->most(), 1u);
}

TEST(IsAssertion, OfSchemasWithoutResults) {
  EXPECT_TRUE(IsAssertion("aten::_assert_scalar"));
  EXPECT_TRUE(IsAssertion("aten::_linalg_check_errors"));
  EXPECT_TRUE(IsAssertion("aten::sym_constrain_range_for_size"));
  EXPECT_FALSE(IsAssertion("aten::relu"));
  EXPECT_FALSE(IsAssertion("mine::log"));
}

}  // namespace
}  // namespace onnxport::pt2::op_name_test
