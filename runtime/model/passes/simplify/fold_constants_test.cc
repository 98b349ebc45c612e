#include "runtime/model/passes/simplify/fold_constants.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "runtime/model/passes/graph/remove_dead.h"
#include "runtime/testing/graph_builder.h"

namespace onnxport::passes::fold_constants_test {
namespace {

using ir::Dims;
using ir::DType;
using ir::ValueId;
constexpr DType kI64 = DType::kInt64;

TEST(FoldConstantsTest, FoldsChainsOfKnownIntegers) {
  GraphBuilder b;
  const ValueId x = b.Input("x", {2, 3, Sym("n")});
  const ValueId w = b.Weight("offset", {}, std::string("\5\0\0\0\0\0\0\0", 8), kI64);
  const ValueId sum = b.Node("Add", {b.Scalar("two", 2), w}, "sum", {}, kI64);
  b.Output(b.Node("Mul", {sum, sum}, "square", {}, kI64));
  b.Output(b.Node("Shape", {x}, "shape", {3}, kI64));
  EXPECT_TRUE(FoldConstants(&b.graph));
  EXPECT_TRUE(RemoveDead(&b.graph));
  EXPECT_EQ(Body(b.graph),
            "%square: int64[] {49} = Constant(value=int64[]{49})\n"
            "%shape: int64[3] = Shape(%x)\n"
            "output out0 = %square\n"
            "output out1 = %shape\n");
  EXPECT_TRUE(b.graph.weights.empty());
  EXPECT_FALSE(FoldConstants(&b.graph));
}

TEST(FoldConstantsTest, BelievesSymbolicContents) {
  GraphBuilder b;
  const ValueId x = b.Input("x", {2, Sym("n")});
  const ValueId y = b.Node("Slice", {b.Node("Shape", {x}, "shape", {2}, kI64)}, "y", {1}, kI64);
  b.graph.value(y).contents = Dims{2};
  b.Output(y);
  EXPECT_TRUE(FoldConstants(&b.graph));
  EXPECT_EQ(b.graph.body.nodes.back().op, "Constant");
}

TEST(FoldConstantsTest, FoldsFloatsOfConstantsOnly) {
  for (const bool constant : {true, false}) {
    GraphBuilder b;
    const ValueId one = b.Weight("one", {}, std::string("\0\0\x80\x3f", 4));
    b.graph.weights.back().constant = constant;
    b.Output(b.Node("Add", {one, one}, "y", {}));
    EXPECT_EQ(FoldConstants(&b.graph), constant);
    EXPECT_EQ(b.graph.body.nodes.back().op, constant ? "Constant" : "Add");
  }
}

TEST(FoldConstantsTest, KeepsLargeResultsOfOneNumberComputed) {
  GraphBuilder b;
  const ValueId ones = b.Node("Expand", {b.Scalar("one", 1), b.Ints("shape", {64, 64})}, "ones", {64, 64}, kI64);
  b.Output(ones);
  b.Output(b.Node("Trilu", {ones}, "mask", {64, 64}, kI64));
  EXPECT_TRUE(FoldConstants(&b.graph));
  EXPECT_EQ(b.graph.body.nodes[2].op, "Expand");
  EXPECT_EQ(b.graph.body.nodes[3].op, "Constant");
}

TEST(FoldConstantsTest, FoldsFewLargeResults) {
  GraphBuilder b;
  const ValueId range =
      b.Node("Range", {b.Scalar("start", 0), b.Scalar("end", 16000), b.Scalar("step", 1)}, "range", {16000}, kI64);
  for (int i = 0; i < 100; ++i) b.Output(b.Node("Add", {range, b.Scalar("n", i)}, "y", {16000}, kI64));
  EXPECT_TRUE(FoldConstants(&b.graph));
  const auto added = std::ranges::count(b.graph.body.nodes, "Add", &ir::Node::op);
  EXPECT_GT(added, 50);
  EXPECT_LT(added, 90);
}

TEST(FoldConstantsTest, FoldsOnAfterAResultThatIsTooLarge) {
  GraphBuilder b;
  const ValueId start = b.Scalar("start", 0);
  const ValueId step = b.Scalar("step", 1);
  const auto range = [&](int64_t count) {
    b.Output(b.Node("Range", {start, b.Scalar("end", count), step}, "y", {count}, kI64));
  };
  for (int i = 0; i < 31; ++i) range(16384);
  // 16,384 elements more may be kept: of each pair the second is too large beside the first.
  for (const int64_t count : {10'000, 10'000, 5'000, 5'000, 10}) range(count);
  EXPECT_TRUE(FoldConstants(&b.graph));
  std::vector<int64_t> computed;
  for (const ir::Node& node : b.graph.body.nodes) {
    if (node.op == "Range") computed.push_back(b.graph.value(node.outputs[0]).dims->front().number());
  }
  EXPECT_EQ(computed, (std::vector<int64_t>{10'000, 5'000}));
  EXPECT_EQ(b.graph.body.nodes.back().op, "Constant");
}

TEST(FoldConstantsTest, LeavesLargeBuffersTheirName) {
  GraphBuilder b;
  const ValueId mask = b.Weight("mask", {40, 40}, std::string(1600, '\1'), DType::kBool);
  b.Output(b.Node("Not", {mask}, "y", {40, 40}, DType::kBool));
  EXPECT_FALSE(FoldConstants(&b.graph));
}

TEST(FoldConstantsTest, SkipsNeutralOperands) {
  GraphBuilder b;
  const ValueId n = b.Input("n", {Sym("n")}, kI64);
  const ValueId zero = b.Scalar("zero", 0);
  const ValueId one = b.Scalar("one", 1);
  const ValueId square = b.Constant("square", {kI64, {1, 1}, {0}});
  b.Output(b.Node("Add", {zero, n}, "a", {Sym("n")}, kI64));
  b.Output(b.Node("Div", {n, one}, "b", {Sym("n")}, kI64));
  b.Output(b.Node("Sub", {zero, n}, "c", {Sym("n")}, kI64));
  b.Output(b.Node("Add", {n, square}, "d", {1, Sym("n")}, kI64));
  b.Output(b.Node("Mul", {n, zero}, "e", {Sym("n")}, kI64));
  EXPECT_TRUE(FoldConstants(&b.graph));
  RemoveDead(&b.graph);
  EXPECT_EQ(Body(b.graph).substr(Body(b.graph).find("output")),
            "output out0 = %n\noutput out1 = %n\noutput out2 = %c\noutput out3 = %d\noutput out4 = %e\n");
}

}  // namespace
}  // namespace onnxport::passes::fold_constants_test
