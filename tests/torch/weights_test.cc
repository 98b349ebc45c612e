// Weights of C++ modules that come from a file, that are inputs, or that have no memory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <map>
#include <optional>

#include "onnxport/torch.h"
#include "tests/torch/against_eager.h"

namespace onnxport::tests {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using torch::Tensor;

// Sizes are computed, views written to, and a tensor made that has memory.
struct NetImpl : torch::nn::Module {
  NetImpl()
      : conv(register_module("conv", torch::nn::Conv2d(torch::nn::Conv2dOptions(3, 4, 3).padding(1)))),
        norm(register_module("norm", torch::nn::BatchNorm2d(4))),
        lstm(register_module("lstm", torch::nn::LSTM(torch::nn::LSTMOptions(4, 5).batch_first(true)))),
        shift(register_buffer("shift", torch::randn({5}))) {}
  Tensor forward(const Tensor& x) {
    Tensor y = torch::relu(norm(conv(x)));
    y.select(1, 0).mul_(static_cast<double>(y.size(2)));
    const Tensor steps = y.flatten(2).transpose(1, 2);
    return std::get<0>(lstm(steps)) + shift + torch::ones({5}) * 0.5;
  }
  torch::nn::Conv2d conv;
  torch::nn::BatchNorm2d norm;
  torch::nn::LSTM lstm;
  Tensor shift;
};
TORCH_MODULE(Net);

Net RealNet() {
  Net net;
  net->eval();
  return net;
}

Net MetaNet() {
  const MetaTensors no_memory;
  return RealNet();
}

std::string SavedFile(const Net& net, const std::string& name) {
  const std::string path = (std::filesystem::path(testing::TempDir()) / name).string();
  torch::save(net, path);
  return path;
}

ExportOptions Free() {
  ExportOptions options;
  options.inputs = {TensorInput("image", {Sym("batch"), 3, Sym("h"), Sym("w")})};
  return options;
}

TEST(Weights, OfAFileGiveTheModelOfTheModuleThatHasThem) {
  Net real = RealNet();
  ExportOptions options = Free();
  const auto expected = Export(real, {torch::randn({2, 3, 5, 4})}, options);
  ASSERT_TRUE(expected) << expected.error().Text();
  options.weights = Source::File(SavedFile(real, "net.pt"));
  for (Net net : {MetaNet(), RealNet()}) {
    const auto model = Export(net, {torch::randn({2, 3, 5, 4})}, options);
    ASSERT_TRUE(model) << model.error().Text();
    EXPECT_EQ(*model->Bytes(), *expected->Bytes());
  }
  options.weights = Source::File(SavedFile(MetaNet(), "meta.pt"));
  const auto empty = Export(real, {torch::randn({2, 3, 5, 4})}, options);
  ASSERT_FALSE(empty);
  EXPECT_THAT(empty.error().Text(), HasSubstr("'conv.weight' has no elements in the file either"));
}

TEST(Weights, AreInputsByTheirNames) {
  Net real = RealNet();
  ExportOptions options = Free();
  options.weights_as_inputs = true;
  for (Net net : {MetaNet(), RealNet()}) {
    const auto model = Export(net, {torch::randn({2, 3, 5, 4})}, options);
    ASSERT_TRUE(model) << model.error().Text();
    EXPECT_EQ(model->inputs().at(0).name, "image");
    std::map<std::string, Tensor> state;
    for (const auto& item : real->named_parameters()) state[item.key()] = item.value();
    for (const auto& item : real->named_buffers()) state[item.key()] = item.value();
    for (const auto& sizes : {std::array<int64_t, 3>{2, 5, 4}, {1, 3, 9}}) {
      const Tensor image = torch::randn({sizes[0], 3, sizes[1], sizes[2]});
      std::vector<Tensor> inputs = {image};
      for (size_t i = 1; i < model->inputs().size(); ++i) inputs.push_back(state.at(model->inputs()[i].name));
      const torch::NoGradGuard no_grad;
      EXPECT_EQ(DifferenceFrom(*model, inputs, {real(image)}), "");
    }
  }
}

TEST(Weights, AreNamedInTheOrderOfTheModule) {
  Net net = RealNet();
  ExportOptions options = Free();
  options.weights_as_inputs = true;
  options.parameter_names = {"w_0", "..."};
  const auto model = Export(net, {torch::randn({2, 3, 5, 4})}, options);
  ASSERT_TRUE(model) << model.error().Text();
  std::map<std::string, Tensor> state;
  const auto name = [&](const Tensor& tensor) { state["w_" + std::to_string(state.size())] = tensor; };
  for (const Tensor& parameter : net->parameters()) name(parameter);
  for (const auto& buffer : net->named_buffers()) {
    if (buffer.key() != "norm.num_batches_tracked") name(buffer.value());
  }
  EXPECT_EQ(model->inputs().size(), 1 + state.size());
  const Tensor image = torch::randn({2, 3, 5, 4});
  std::vector<Tensor> inputs = {image};
  for (size_t i = 1; i < model->inputs().size(); ++i) inputs.push_back(state.at(model->inputs()[i].name));
  const torch::NoGradGuard no_grad;
  EXPECT_EQ(DifferenceFrom(*model, inputs, {net(image)}), "");
}

// LibTorch has no kernels without memory for some of these.
TEST(Weights, WithoutMemoryTakeAnyOperator) {
  const auto make = [] {
    return torch::nn::Sequential(torch::nn::GroupNorm(2, 4), torch::nn::PReLU(), torch::nn::ReflectionPad2d(1),
                                 torch::nn::ConvTranspose2d(4, 2, 3), torch::nn::LogSigmoid());
  };
  torch::nn::Sequential net = make();
  const Tensor x = torch::randn({2, 4, 6, 5});
  ExportOptions options;
  options.inputs = {TensorInput("x", {Sym("batch"), 4, Sym("h"), Sym("w")})};
  const auto expected = Export(net, {x}, options);
  ASSERT_TRUE(expected) << expected.error().Text();
  const std::string file = (std::filesystem::path(testing::TempDir()) / "sequential.pt").string();
  torch::save(net, file);
  options.weights = Source::File(file);
  std::optional<MetaTensors> no_memory(std::in_place);
  net = make();
  no_memory.reset();
  EXPECT_TRUE(net->parameters().at(0).is_meta());
  const auto model = Export(net, {x}, options);
  ASSERT_TRUE(model) << model.error().Text();
  EXPECT_EQ(*model->Bytes(), *expected->Bytes());
}

TEST(Weights, AFileOfThemIsNoProgram) {
  const std::string tensor = (std::filesystem::path(testing::TempDir()) / "tensor.pt").string();
  torch::save(torch::ones({3}), tensor);
  for (const std::string& file : {SavedFile(RealNet(), "no_program.pt"), tensor}) {
    const auto model = Export(Source::File(file));
    ASSERT_FALSE(model) << file;
    EXPECT_THAT(model.error().Text(), AllOf(HasSubstr("weights without a program"), HasSubstr("onnxport/torch.h"),
                                            HasSubstr("ExportOptions::weights takes this file")))
        << file;
  }
}

TEST(Weights, WithoutMemoryNeedOneOfTheTwo) {
  const auto model = Export(MetaNet(), {torch::randn({2, 3, 5, 4})}, Free());
  ASSERT_FALSE(model);
  EXPECT_THAT(model.error().Text(), AllOf(HasSubstr("weights have no elements ('conv.weight' is the first)"),
                                          HasSubstr("ExportOptions::weights_as_inputs")));
}

struct AskingImpl : torch::nn::Module {
  AskingImpl() : weight(register_parameter("weight", torch::randn({4}))) {}
  Tensor forward(const Tensor& x) { return x * weight.abs().max().item<double>(); }
  Tensor weight;
};
TORCH_MODULE(Asking);

TEST(Weights, WithoutMemoryHaveNoValueToAskFor) {
  std::optional<MetaTensors> no_memory(std::in_place);
  Asking net;
  no_memory.reset();
  ExportOptions options;
  options.weights_as_inputs = true;
  const auto model = Export(net, {torch::randn({2, 4})}, options);
  ASSERT_FALSE(model);
  EXPECT_THAT(model.error().Text(), HasSubstr("the module is on the meta device, so that only types are known"));
}

// The number would be that of other weights.
TEST(Weights, ThatAreReplacedHaveNoValueToAskFor) {
  Asking net;
  ExportOptions options;
  options.weights_as_inputs = true;
  const auto model = Export(net, {torch::randn({2, 4})}, options);
  ASSERT_FALSE(model);
  EXPECT_THAT(model.error().Text(), HasSubstr("the program asks for a value"));
  EXPECT_TRUE(Export(net, {torch::randn({2, 4})}, {}));
}

}  // namespace
}  // namespace onnxport::tests
