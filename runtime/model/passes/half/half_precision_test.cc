#include "runtime/model/passes/half/half_precision.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "runtime/base/error.h"
#include "runtime/ir/location.h"
#include "runtime/testing/graph_builder.h"

namespace onnxport::passes::half_precision_test {
namespace {

using ir::DType;
using ir::ValueId;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> Operators(const ir::Block& block) {
  std::vector<std::string> ops;
  for (const ir::Node& node : block.nodes) ops.push_back(node.op.text());
  return ops;
}

DType InputType(const ir::Graph& graph, const ir::Node& node, size_t i) {
  return graph.value(*node.inputs[i].value()).dtype;
}

ValueId Floats(GraphBuilder* b, const std::string& name, const std::vector<int64_t>& shape,
               const std::vector<float>& elements) {
  return b->Weight(name, shape, AsBytes(elements));
}

ValueId Square(GraphBuilder* b, const std::string& name, float element = 1) {
  return Floats(b, name, {2, 2}, {element, 0, 0, 1});
}

// Product, sum and Relu in 16 bits, the Softmax not: one Cast at each border.
TEST(HalfPrecision, CastsAreWhereTheTwoMeet) {
  GraphBuilder b;
  const ValueId x = b.Input("x", {2, 2});
  const ValueId product = b.Node("MatMul", {x, Square(&b, "w")}, "a", {2, 2});
  const ValueId sum = b.Node("Add", {product, Floats(&b, "bias", {2}, {1, 2})}, "b", {2, 2});
  const ValueId softmax = b.Node("Softmax", {b.Node("Relu", {sum}, "c", {2, 2})}, "d", {2, 2});
  b.Output(b.Node("MatMul", {softmax, x}, "e", {2, 2}));
  const auto remarks = ComputeInHalf(&b.graph, {});
  EXPECT_THAT(Operators(b.graph.body),
              ElementsAre("Cast", "MatMul", "Add", "Relu", "Cast", "Softmax", "Cast", "MatMul", "Cast"));
  EXPECT_THAT(remarks, ElementsAre("4 nodes compute in float16, 1 in float32"));
  ASSERT_EQ(b.graph.weights.size(), 2u);
  EXPECT_EQ(b.graph.weights[0].name, "w.float16");
  EXPECT_EQ(BytesOf(*b.graph.weights[1].data), AsBytes(std::vector<uint16_t>{0x3c00, 0x4000}));
  // The input is cast once, and what the model gives is float32.
  EXPECT_EQ(*b.graph.body.nodes[7].inputs[1].value(), b.graph.body.nodes[0].outputs[0]);
  EXPECT_EQ(b.graph.value(x).dtype, DType::kFloat32);
  EXPECT_EQ(b.graph.value(*b.graph.outputs[0].value.value()).dtype, DType::kFloat32);
}

TEST(HalfPrecision, Ports) {
  GraphBuilder b;
  const ValueId x = b.Input("x", {2, 2});
  b.Output(b.Node("MatMul", {x, Square(&b, "w")}, "a", {2, 2}));
  b.Output(b.Node("Exp", {x}, "b", {2, 2}));
  ComputeInHalf(&b.graph, {.as = {.type = HalfType::kBFloat16, .io = true}});
  EXPECT_THAT(Operators(b.graph.body), ElementsAre("MatMul", "Cast", "Exp", "Cast"));
  EXPECT_EQ(b.graph.value(x).dtype, DType::kBFloat16);
  for (const ir::Port& port : b.graph.outputs) EXPECT_EQ(b.graph.value(*port.value.value()).dtype, DType::kBFloat16);
}

// As of torch.autocast: a residual sum of what a norm gave is float32.
TEST(HalfPrecision, WhatMeetsFloat32IsFloat32) {
  GraphBuilder b;
  const ValueId x = b.Input("x", {2, 2});
  const ValueId norm = b.Node("Softmax", {x}, "a", {2, 2});
  const ValueId product = b.Node("MatMul", {norm, Square(&b, "w")}, "b", {2, 2});
  b.Output(b.Node("Add", {norm, product}, "c", {2, 2}));
  ComputeInHalf(&b.graph, {});
  EXPECT_THAT(Operators(b.graph.body), ElementsAre("Softmax", "Cast", "MatMul", "Cast", "Add"));
}

TEST(HalfPrecision, PositionsAndMasks) {
  GraphBuilder b;
  const ValueId ids = b.Input("ids", {2, 2}, DType::kInt64);
  const ValueId x = b.Input("x", {2, 2});
  const ValueId positions = b.Node("Cast", {ids}, "a", {2, 2}, DType::kFloat32, {{"to", {int64_t{1}}}});
  const ValueId angles = b.Node("MatMul", {positions, Square(&b, "frequencies")}, "b", {2, 2});
  const ValueId scores = b.Node("MatMul", {x, Square(&b, "w")}, "c", {2, 2});
  const ValueId mask = Floats(&b, "", {1}, {std::numeric_limits<float>::lowest()});
  const ValueId masked = b.Node("Add", {scores, mask}, "d", {2, 2});
  const ValueId softmax = b.Node("Softmax", {masked}, "e", {2, 2});
  b.Output(b.Node("MatMul", {softmax, Square(&b, "v")}, "f", {2, 2}));
  b.Output(angles);
  const auto remarks = ComputeInHalf(&b.graph, {});
  EXPECT_THAT(Operators(b.graph.body),
              ElementsAre("Cast", "MatMul", "Cast", "MatMul", "Cast", "Add", "Softmax", "Cast", "MatMul", "Cast"));
  EXPECT_EQ(InputType(b.graph, b.graph.body.nodes[1], 1), DType::kFloat32);
  EXPECT_EQ(InputType(b.graph, b.graph.body.nodes[5], 0), DType::kFloat32);
  EXPECT_THAT(remarks[1], HasSubstr("a constant has -3.4028235e+38, beyond float16"));
}

TEST(HalfPrecision, WeightsBeyondStay) {
  for (const auto& [element, stays] : {std::pair(65519.0F, false), {65520.0F, true}, {-70000.0F, true}}) {
    GraphBuilder b;
    b.Output(b.Node("MatMul", {b.Input("x", {2, 2}), Square(&b, "w", element)}, "a", {2, 2}));
    const auto remarks = ComputeInHalf(&b.graph, {});
    EXPECT_EQ(b.graph.weights[0].name, stays ? "w" : "w.float16") << element;
    EXPECT_EQ(Operators(b.graph.body).size(), stays ? 1u : 3u) << element;
    EXPECT_EQ(remarks.size(), stays ? 2u : 1u) << element;
  }
  GraphBuilder b;  // what is infinite stays so
  b.Output(b.Node("MatMul", {b.Input("x", {2, 2}), Square(&b, "w", INFINITY)}, "a", {2, 2}));
  ComputeInHalf(&b.graph, {});
  EXPECT_EQ(b.graph.weights[0].name, "w.float16");
}

// Only rows of a table are cast.
TEST(HalfPrecision, LookUps) {
  GraphBuilder b;
  const ValueId ids = b.Input("ids", {3}, DType::kInt64);
  b.Output(b.Node("Gather", {Square(&b, "table"), ids}, "a", {3, 2}));
  ComputeInHalf(&b.graph, {});
  EXPECT_THAT(Operators(b.graph.body), ElementsAre("Gather", "Cast"));
  EXPECT_EQ(b.graph.weights[0].name, "table.float16");
}

TEST(HalfPrecision, TiedWeights) {
  GraphBuilder b;
  const ValueId ids = b.Input("ids", {3}, DType::kInt64);
  const ValueId table = Square(&b, "table");
  const ValueId rows = b.Node("Gather", {table, ids}, "a", {3, 2});
  b.Output(b.Node("MatMul", {rows, b.Node("Transpose", {table}, "b", {2, 2})}, "c", {3, 2}));
  ComputeInHalf(&b.graph, {});
  EXPECT_THAT(Operators(b.graph.body), ElementsAre("Gather", "Transpose", "MatMul", "Cast"));
  EXPECT_EQ(b.graph.weights.size(), 1u);
}

// Both sides give float32, and each makes it itself; what comes from outside is cast there, once.
TEST(HalfPrecision, Blocks) {
  GraphBuilder b;
  const ValueId x = b.Input("x", {2, 2});
  const ValueId condition = b.Input("condition", {}, DType::kBool);
  const ValueId w = Square(&b, "w");
  const ValueId first = b.Node("MatMul", {x, w}, "a", {2, 2});
  ir::Block then = b.TakeBlock(0, {}, {first});
  const ValueId second = b.Node("MatMul", {w, x}, "b", {2, 2});
  ir::Block otherwise = b.TakeBlock(0, {}, {second});
  b.Output(b.Node("If", {condition}, "y", {2, 2}));
  b.AddBlocks({std::move(then), std::move(otherwise)});
  ComputeInHalf(&b.graph, {});
  EXPECT_THAT(Operators(b.graph.body), ElementsAre("Cast", "If"));
  for (const ir::Block& block : b.graph.body.nodes[1].blocks) {
    EXPECT_THAT(Operators(block), ElementsAre("MatMul", "Cast"));
    EXPECT_EQ(b.graph.value(*block.outputs[0].value()).dtype, DType::kFloat32);
  }
}

TEST(HalfPrecision, NamedOnes) {
  const auto build = [](const std::string& name) {
    GraphBuilder b;
    ir::Location location;
    location.module = std::make_shared<const ir::ModuleCall>(ir::ModuleCall{.path = "layers.0.fc"});
    b.Output(b.Node("MatMul", {b.Input("x", {2, 2}), Square(&b, "w")}, "a", {2, 2}));
    b.graph.body.nodes[0].location = b.graph.AddLocation(location);
    ComputeInHalf(&b.graph, {.float32 = {name}});
    return Operators(b.graph.body);
  };
  for (const char* name : {"MatMul", "Mat*", "layers", "*.fc"}) EXPECT_THAT(build(name), ElementsAre("MatMul")) << name;
  EXPECT_THROW(build("Gemm"), Error);
  EXPECT_THROW(build("layers.1"), Error);
}

TEST(HalfPrecision, Opsets) {
  EXPECT_NO_THROW(CheckHalfPrecision({}, 7));
  EXPECT_NO_THROW(CheckHalfPrecision({.as = {.type = HalfType::kBFloat16}}, 13));
  EXPECT_THROW(CheckHalfPrecision({.as = {.type = HalfType::kBFloat16}}, 12), Error);
}

}  // namespace
}  // namespace onnxport::passes::half_precision_test
