#include "runtime/aten/op_traits.h"

#include <string>
#include <thread>
#include <vector>

#include "gtest/gtest.h"
#include "runtime/ir/operator.h"

namespace onnxport::op_traits {
namespace {

TEST(OpTraits, AreFoundByOverload) {
  const OpTraits& slice = TraitsOf("aten::slice.Tensor");
  EXPECT_EQ(slice.alias, Alias::kRange);
  EXPECT_EQ(slice.axes, (std::array<int8_t, 4>{1, 2, 3, 4}));
  ASSERT_NE(slice.write_back, nullptr);
  EXPECT_EQ(slice.write_back->op, "aten::slice_scatter");
  ASSERT_EQ(slice.write_back->operands.size(), 6u);
  EXPECT_EQ(slice.write_back->operands[1].kind, Operand::Kind::kPart);
  EXPECT_EQ(slice.write_back->operands[2].a, 1);
}

// An operator keeps its row for as long as the process runs, even if two threads ask at once.
TEST(OpTraits, AreLookedUpOnce) {
  const ir::Operator slice = "aten::slice.Tensor";
  EXPECT_EQ(slice.aten()->traits.load(), &TraitsOf(slice));
  std::vector<std::thread> threads;
  std::vector<const OpTraits*> found(8);
  for (auto& mine : found) threads.emplace_back([&mine] { mine = &TraitsOf("aten::expand"); });
  for (auto& thread : threads) thread.join();
  for (const OpTraits* each : found) EXPECT_EQ(each, &TraitsOf(std::string("aten::expand")));
  EXPECT_EQ(found[0]->op, "aten::expand");
  EXPECT_EQ(&TraitsOf(ir::Instruction::kAdd), &TraitsOf(""));
}

TEST(OpTraits, OfAnUnknownOperatorNothingIsKnown) {
  for (const char* op : {"", "aten::", "aten::slice", "aten::slice.Tensor2", "zzz::op"}) {
    const OpTraits& unknown = TraitsOf(op);
    EXPECT_EQ(unknown.alias, Alias::kUnknown) << op;
    EXPECT_EQ(unknown.layout, Layout::kUnstated) << op;
    EXPECT_EQ(unknown.quantized, Quantized::kUnsupported) << op;
    EXPECT_EQ(unknown.write_back, nullptr) << op;
  }
}

TEST(OpTraits, QuantizedByBaseName) {
  EXPECT_EQ(QuantizedTraitsOf("aten::max").quantized, Quantized::kKept);        // max.dim, between max and max_pool2d
  EXPECT_EQ(QuantizedTraitsOf("aten::ma").quantized, Quantized::kUnsupported);  // a prefix of a name is no name
  EXPECT_EQ(QuantizedTraitsOf("aten::matmul").quantized, Quantized::kUnsupported);
  const OpTraits& tanh = QuantizedTraitsOf("aten::tanh");
  EXPECT_EQ(tanh.quantized, Quantized::kGrid);
  EXPECT_EQ(tanh.grid.scale, 2.0 / 256);
  EXPECT_EQ(tanh.grid.quint8_zero_point, 128);
}

TEST(OpTraits, AUsersTableComesFirst) {
  static constexpr OpTraits kRows[] = {{.op = "aten::tanh", .quantized = Quantized::kRounded},
                                       {.op = "foo::op", .layout = Layout::kContiguous}};
  OpTraitsTables::Add({"//foo:ops", kRows});
  EXPECT_EQ(TraitsOf("foo::op").layout, Layout::kContiguous);
  EXPECT_EQ(TraitsOf("aten::tanh").quantized, Quantized::kRounded);
  EXPECT_EQ(TraitsOf("aten::slice.Tensor").alias, Alias::kRange);
}

}  // namespace
}  // namespace onnxport::op_traits
