#include "runtime/pt2/nodes.h"

#include "gtest/gtest.h"

namespace onnxport::pt2 {
namespace {

TEST(Nodes, OpName) {
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

TEST(Nodes, Assertions) {
  EXPECT_TRUE(IsAssertion("aten::_assert_scalar"));
  EXPECT_TRUE(IsAssertion("aten::sym_constrain_range_for_size"));
  EXPECT_FALSE(IsAssertion("aten::relu"));
}

ir::Location Locate(const std::string& metadata) {
  const JsonTree tree = JsonTree::Parse(R"({"name": "conv2d_1", "metadata": {)" + metadata + "}}");
  return ReadLocation(tree.root());
}

TEST(Nodes, LocationIsTheInnermostFrameOfTheUser) {
  const ir::Location location = Locate(
      R"json("stack_trace": "File \"app/net.py\", line 12, in forward\n    x = self.block(x)\n  File \"app/block.py\", line 7, in forward\n    y = self.conv(x)  # note\n  File \"/usr/lib/python3/dist-packages/torch/nn/modules/conv.py\", line 565, in forward\n    return self._conv_forward(input)",)json"
      R"("nn_module_stack": "L__self__,,app.Net;L__self___block,block,app.Block;L__self___block_conv,block.conv@2,torch.nn.modules.conv.Conv2d")");
  EXPECT_EQ(location.file, "app/block.py");
  EXPECT_EQ(location.line, 7);
  EXPECT_EQ(location.code, "y = self.conv(x)  # note");
  EXPECT_EQ(location.module_path, "block.conv");
  EXPECT_EQ(location.module_type, "torch.nn.modules.conv.Conv2d");
  EXPECT_EQ(location.op_name, "conv2d_1");
}

TEST(Nodes, LocationFromLittle) {
  const ir::Location none = Locate("");
  EXPECT_EQ(none.file, "");
  EXPECT_EQ(none.line, 0);
  const ir::Location inside = Locate(
      R"("stack_trace": "File \"torch/fx/passes/x.py\", line 24, in insert", "nn_module_stack": "_empty_nn_module_stack_from_metadata_hook,a,b")");
  EXPECT_EQ(inside.file, "torch/fx/passes/x.py");
  EXPECT_EQ(inside.line, 24);
  EXPECT_EQ(inside.module_path, "");
  const ir::Location odd =
      Locate(R"("stack_trace": "File \"x, line\nFile \"y.py\", line -3, in f", "nn_module_stack": ";;,")");
  EXPECT_EQ(odd.line, 0);
}

}  // namespace
}  // namespace onnxport::pt2
