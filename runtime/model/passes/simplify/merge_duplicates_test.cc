#include "runtime/model/passes/simplify/merge_duplicates.h"

#include <gtest/gtest.h>

#include <vector>

#include "runtime/lowering/types/node_schema.h"
#include "runtime/model/passes/graph/remove_dead.h"
#include "runtime/testing/graph_builder.h"

namespace onnxport::passes::merge_duplicates_test {
namespace {

using ir::DType;
using ir::ValueId;

TEST(MergeDuplicatesTest, ComputesOnce) {
  GraphBuilder b;
  const ValueId x = b.Input("x", {4});
  const ValueId a = b.Node("Add", {x, b.Ints("c1", {1})}, "a", {4});
  const ValueId d = b.Node("Add", {x, b.Ints("c2", {1})}, "d", {4});
  const ValueId e = b.Node("Add", {x, b.Ints("c3", {1}, DType::kInt32)}, "e", {4});
  b.Output(b.Node("Concat", {a, d, e}, "y", {12}, DType::kFloat32, {{"axis", {int64_t{0}}}}));
  EXPECT_TRUE(MergeDuplicates(&b.graph));
  RemoveDead(&b.graph);
  EXPECT_EQ(Body(b.graph),
            "%c1: int64[1] = Constant(value=int64[1]{1})\n"
            "%a: float32[4] = Add(%x, %c1)\n"
            "%c3: int32[1] = Constant(value=int32[1]{1})\n"
            "%e: float32[4] = Add(%x, %c3)\n"
            "%y: float32[12] = Concat(%a, %a, %e, axis=0)\n"
            "output out0 = %y\n");
}

TEST(MergeDuplicatesTest, KeepsWhatDiffers) {
  GraphBuilder b;
  const ValueId x = b.Input("x", {4});
  const auto attribute = [](double value) { return std::vector<ir::Attribute>{{"alpha", {value}}}; };
  b.Output(b.Node("Elu", {x}, "a", {4}, DType::kFloat32, attribute(0.0)));
  b.Output(b.Node("Elu", {x}, "b", {4}, DType::kFloat32, attribute(-0.0)));
  b.Output(b.Node("RandomNormalLike", {x}, "c", {4}));
  b.Output(b.Node("RandomNormalLike", {x}, "d", {4}));
  EXPECT_FALSE(MergeDuplicates(&b.graph));
}

TEST(MergeDuplicatesTest, NodesOfOtherDomainsMergeWhereTheirSchemaSaysSo) {
  lowering::NodeSchema pure;
  pure.name = "acme.Pure";
  pure.pure = true;
  lowering::NodeSchema draws;
  draws.name = "acme.Draws";
  lowering::NodeSchemaTables::Add({"//test", lowering::KeptSchemas({pure, draws})});
  for (const auto& [op, merges] : {std::pair("acme.Pure", true), {"acme.Draws", false}, {"acme.Unknown", false}}) {
    GraphBuilder b;
    const ValueId x = b.Input("x", {4});
    b.Output(b.Node(op, {x}, "a", {4}));
    b.Output(b.Node(op, {x}, "b", {4}));
    EXPECT_EQ(MergeDuplicates(&b.graph), merges) << op;
  }
}

TEST(MergeDuplicatesTest, MergesTiedWeightsOnly) {
  GraphBuilder b;
  const ValueId first = b.Weight("first", {1}, "abcd");
  const ValueId equal = b.Weight("equal", {1}, "abcd");
  const ValueId tied = b.Value("tied", {1});
  b.graph.weights.push_back({tied, "tied", b.graph.weights[0].data});
  b.Output(b.Node("Sum", {first, equal, tied}, "y", {1}));
  EXPECT_TRUE(MergeDuplicates(&b.graph));
  RemoveDead(&b.graph);
  EXPECT_EQ(Body(b.graph), "%y: float32[1] = Sum(%first, %equal, %first)\noutput out0 = %y\n");
  EXPECT_EQ(b.graph.weights.size(), 2u);
}

}  // namespace
}  // namespace onnxport::passes::merge_duplicates_test
