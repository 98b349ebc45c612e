// Nodes of one's own in what a C++ program exports.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/library.h>

#include "onnx/onnx_pb.h"
#include "tests/torch/net_differs.h"

namespace onnxport::tests {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using torch::Tensor;
using Tensors = std::vector<Tensor>;

// It looks at values: no run without memory can make it.
Tensor Halve(const Tensor& x, double factor, at::IntArrayRef axes) {
  Tensor result = torch::empty_like(x);
  for (int64_t i = 0; i < x.numel(); ++i) {
    result.mutable_data_ptr<float>()[i] = x.const_data_ptr<float>()[i] * static_cast<float>(factor) + axes[0];
  }
  return result;
}
Tensor& HalveInPlace(Tensor& x) { return x.mul_(0.5); }

TORCH_LIBRARY(custom_test, m) {
  m.def("halve(Tensor x, float factor, int[] axes) -> Tensor");
  m.def("halve_(Tensor(a!) x) -> Tensor(a!)");
  m.impl("halve", torch::kCPU, &Halve);
  m.impl("halve_", torch::kCPU, &HalveInPlace);
}

onnx::ModelProto Parsed(const Model& model) {
  onnx::ModelProto proto;
  const auto bytes = model.Bytes();
  EXPECT_TRUE(bytes && proto.ParseFromArray(bytes->data(), static_cast<int>(bytes->size())));
  return proto;
}

// `name=value` of a node's attributes, in the model's order.
std::vector<std::string> AttributesOf(const onnx::NodeProto& node) {
  std::vector<std::string> texts;
  for (const onnx::AttributeProto& attribute : node.attribute()) {
    std::string text = attribute.name() + "=" + attribute.s();
    if (attribute.type() == onnx::AttributeProto::INT) text += std::to_string(attribute.i());
    if (attribute.type() == onnx::AttributeProto::FLOAT) text += std::to_string(attribute.f());
    for (const int64_t i : attribute.ints()) text += std::to_string(i) + " ";
    for (const float f : attribute.floats()) text += std::to_string(f) + " ";
    for (const std::string& s : attribute.strings()) text += s + " ";
    texts.push_back(std::move(text));
  }
  return texts;
}

const onnx::NodeProto* Find(const onnx::ModelProto& model, const std::string& type) {
  for (const onnx::NodeProto& node : model.graph().node()) {
    if (node.op_type() == type) return &node;
  }
  return nullptr;
}

TEST(Custom, RunsWhatItIsGivenOutsideOfAnExport) {
  const Tensor x = torch::ones({2});
  const Tensor y = Custom("a.b", "Twice", {}, {x}, [](const Tensors& in) { return in[0] * 2; });
  EXPECT_TRUE(y.equal(x * 2));
}

TEST(Custom, IsOneNodeOfThatNameWithFreeAxes) {
  const auto f = [](const Tensor& x) {
    const Tensors made = Custom("a.b", "Mix",
                                {{"factor", 0.5},
                                 {"count", int64_t{3}},
                                 {"mode", std::string("fast")},
                                 {"axes", std::vector<int64_t>{1, 2}},
                                 {"scales", std::vector<double>{0.25}},
                                 {"names", std::vector<std::string>{"p", "q"}}},
                                {x, Tensor(), x + 1}, [](const Tensors& in) -> Tensors {
                                  return {in[0].sigmoid().exp().flatten(), in[2].to(torch::kInt64)};
                                });
    return std::make_tuple(made[0] * 2, made[1]);
  };
  ExportOptions options;
  options.inputs = {TensorInput("x", {Sym("batch"), 4})};
  options.domain_versions["a.b"] = 7;
  const auto model = Export(f, {torch::randn({2, 4})}, options);
  ASSERT_TRUE(model) << model.error().Text();
  const onnx::ModelProto proto = Parsed(*model);
  const onnx::NodeProto* node = Find(proto, "Mix");
  ASSERT_NE(node, nullptr);
  EXPECT_EQ(node->domain(), "a.b");
  EXPECT_THAT(AttributesOf(*node),
              ElementsAre("axes=1 2 ", "count=3", "factor=0.500000", "mode=fast", "names=p q ", "scales=0.250000 "));
  EXPECT_EQ(node->input_size(), 3);
  EXPECT_EQ(node->input(0), "x");
  EXPECT_EQ(node->input(1), "");
  EXPECT_EQ(Find(proto, "Sigmoid"), nullptr);
  EXPECT_EQ(Find(proto, "Exp"), nullptr);
  // The flattened result has four elements for each of the batch.
  EXPECT_EQ(model->outputs().at(0).dims->at(0).Text(), "4*batch");
  EXPECT_EQ(model->outputs().at(1).dtype, kInt64);
  EXPECT_EQ(model->outputs().at(1).dims->at(0), Sym("batch"));
  ASSERT_EQ(proto.opset_import_size(), 2);
  EXPECT_EQ(proto.opset_import(1).domain(), "a.b");
  EXPECT_EQ(proto.opset_import(1).version(), 7);
}

// ONNX's own has a kernel: the numbers are those of `run`.
TEST(Custom, ANodeOfOnnxComputesIt) {
  const auto f = [](const Tensor& x) {
    return Custom("", "LeakyRelu", {{"alpha", 0.25}}, {x - 1},
                  [](const Tensors& in) { return torch::leaky_relu(in[0], 0.25); }) +
           1;
  };
  EXPECT_EQ(NetDiffers(f, {.examples = {torch::randn({3, 4})}}), "");
}

TEST(Custom, WhatNoNodeCanBeIsRefused) {
  const Tensor x = torch::randn({2, 4});
  const struct {
    const char* name;
    CustomRun run;
    const char* reason;
  } cases[] = {
      {"Alias", [](const Tensors& in) -> Tensors { return {in[0].view({-1})}; }, "is no new tensor"},
      {"Undefined", [](const Tensors&) -> Tensors { return {Tensor()}; }, "is no new tensor"},
      {"Quantized", [](const Tensors& in) -> Tensors { return {at::quantize_per_tensor(in[0], 1, 0, at::kQInt8)}; },
       "ONNX has no word for it"},
  };
  for (const auto& test : cases) {
    const auto f = [&](const Tensor& t) { return CustomTensors("a.b", test.name, {}, {t}, test.run).at(0); };
    const auto model = Export(f, {x}, {});
    ASSERT_FALSE(model) << test.name;
    EXPECT_EQ(model.error().kind(), ErrorKind::kCannotExport);
    EXPECT_THAT(model.error().Text(), HasSubstr(test.reason)) << test.name;
  }
  // A result whose dtype ONNX's own operator does not give, and one that there is not.
  const auto wrong = [](const Tensor& t) {
    return Custom("", "Relu", {}, {t}, [](const Tensors& in) { return in[0].to(torch::kInt64); });
  };
  EXPECT_THAT(Export(wrong, {x}, {}).error().Text(), HasSubstr("is float32, where the program says int64"));
  const auto unknown = [](const Tensor& t) {
    return Custom("", "Rleu", {}, {t}, [](const Tensors& in) { return in[0].clone(); });
  };
  EXPECT_THAT(Export(unknown, {x}, {}).error().Text(), HasSubstr("has no operator Rleu"));
}

TEST(Registered, OperatorsBecomeNodesWhereTheUserSaysSo) {
  static const auto op = c10::Dispatcher::singleton()
                             .findSchemaOrThrow("custom_test::halve", "")
                             .typed<Tensor(const Tensor&, double, at::IntArrayRef)>();
  const auto f = [](const Tensor& x) { return op.call(x, 0.5, {1, 2}) + 1; };
  ExportOptions options;
  options.inputs = {TensorInput("x", {Sym("batch"), 4})};
  const std::vector<c10::IValue> example = {torch::randn({2, 4})};
  EXPECT_THAT(Export(f, example, options).error().Text(), HasSubstr("custom_test::halve"));
  options.fallthrough = true;
  const auto fallen = Export(f, example, options);
  ASSERT_TRUE(fallen) << fallen.error().Text();
  const onnx::ModelProto proto = Parsed(*fallen);
  const onnx::NodeProto* node = Find(proto, "halve");
  ASSERT_NE(node, nullptr);
  EXPECT_EQ(node->domain(), "custom_test");
  EXPECT_THAT(AttributesOf(*node), ElementsAre("axes=1 2 ", "factor=0.500000"));
  EXPECT_THAT(fallen->remarks(), testing::Contains(HasSubstr("custom_test::halve is exported as the node halve")));
  options.map = {{.op = "custom_test::halve", .node = "x.y.Half"}};
  const auto mapped = Export(f, example, options);
  ASSERT_TRUE(mapped) << mapped.error().Text();
  EXPECT_NE(Find(Parsed(*mapped), "Half"), nullptr);
}

TEST(Registered, WhatWritesToItsArgumentsIsRefused) {
  static const auto op =
      c10::Dispatcher::singleton().findSchemaOrThrow("custom_test::halve_", "").typed<Tensor&(Tensor&)>();
  const auto f = [](const Tensor& x) {
    Tensor y = x + 1;
    return op.call(y) * 2;
  };
  ExportOptions options;
  options.fallthrough = true;
  const auto model = Export(f, {torch::randn({2, 4})}, options);
  ASSERT_FALSE(model);
  EXPECT_THAT(model.error().Text(), HasSubstr("custom_test::halve_"));
  EXPECT_THAT(model.error().Text(), HasSubstr("writes to its arguments"));
}

}  // namespace
}  // namespace onnxport::tests
