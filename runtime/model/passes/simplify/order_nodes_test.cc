#include "runtime/model/passes/simplify/order_nodes.h"

#include <gtest/gtest.h>

#include "runtime/ir/location.h"
#include "runtime/testing/graph_builder.h"

namespace onnxport::passes::order_nodes_test {
namespace {

using ir::ValueId;

// Two calls: (a + b) * (a - b) as C++ may emit it, and one that uses its second result first.
TEST(OrderNodesTest, InputsComeInTheirOrder) {
  GraphBuilder b;
  const ValueId x = b.Input("x", {2});
  const ir::LocationId first = b.graph.AddLocation({.at = ir::MakeLine("", 1)});
  const ir::LocationId second = b.graph.AddLocation({.at = ir::MakeLine("", 2)});
  const ValueId right = b.Node("Sub", {x, x}, "right", {2});
  const ValueId inner = b.Node("Neg", {x}, "inner", {2});
  const ValueId left = b.Node("Add", {x, inner}, "left", {2});
  const ValueId product = b.Node("Mul", {left, right}, "product", {2});
  for (ir::Node& node : b.graph.body.nodes) node.location = first;
  const ValueId late = b.Node("Exp", {product}, "late", {2});
  const ValueId early = b.Node("Log", {product}, "early", {2});
  b.Node("Abs", {product}, "dead", {2});
  b.graph.body.nodes[4].location = b.graph.body.nodes[5].location = b.graph.body.nodes[6].location = second;
  b.Output(b.Node("Div", {early, late}, "quotient", {2}));
  OrderNodes(&b.graph);
  EXPECT_EQ(Body(b.graph),
            "%inner: float32[2] = Neg(%x)\n"
            "%left: float32[2] = Add(%x, %inner)\n"
            "%right: float32[2] = Sub(%x, %x)\n"
            "%product: float32[2] = Mul(%left, %right)\n"
            "%early: float32[2] = Log(%product)\n"
            "%late: float32[2] = Exp(%product)\n"
            "%dead: float32[2] = Abs(%product)\n"
            "%quotient: float32[2] = Div(%early, %late)\n"
            "output out0 = %quotient\n");
  // Numbers follow.
  EXPECT_EQ(b.graph.value(ValueId{1}).name, "inner");
  EXPECT_EQ(b.graph.value(ValueId{3}).name, "right");
}

}  // namespace
}  // namespace onnxport::passes::order_nodes_test
