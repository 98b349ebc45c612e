#include "runtime/model/passes/finish/keep_padding.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "runtime/ir/read_node.h"
#include "runtime/testing/graph_builder.h"

namespace onnxport::passes::keep_padding_test {
namespace {

// tests/script/modules.py runs them: ONNX Runtime would join the two nodes.
TEST(KeepPaddingTest, OfAPadBeforeAPoolWithoutPadding) {
  const auto text = [](const std::string& before, std::vector<ir::Attribute> attributes) {
    GraphBuilder b;
    const ir::ValueId x = b.Input("x", {1, 2, 8, 8});
    const ir::ValueId padded = b.Node(before, {x, b.Ints("pads", {0, 0, 1, 1, 0, 0, 1, 1})}, "padded", {1, 2, 10, 10});
    b.Output(b.Node("MaxPool", {padded}, "y", {1, 2, 4, 4}, ir::DType::kFloat32, std::move(attributes)));
    const bool changed = KeepPadding(&b.graph);
    const ir::Node& pool = b.graph.body.nodes.back();
    EXPECT_EQ(changed, FindAttribute(pool, "auto_pad") != nullptr);
    EXPECT_TRUE(!changed || FindAttribute(pool, "pads") == nullptr);
    return changed;
  };
  const auto pads = [](int64_t each) { return ir::Attribute{"pads", {std::vector<ir::Arg>(4, ir::Arg{each})}}; };
  EXPECT_TRUE(text("Pad", {}));
  EXPECT_TRUE(text("Pad", {pads(0)}));
  EXPECT_FALSE(text("Relu", {pads(0)}));
  EXPECT_FALSE(text("Pad", {pads(1)}));
  EXPECT_FALSE(text("Pad", {pads(0), {"ceil_mode", {int64_t{1}}}}));
}

}  // namespace
}  // namespace onnxport::passes::keep_padding_test
