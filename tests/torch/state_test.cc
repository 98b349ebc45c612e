// Programs that keep something from call to call, with ExportOptions::state_as_io.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "onnxport/torch.h"
#include "tests/torch/against_eager.h"

namespace onnxport::tests {
namespace {

using testing::HasSubstr;
using torch::Tensor;

// A static cache, a counter, running statistics, and a tensor that each call makes anew and writes to.
struct DecoderImpl : torch::nn::Module {
  DecoderImpl()
      : layer(register_module("layer", torch::nn::Linear(4, 4))),
        norm(register_module("norm", torch::nn::BatchNorm1d(4))),
        k(register_buffer("k", torch::zeros({2, 5, 4}))),
        steps(register_buffer("steps", torch::zeros({}, torch::kInt64))),
        last(register_buffer("last", torch::zeros({2, 4}, torch::kHalf))) {}
  Tensor forward(const Tensor& x, const Tensor& position) {
    const Tensor y = norm(layer(x));
    k.index_copy_(1, position, y.unsqueeze(1));
    steps += 1;
    steps.mul_(2);
    const Tensor made = torch::tensor({1.0f, 2.0f, 3.0f, 4.0f});
    made.add_(1);
    const Tensor result = k.sum(1) * steps + last.to(torch::kFloat) + made;
    last.select(0, 1).copy_(x[0]);
    return result;
  }
  torch::nn::Linear layer;
  torch::nn::BatchNorm1d norm;
  Tensor k, steps, last;
};
TORCH_MODULE(Decoder);

TEST(State, SeveralRunsAreSeveralCalls) {
  torch::manual_seed(0);
  Decoder net;
  net->train();
  ExportOptions options;
  options.training = true;
  options.state_as_io = true;
  const Tensor first = torch::randn({2, 4});
  const auto model = Export(net, {first, torch::tensor({0})}, options);
  ASSERT_TRUE(model) << model.error().Text();
  std::vector<std::string> names;
  for (const Model::State& state : model->state()) {
    EXPECT_EQ(state.output, state.input + ".next");
    EXPECT_EQ(state.weight, state.input);
    names.push_back(state.input);
  }
  EXPECT_THAT(names, testing::UnorderedElementsAre("norm.running_mean", "norm.running_var", "norm.num_batches_tracked",
                                                   "k", "steps", "last"));
  const torch::NoGradGuard no_grad;
  for (int64_t call = 0; call < 3; ++call) {
    std::vector<Tensor> inputs = {torch::randn({2, 4}), torch::tensor({call})};
    for (const std::string& name : names) inputs.push_back(net->named_buffers()[name].clone());
    std::vector<Tensor> expected = {net->forward(inputs[0], inputs[1])};
    for (const std::string& name : names) expected.push_back(net->named_buffers()[name]);
    EXPECT_EQ(DifferenceFrom(*model, inputs, expected), "") << call;
  }
}

TEST(State, IsNothingThatIsNotRegistered) {
  const Tensor kept = torch::zeros({2});
  ExportOptions options;
  options.state_as_io = true;
  const auto model = Export([&](const Tensor& x) { return x + kept.add_(1); }, {torch::ones({2})}, options);
  ASSERT_TRUE(model) << model.error().Text();
  EXPECT_TRUE(model->state().empty());
  EXPECT_THAT(model->remarks(), testing::Contains(HasSubstr("is not kept")));
}

TEST(State, AnInputThatIsWrittenToHasAnOutput) {
  ExportOptions options;
  options.state_as_io = true;
  const auto model = Export([](const Tensor& x, const Tensor& y) { return x + y.add_(1); },
                            {torch::ones({2}), torch::zeros({2})}, options);
  ASSERT_TRUE(model) << model.error().Text();
  ASSERT_EQ(model->state().size(), 1u);
  EXPECT_EQ(model->state()[0].input, model->inputs()[1].name);
  EXPECT_EQ(model->state()[0].weight, "");
  EXPECT_EQ(DifferenceFrom(*model, {torch::ones({2}), torch::zeros({2})}, {torch::full({2}, 2.0), torch::ones({2})}),
            "");
}

}  // namespace
}  // namespace onnxport::tests
