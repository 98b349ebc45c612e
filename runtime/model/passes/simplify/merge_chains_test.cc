#include "runtime/model/passes/simplify/merge_chains.h"

#include <gtest/gtest.h>

#include "runtime/model/passes/graph/remove_dead.h"
#include "runtime/testing/graph_builder.h"

namespace onnxport::passes::merge_chains_test {
namespace {

using ir::DType;
using ir::ValueId;

TEST(MergeChainsTest, MergesTransposes) {
  GraphBuilder b;
  const ValueId x = b.Input("x", {2, 3, 4});
  const ValueId a = b.Node("Transpose", {x}, "a", {3, 4, 2}, DType::kFloat32, {{"perm", IntList({1, 2, 0})}});
  b.Output(b.Node("Transpose", {a}, "y", {3, 2, 4}, DType::kFloat32, {{"perm", IntList({0, 2, 1})}}));
  EXPECT_TRUE(MergeChains(&b.graph));
  RemoveDead(&b.graph);
  EXPECT_EQ(Body(b.graph), "%y: float32[3, 2, 4] = Transpose(%x, perm=[1, 0, 2])\noutput out0 = %y\n");
}

TEST(MergeChainsTest, GemmTakesTransposedMatrices) {
  GraphBuilder b;
  const ValueId x = b.Input("x", {2, 3});
  const ValueId w = b.Input("w", {4, 3});
  const ValueId xt = b.Node("Transpose", {x}, "xt", {3, 2}, DType::kFloat32, {{"perm", IntList({1, 0})}});
  const ValueId wt = b.Node("Transpose", {w}, "wt", {3, 4}, DType::kFloat32, {{"perm", IntList({1, 0})}});
  b.Output(b.Node("Gemm", {xt, wt}, "y", {2, 4}, DType::kFloat32, {{"transA", {int64_t{1}}}}));
  EXPECT_TRUE(MergeChains(&b.graph));
  EXPECT_TRUE(RemoveDead(&b.graph));
  EXPECT_EQ(Body(b.graph), "%y: float32[2, 4] = Gemm(%x, %w, transA=0, transB=1)\noutput out0 = %y\n");
  EXPECT_FALSE(MergeChains(&b.graph));
}

}  // namespace
}  // namespace onnxport::passes::merge_chains_test
