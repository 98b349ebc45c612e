#include "runtime/model/passes/finish/lift_constants.h"

#include <gtest/gtest.h>

#include "runtime/testing/graph_builder.h"

namespace onnxport::passes::lift_constants_test {
namespace {

using ir::DType;
using ir::ValueId;
constexpr DType kI64 = DType::kInt64;

TEST(LiftConstantsTest, MakesInitializersWhereConstantIsOfFloatsOrInitializersAreNoInputs) {
  struct Row {
    int opset;
    ir::DType dtype;
    bool lifted;
  };
  for (const auto& [opset, dtype, lifted] : {Row{8, ir::DType::kFloat32, false}, {8, kI64, true}, {9, kI64, true}}) {
    GraphBuilder b(opset);
    const ValueId c = b.Value("c", {1}, dtype);
    b.Append("Constant", {}, {c}, {{"value", {ir::MakeTensor(dtype, {1}, "abcdabcd")}}});
    b.Output(b.Node("Add", {b.Input("x", {4}, dtype), c}, "y", {4}, dtype));
    EXPECT_EQ(LiftConstants(&b.graph), lifted) << opset;
    EXPECT_EQ(b.graph.weights.size(), lifted ? 1U : 0U) << opset;
    EXPECT_EQ(b.graph.body.nodes.size(), lifted ? 1U : 2U) << opset;
  }
}

}  // namespace
}  // namespace onnxport::passes::lift_constants_test
