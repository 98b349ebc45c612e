#include "runtime/model/passes/finish/separate_outputs.h"

#include <gtest/gtest.h>

#include "runtime/testing/graph_builder.h"

namespace onnxport::passes::separate_outputs_test {
namespace {

using ir::ValueId;

TEST(SeparateOutputsTest, GivesEachOutputAValue) {
  GraphBuilder b;
  const ValueId x = b.Input("x", {4});
  const ValueId y = b.Node("Relu", {x}, "y", {4});
  b.Output(y);
  b.Output(x);
  b.Output(y);
  b.Output(b.Weight("w", {1}, "abcd"));
  EXPECT_TRUE(SeparateOutputs(&b.graph));
  EXPECT_EQ(b.graph.body.nodes.size(), 4u);
  EXPECT_EQ(*b.graph.body.outputs[0].value(), y);
  EXPECT_FALSE(SeparateOutputs(&b.graph));
}

}  // namespace
}  // namespace onnxport::passes::separate_outputs_test
