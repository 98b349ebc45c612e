#include "runtime/model/passes/finish/keep_empty.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "runtime/testing/graph_builder.h"

namespace onnxport::passes::keep_empty_test {
namespace {

// tests/script/free_sizes.py runs them.
TEST(KeepEmptyTest, OfExpandsThatGrowNothing) {
  const auto text = [](ir::Dims dims, const std::vector<int64_t>& shape, ir::Dims result, int opset = 13) {
    GraphBuilder b(opset);
    const ir::ValueId x = b.Input("x", std::move(dims));
    const ir::ValueId wanted = b.Ints("shape", shape);
    b.graph.value(wanted).contents.emplace(shape.begin(), shape.end());
    b.Output(b.Node("Expand", {x, wanted}, "y", std::move(result)));
    const bool changed = KeepEmpty(&b.graph);
    const ir::Node& node = b.graph.body.nodes.back();
    EXPECT_EQ(changed, node.op == "Slice");
    if (changed) EXPECT_EQ(node.inputs.size(), opset < 10 ? 1U : 4U);
    return changed;
  };
  const ir::Dim n = ir::Dim::Symbol("n");
  EXPECT_TRUE(text({2, 1}, {0}, {2, 0}));
  EXPECT_TRUE(text({2, 1}, {0}, {2, 0}, 9));
  EXPECT_TRUE(text({2, 1}, {2, 0}, {2, 0}));
  EXPECT_TRUE(text({n, 1}, {1, 0}, {n, 0}));
  EXPECT_TRUE(text({1, n, 1}, {0, 1, 0}, {0, n, 0}));
  EXPECT_FALSE(text({1, 1}, {3, 0}, {3, 0}));
  EXPECT_FALSE(text({n, 1}, {3, 0}, {3, 0}));
  EXPECT_FALSE(text({1}, {1, 0}, {1, 0}));
  EXPECT_FALSE(text({2, 1}, {1}, {2, 1}));
}

}  // namespace
}  // namespace onnxport::passes::keep_empty_test
