#include "runtime/sources/pt2/location_reader.h"

#include <string>

#include "gtest/gtest.h"

namespace onnxport::pt2::location_reader_test {
namespace {

ir::Location Locate(const std::string& metadata) {
  const JsonTree tree = JsonTree::Parse(R"({"name": "conv2d_1", "metadata": {)" + metadata + "}}");
  return LocationReader().Read(tree.root());
}

TEST(LocationReader, IsTheInnermostFrameOfTheUser) {
  const ir::Location location = Locate(
      R"json("stack_trace": "File \"app/net.py\", line 12, in forward\n    x = self.block(x)\n  File \"app/block.py\", line 7, in forward\n    y = self.conv(x)  # note\n  File \"/usr/lib/python3/dist-packages/torch/nn/modules/conv.py\", line 565, in forward\n    return self._conv_forward(input)",)json"
      R"("nn_module_stack": "L__self__,,app.Net;L__self___block,block,app.Block;L__self___block_conv,block.conv@2,torch.nn.modules.conv.Conv2d")");
  EXPECT_EQ(location.file(), "app/block.py");
  EXPECT_EQ(location.line(), 7);
  EXPECT_EQ(location.code(), "y = self.conv(x)  # note");
  EXPECT_EQ(ModulePath(location), "block.conv");
  EXPECT_EQ(location.module->type, "torch.nn.modules.conv.Conv2d");
  EXPECT_EQ(location.module->number, 2);
  const ir::ModuleCall* block = location.module->caller.get();
  ASSERT_NE(block, nullptr);
  EXPECT_EQ(block->path, "block");
  EXPECT_EQ(block->type, "app.Block");
  ASSERT_NE(block->caller, nullptr);
  EXPECT_EQ(block->caller->type, "app.Net");
  EXPECT_EQ(block->caller->caller, nullptr);
  ASSERT_FALSE(location.trace().empty());
  EXPECT_EQ(location.trace().substr(0, 26), "File \"app/net.py\", line 12");
  EXPECT_EQ(location.op_name, "conv2d_1");
}

// A module that is called again has the number at its key, and in older files at its path.
TEST(LocationReader, NumbersTheCallsOfAModule) {
  for (const char* stack : {"L__self__,,Net;L__self__b@12,b,Block", "L__self__,,Net;L__self__b,b@12,Block"}) {
    const ir::Location location = Locate(R"("nn_module_stack": ")" + std::string(stack) + "\"");
    EXPECT_EQ(ModulePath(location), "b");
    EXPECT_EQ(location.module->number, 12);
    EXPECT_EQ(location.module->caller->number, 0);
  }
}

TEST(LocationReader, FromLittle) {
  const ir::Location none = Locate("");
  EXPECT_EQ(none.file(), "");
  EXPECT_EQ(none.line(), 0);
  const ir::Location inside = Locate(
      R"("stack_trace": "File \"torch/fx/passes/x.py\", line 24, in insert", "nn_module_stack": "_empty_nn_module_stack_from_metadata_hook,a,b")");
  EXPECT_EQ(inside.file(), "torch/fx/passes/x.py");
  EXPECT_EQ(inside.line(), 24);
  EXPECT_EQ(inside.module, nullptr);
  const ir::Location odd =
      Locate(R"("stack_trace": "File \"x, line\nFile \"y.py\", line -3, in f", "nn_module_stack": ";;,")");
  EXPECT_EQ(odd.line(), 0);
}

TEST(LocationReader, CallsOfOneLineShareWhatIsLong) {
  LocationReader reader;
  const JsonTree tree = JsonTree::Parse(
      R"({"name": "a", "metadata": {"stack_trace": "File \"a.py\", line 1", "nn_module_stack": "S,,Net;S_fc,fc,Fc"}})");
  const ir::Location first = reader.Read(tree.root());
  const ir::Location second = reader.Read(tree.root());
  EXPECT_EQ(first.at, second.at);
  EXPECT_EQ(first.module, second.module);
}

}  // namespace
}  // namespace onnxport::pt2::location_reader_test
