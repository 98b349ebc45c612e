// These inputs never reach ONNX's inference. They are harmless ones: wrong in a way that ONNX itself would report, or
// small, with a small limit.
#include "runtime/model/onnx_file/guarded_inference.h"

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/interruption.h"
#include "runtime/base/memory_budget.h"
#include "runtime/testing/error_of.h"

namespace onnxport::onnx_file {
namespace {

using onnx::AttributeProto;
using onnx::NodeProto;
using testing::HasSubstr;

NodeProto Node(const std::string& op, const std::vector<std::string>& inputs, const std::vector<std::string>& outputs) {
  NodeProto node;
  node.set_op_type(op);
  for (const std::string& input : inputs) node.add_input(input);
  for (const std::string& output : outputs) node.add_output(output);
  return node;
}

AttributeProto* AddAttribute(NodeProto* node, const std::string& name, AttributeProto::AttributeType type) {
  AttributeProto* attribute = node->add_attribute();
  attribute->set_name(name);
  attribute->set_type(type);
  return attribute;
}

NodeProto Einsum(const std::string& equation) {
  NodeProto node = Node("Einsum", {"x"}, {"y"});
  AddAttribute(&node, "equation", AttributeProto::STRING)->set_s(equation);
  return node;
}

// The model has x: float32[2,3], n: int64[600], and s, a sequence.
onnx::ModelProto ModelOf(const std::vector<NodeProto>& nodes) {
  onnx::ModelProto model;
  model.set_ir_version(10);
  model.add_opset_import()->set_version(20);
  auto* graph = model.mutable_graph();
  const auto add = [&](const std::string& name, int dtype, const std::vector<int64_t>& dims) {
    auto* input = graph->add_input();
    input->set_name(name);
    auto* tensor = input->mutable_type()->mutable_tensor_type();
    tensor->set_elem_type(dtype);
    for (const int64_t dim : dims) tensor->mutable_shape()->add_dim()->set_dim_value(dim);
  };
  add("x", onnx::TensorProto::FLOAT, {2, 3});
  add("n", onnx::TensorProto::INT64, {600});
  auto* sequence = graph->add_input();
  sequence->set_name("s");
  sequence->mutable_type()->mutable_sequence_type()->mutable_elem_type()->mutable_tensor_type()->set_elem_type(1);
  for (const NodeProto& node : nodes) *graph->add_node() = node;
  return model;
}

const onnx::ShapeInferenceOptions kStrict(true, 1, true);
const onnx::ShapeInferenceOptions kLenient(false, 0, true);

// The message of inference about the only node; "" when there is none.
std::string MistakeOf(const NodeProto& node) {
  onnx::ModelProto model = ModelOf({node});
  try {
    InferShapes(&model, "m.onnx", kStrict);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

// How many functions call each other, each the next one once.
onnx::ModelProto Chain(int functions) {
  onnx::ModelProto model = ModelOf({Node("f0", {"x"}, {"y"})});
  model.mutable_graph()->mutable_node(0)->set_domain("own");
  const auto import = [](auto* proto) {
    proto->add_opset_import()->set_version(20);
    auto* own = proto->add_opset_import();
    own->set_domain("own");
    own->set_version(1);
  };
  model.clear_opset_import();
  import(&model);
  for (int i = 0; i < functions; ++i) {
    auto* function = model.add_functions();
    function->set_domain("own");
    function->set_name("f" + std::to_string(i));
    function->add_input("a");
    function->add_output("b");
    import(function);
    NodeProto node = Node(i + 1 == functions ? "Relu" : "f" + std::to_string(i + 1), {"a"}, {"b"});
    if (i + 1 < functions) node.set_domain("own");
    *function->add_node() = node;
  }
  return model;
}

TEST(GuardedInference, GivesTheTypesThatOnnxGives) {
  onnx::ModelProto model = ModelOf({Einsum("ij->j"), Node("Concat", {"n", "n"}, {"c"})});
  AddAttribute(model.mutable_graph()->mutable_node(1), "axis", AttributeProto::INT)->set_i(0);
  InferShapes(&model, "m.onnx", kStrict);
  ASSERT_EQ(model.graph().value_info_size(), 2);
  EXPECT_EQ(model.graph().value_info(0).type().tensor_type().shape().dim(0).dim_value(), 3);
  EXPECT_EQ(model.graph().value_info(1).type().tensor_type().shape().dim(0).dim_value(), 1200);
}

TEST(GuardedInference, LooksAtNodesFirst) {
  EXPECT_EQ(MistakeOf(Einsum("ij->ji")), "");
  EXPECT_THAT(MistakeOf(Einsum("ij->jj")), HasSubstr("Einsum has a wrong equation: the result has a letter twice"));
  EXPECT_THAT(MistakeOf(Einsum("ij,j->i")), HasSubstr("it has 2 terms for 1 operands"));
  EXPECT_THAT(MistakeOf(Node("Einsum", {"x"}, {"y"})), HasSubstr("Einsum lacks its attribute equation"));
  EXPECT_THAT(MistakeOf(Node("Relu", {"x", "x"}, {"y"})), HasSubstr("Relu has 2 inputs"));
  EXPECT_THAT(MistakeOf(Node("Relu", {"x"}, {"y", "z"})), HasSubstr("Relu has 2 results"));
  EXPECT_THAT(MistakeOf(Node("Add", {"x", ""}, {"y"})), HasSubstr("Add lacks input 1"));
  EXPECT_THAT(MistakeOf(Node("Relu", {"s"}, {"y"})), HasSubstr("Relu does not take seq(tensor(float))"));
  NodeProto softmax = Node("Softmax", {"x"}, {"y"});
  AddAttribute(&softmax, "axis", AttributeProto::FLOAT)->set_f(1);
  EXPECT_THAT(MistakeOf(softmax), HasSubstr("Softmax has an attribute axis of another type"));
  NodeProto pool = Node("MaxPool", {"x"}, {"y"});
  AddAttribute(&pool, "kernel_shape", AttributeProto::INTS)->add_ints(-1);
  EXPECT_THAT(MistakeOf(pool), HasSubstr("MaxPool has kernel_shape below 1"));
}

TEST(GuardedInference, GoesOnBehindAWrongNode) {
  onnx::ModelProto model = ModelOf({Einsum("ij->jj"), Node("Relu", {"x"}, {"z"})});
  InferShapes(&model, "m.onnx", kLenient);
  ASSERT_EQ(model.graph().value_info_size(), 1);
  EXPECT_EQ(model.graph().value_info(0).name(), "z");
}

// Behind a node of another domain nothing is known; mistakes that can be seen in spite of that are reported.
TEST(GuardedInference, GoesOnBehindAnUnknownType) {
  NodeProto own = Node("Own", {"x"}, {"a"});
  own.set_domain("own");
  onnx::ModelProto model = ModelOf({own, Node("Shape", {"a"}, {"b"}), Node("Relu", {"a"}, {"c"}),
                                    Node("Optional", {"a"}, {"d"}), Node("SequenceConstruct", {"a"}, {"e"})});
  auto* import = model.add_opset_import();
  import->set_domain("own");
  import->set_version(1);
  InferShapes(&model, "m.onnx", kStrict);
  ASSERT_EQ(model.graph().value_info_size(), 1);
  EXPECT_EQ(model.graph().value_info(0).type().tensor_type().elem_type(), onnx::TensorProto::INT64);
}

TEST(GuardedInference, FunctionsLieNotTooDeep) {
  onnx::ModelProto model = Chain(100);
  InferShapes(&model, "m.onnx", kStrict);
  EXPECT_EQ(model.graph().value_info(0).type().tensor_type().shape().dim_size(), 2);
  onnx::ModelProto deep = Chain(101);
  EXPECT_EQ(ErrorOf(ErrorKind::kBadInput, [&] { InferShapes(&deep, "m.onnx", kLenient); }),
            "m.onnx: its functions and graphs lie more than 100 deep");
}

TEST(GuardedInference, CountsNodesOfFunctionsAtEachCall) {
  onnx::ModelProto model = Chain(10);
  *model.mutable_graph()->add_node() = model.graph().node(0);
  model.mutable_graph()->mutable_node(1)->set_output(0, "z");
  InferShapes(&model, "m.onnx", kLenient, /*most_nodes=*/22);
  EXPECT_EQ(ErrorOf(ErrorKind::kBadInput, [&] { InferShapes(&model, "m.onnx", kLenient, /*most_nodes=*/21); }),
            "m.onnx: its functions make more than 21 nodes of it");
}

TEST(GuardedInference, KeepsTheLimitsOfTheThread) {
  onnx::ModelProto model = Chain(90);
  {
    const Interruption late({}, Interruption::Clock::now());
    ErrorOf(ErrorKind::kDeadline, [&] { InferShapes(&model, "m.onnx", kLenient); });
    EXPECT_NE(ErrorOf(ErrorKind::kDeadline, [&] { InferShapes(&model, "m.onnx", kLenient); }), "no error");
  }
  const MemoryBudget small("m.onnx", 0, 100);
  EXPECT_THAT(ErrorOf(ErrorKind::kMemoryBudget, [&] { InferShapes(&model, "m.onnx", kLenient); }), HasSubstr("m.onnx"));
}

// 2,400 elements would be followed through two nodes; they are not, and the types are what they are.
TEST(GuardedInference, ElementsOfShapesDoNotDouble) {
  onnx::ModelProto model = ModelOf({Node("Concat", {"n", "n"}, {"c"}), Node("Concat", {"c", "c"}, {"d"})});
  for (auto& node : *model.mutable_graph()->mutable_node()) AddAttribute(&node, "axis", AttributeProto::INT)->set_i(0);
  const MemoryBudget budget("m.onnx", 0, 100'000);  // 600 elements fit, and 1,200 do not
  InferShapes(&model, "m.onnx", kStrict);
  EXPECT_EQ(model.graph().value_info(1).type().tensor_type().shape().dim(0).dim_value(), 2400);
}

}  // namespace
}  // namespace onnxport::onnx_file
