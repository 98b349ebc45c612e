#include "runtime/model/passes/finish/repeat_constants.h"

#include <gtest/gtest.h>

#include <utility>

#include "runtime/ir/read_node.h"
#include "runtime/model/passes/finish/lift_constants.h"
#include "runtime/testing/graph_builder.h"

namespace onnxport::passes::repeat_constants_test {
namespace {

// In a block the shape is a constant of its own; the number that is no shape, and what is outside, stay.
TEST(RepeatConstantsTest, GoIntoTheBlocksThatReadThem) {
  for (const int opset : {8, 18}) {
    GraphBuilder b(opset);
    const ir::ValueId x = b.Input("x", {2});
    const ir::ValueId c = b.Input("c", {}, ir::DType::kBool);
    const ir::ValueId shape = b.Ints("shape", {1, 2});
    const ir::ValueId outside = b.Ints("outside", {2, 1});
    LiftConstants(&b.graph);
    const ir::ValueId outer = b.Node("Reshape", {x, outside}, "outer", {2, 1});
    const size_t first = b.Size();
    const ir::ValueId once = b.Node("Reshape", {x, shape}, "once", {1, 2});
    ir::Block then = b.TakeBlock(first, {}, {b.Node("Reshape", {once, shape}, "a", {1, 2})});
    ir::Block otherwise = b.TakeBlock(first, {}, {b.Node("Gather", {outside, x}, "d", {1, 2})});
    const ir::ValueId result = b.Value("result", {1, 2});
    b.Append("If", {c}, {result});
    b.AddBlocks({std::move(then), std::move(otherwise)});
    b.Output(result);
    b.Output(outer);
    EXPECT_EQ(RepeatConstants(&b.graph), opset == 18);
    const auto& blocks = b.graph.body.nodes[1].blocks;
    EXPECT_EQ(blocks[1].nodes.size(), 1U);
    EXPECT_EQ(b.graph.weights.size(), opset == 18 ? 1U : 2U);
    ASSERT_EQ(blocks[0].nodes.size(), opset == 18 ? 3U : 2U);
    if (opset == 8) continue;
    EXPECT_EQ(blocks[0].nodes[0].op, "Constant");
    for (const size_t reader : {1, 2}) EXPECT_EQ(InputAt(blocks[0].nodes[reader], 1), blocks[0].nodes[0].outputs[0]);
  }
}

}  // namespace
}  // namespace onnxport::passes::repeat_constants_test
