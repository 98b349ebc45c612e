#include "runtime/model/passes/graph/remove_dead.h"

#include <gtest/gtest.h>

#include "runtime/testing/graph_builder.h"

namespace onnxport::passes::remove_dead_test {
namespace {

using ir::ValueId;

TEST(RemoveDeadTest, KeepsInputs) {
  GraphBuilder b;
  const ValueId x = b.Input("x", {4});
  b.Input("unused", {4});
  const ValueId w = b.Weight("w", {1}, "abcd");
  b.Node("Add", {b.Node("Relu", {x}, "a", {4}), w}, "b", {4});
  b.Output(b.Node("Neg", {x}, "y", {4}));
  EXPECT_TRUE(RemoveDead(&b.graph));
  EXPECT_EQ(Body(b.graph), "%y: float32[4] = Neg(%x)\noutput out0 = %y\n");
  EXPECT_EQ(b.graph.inputs.size(), 2u);
  EXPECT_TRUE(b.graph.weights.empty());
  EXPECT_FALSE(RemoveDead(&b.graph));
}

}  // namespace
}  // namespace onnxport::passes::remove_dead_test
