// Blocks of If and Loop that are made, and added to after they have ended.
#include <gtest/gtest.h>

#include "runtime/lowering/build/emitter.h"
#include "runtime/testing/emitted_graph.h"

namespace onnxport::lowering {
namespace {

class BlocksTest : public testing::Test {
 protected:
  ir::ValueId Relu(ir::ValueId x) { return g.emitter.Add("Relu", {{x}}); }

  TestGraph g{18};
  const ir::ValueId x = g.Input("x", DType::kFloat32, {"n"}).AsTensor().id;
};

TEST_F(BlocksTest, WhatIsAddedStandsAtTheEnd) {
  g.emitter.blocks().Begin();
  const ir::ValueId inside = Relu(x);
  ir::Block block = g.emitter.blocks().End();
  g.emitter.blocks().Begin();
  ir::Block other = g.emitter.blocks().End();
  for (ir::Block* each : {&block, &other}) {
    g.emitter.blocks().Append(each, [&] { g.emitter.Add("Neg", {{each == &block ? inside : x}}); });
  }
  EXPECT_EQ(TestGraph::OpsOf(block), "Relu Neg");
  EXPECT_EQ(TestGraph::OpsOf(other), "Neg");
  EXPECT_EQ(g.Ops(), "");
}

// As if the block had not ended, but for what lies outside of it.
TEST_F(BlocksTest, ValuesOfABlockAreItsOwn) {
  g.emitter.blocks().Begin();
  const ir::ValueId input = g.emitter.blocks().AddInput(g.graph.value(x));
  ir::Block block = g.emitter.blocks().End();
  EXPECT_NE(RefusalOf([&] { Relu(input); }).find("has ended"), std::string::npos);
  g.emitter.blocks().Append(&block, [&] {
    EXPECT_EQ(g.emitter.blocks().innermost(), g.emitter.blocks().BlockOf(input));
    EXPECT_EQ(g.emitter.blocks().BlockOf(Relu(input)), g.emitter.blocks().innermost());
  });
  EXPECT_EQ(g.emitter.blocks().innermost(), 0);
  EXPECT_NE(RefusalOf([&] { Relu(input); }).find("has ended"), std::string::npos);
}

TEST_F(BlocksTest, AnErrorLeavesNothingOpen) {
  g.emitter.blocks().Begin();
  ir::Block block = g.emitter.blocks().End();
  const std::string seen = RefusalOf([&] {
    g.emitter.blocks().Append(&block, [&] {
      g.emitter.blocks().Begin();
      throw Refusal("that ended");
    });
  });
  EXPECT_EQ(seen, "that ended");
  EXPECT_EQ(g.emitter.blocks().depth(), 0u);
  Relu(x);
  EXPECT_EQ(g.Ops(), "Relu");
}

}  // namespace
}  // namespace onnxport::lowering
