// In an export with free axes, one run has values and the others are made without memory, because a run with values
// costs a forward pass. Each program counts its runs with values itself, by where its input lies.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "onnxport/torch.h"
#include "tests/torch/against_eager.h"

namespace onnxport::tests {
namespace {

namespace nn = torch::nn;
using torch::Tensor;
using torch::indexing::Slice;
using Function = std::function<Tensor(const Tensor&)>;

struct Program {
  std::string name;
  Function function;
  std::vector<int64_t> sizes;  // of the example
  bool ids = false;            // whole numbers below 10, or numbers from 0 to 1
  size_t free = 2;             // so many axes, the first ones
};

Tensor InputOf(const Program& program, int64_t more) {
  std::vector<int64_t> sizes = program.sizes;
  for (size_t axis = 0; axis < program.free; ++axis) sizes[axis] += more * static_cast<int64_t>(axis + 1);
  return program.ids ? torch::randint(10, sizes) : torch::rand(sizes);
}

template <typename Net>
Function Of(Net net) {
  net->eval();
  return [net](const Tensor& x) mutable { return net->forward(x); };
}

Tensor Scores(const Tensor& x) { return torch::softmax(x.matmul(x.transpose(1, 2)), -1); }

Function Recurrent() {
  nn::LSTM lstm(nn::LSTMOptions(4, 6).batch_first(true).bidirectional(true));
  return [lstm](const Tensor& x) mutable { return std::get<0>(lstm->forward(x)); };
}

Function Gated() {
  nn::GRU gru(nn::GRUOptions(4, 6).batch_first(true).num_layers(2));
  gru->eval();
  return [gru](const Tensor& x) mutable { return std::get<0>(gru->forward(x)); };
}

Function Attention() {
  nn::MultiheadAttention attention(8, 2);
  attention->eval();
  return [attention](const Tensor& x) mutable { return std::get<0>(attention->forward(x, x, x)); };
}

std::vector<Program> Programs() {
  return {
      {"a large copy by reshape",
       [](const Tensor& x) { return x.transpose(1, 2).reshape({x.size(0), -1, 256}) * 2; },
       {2, 16, 4096}},
      {"LSTM", Recurrent(), {3, 5, 4}},
      {"GRU", Gated(), {3, 5, 4}},
      {"MultiheadAttention", Attention(), {5, 3, 8}},
      {"TransformerEncoderLayer", Of(nn::TransformerEncoderLayer(nn::TransformerEncoderLayerOptions(8, 2))), {5, 3, 8}},
      {"TransformerEncoder",
       Of(nn::TransformerEncoder(nn::TransformerEncoderLayer(nn::TransformerEncoderLayerOptions(8, 2)), 2)),
       {5, 3, 8}},
      {"scaled_dot_product_attention",
       [](const Tensor& x) {
         const Tensor heads = x.view({x.size(0), x.size(1), 2, 4}).transpose(1, 2);
         return torch::scaled_dot_product_attention(heads, heads, heads, {}, 0.0, true);
       },
       {3, 5, 8}},
      {"Conv2d, BatchNorm2d, pools",
       [net = nn::Sequential(nn::Conv2d(nn::Conv2dOptions(3, 4, 3).padding(1)), nn::BatchNorm2d(4), nn::ReLU(),
                             nn::MaxPool2d(2), nn::Conv2d(4, 8, 3), nn::AvgPool2d(2), nn::AdaptiveAvgPool2d(1),
                             nn::Flatten(), nn::Linear(8, 3))](const Tensor& x) mutable {
         net->eval();
         return net->forward(x.permute({0, 2, 1, 3}));
       },
       {2, 16, 3, 16}},
      {"Conv1d, ConvTranspose1d",
       [net = nn::Sequential(nn::Conv1d(4, 6, 3), nn::GELU(), nn::ConvTranspose1d(6, 4, 2))](const Tensor& x) mutable {
         return net->forward(x.transpose(1, 2));
       },
       {2, 9, 4}},
      {"GroupNorm, interpolate",
       [net = nn::GroupNorm(2, 4)](const Tensor& x) mutable {
         const Tensor y = net->forward(x.permute({0, 2, 1, 3}));
         return nn::functional::interpolate(
             y, nn::functional::InterpolateFuncOptions().scale_factor(std::vector<double>{2, 2}).mode(torch::kNearest));
       },
       {2, 6, 4, 8}},
      {"InstanceNorm1d, PReLU",
       Of(nn::Sequential(nn::InstanceNorm1d(nn::InstanceNorm1dOptions(4).affine(true)), nn::PReLU())),
       {2, 4, 6},
       false,
       1},
      {"LogSigmoid, ReflectionPad1d", Of(nn::Sequential(nn::LogSigmoid(), nn::ReflectionPad1d(1))), {2, 5, 4}},
      {"RNN with ReLU",
       [rnn = nn::RNN(nn::RNNOptions(4, 6).nonlinearity(torch::kReLU).batch_first(true))](const Tensor& x) mutable {
         return std::get<0>(rnn->forward(x));
       },
       {3, 5, 4}},
      {"Embedding and positions",
       [words = nn::Embedding(10, 8), places = nn::Embedding(64, 8)](const Tensor& ids) mutable {
         return words->forward(ids) + places->forward(torch::arange(ids.size(1)));
       },
       {2, 5},
       true},
      {"index_select, gather",
       [](const Tensor& x) {
         const Tensor turned = x.index_select(1, torch::arange(x.size(1) - 1, -1, -1));
         return turned.gather(2, x.argsort(int64_t{2}));
       },
       {2, 5, 4}},
      {"index", [](const Tensor& x) { return x.index({Slice(), torch::tensor({0, 1})}) * 2; }, {2, 5, 4}},
      {"where, masked_fill",
       [](const Tensor& x) {
         const Tensor mask = torch::ones({x.size(1), x.size(1)}, torch::kBool).triu(1);
         return torch::where(x > 0.5, x, torch::zeros({})).sum() + Scores(x).masked_fill(mask, -1e9);
       },
       {2, 5, 4}},
      {"a mask of sizes",
       [](const Tensor& x) {
         const Tensor rows = torch::arange(x.size(1)).unsqueeze(1);
         const Tensor mask = torch::where(rows < rows.t(), -1e9, 0.0).to(torch::kFloat);
         return Scores(x) + mask;
       },
       {2, 5, 4}},
      {"a mask that is filled in place",
       [](const Tensor& x) {
         Tensor mask = torch::full({x.size(1), x.size(1)}, -1e9);
         mask.triu_(1);
         return (Scores(x) + mask).softmax(-1);
       },
       {2, 5, 4}},
      {"in place",
       [](const Tensor& x) {
         Tensor y = torch::zeros_like(x);
         y.slice(1, 1).copy_(x.slice(1, 0, -1));
         y.select(1, 0).fill_(1.0);
         return y.mul_(2).add_(x);
       },
       {2, 5, 4}},
      {"cat, stack, split, chunk",
       [](const Tensor& x) {
         const auto parts = torch::cat({x, x * 2}, 2).chunk(2, 2);
         return torch::stack({parts[0], parts[1]}, 1).flatten(3).split(4, -1)[0];
       },
       {2, 5, 4}},
      {"einsum, norms, topk",
       [](const Tensor& x) {
         const Tensor y = torch::einsum("bij,bkj->bik", {x, x}) / x.norm(2, 2, true);
         return std::get<0>(y.topk(2, 1)) + x.var(1, true).sum() + x.logsumexp(2).sum();
       },
       {2, 5, 4}},
      {"sinusoids",
       [](const Tensor& x) {
         const Tensor angles = torch::outer(torch::arange(x.size(1), torch::kFloat), torch::rand({4}) * 0 + 0.5);
         return x + torch::cat({angles.sin(), angles.cos()}, -1).slice(1, 0, 4);
       },
       {2, 5, 4}},
      {"one_hot", [](const Tensor& ids) { return torch::one_hot(ids, 10).to(torch::kFloat).mean(1); }, {2, 5}, true},
      {"repeat, expand, pad, roll, flip",
       [](const Tensor& x) {
         const Tensor padded = torch::constant_pad_nd(x.repeat({1, 2, 1}), {1, 1});
         return padded.roll(1, 1).flip({1}) + torch::ones({1, 1, 1}).expand_as(padded);
       },
       {2, 5, 4}},
      {"unfold, fold",
       [](const Tensor& x) {
         return nn::functional::unfold(x.permute({0, 2, 1, 3}), nn::functional::UnfoldFuncOptions({2, 2})).sum(1);
       },
       {2, 6, 3, 5}},
  };
}

// The model, and how often the program ran with values.
struct Exported {
  Result<Model> model;
  int with_values;
};
Exported ExportOf(const Program& program, const Tensor& x) {
  int with_values = 0;
  const auto counted = [&](const Tensor& t) {
    if (!t.is_meta()) ++with_values;
    return program.function(t);
  };
  std::vector<Dim> dims;
  for (size_t axis = 0; axis < program.sizes.size(); ++axis) {
    dims.push_back(axis < program.free ? Sym(axis == 0 ? "a" : "b") : Dim(program.sizes[axis]));
  }
  ExportOptions options;
  options.inputs = {TensorInput("x", dims)};
  auto model = Export(counted, {x}, options);
  return {std::move(model), with_values};
}

TEST(WithoutMemory, AreAllRunsButOne) {
  for (const Program& program : Programs()) {
    const auto [model, with_values] = ExportOf(program, InputOf(program, 0));
    ASSERT_TRUE(model) << program.name << ": " << model.error().Text();
    EXPECT_EQ(with_values, 1) << program.name;
    const torch::NoGradGuard no_grad;
    for (const int64_t more : {0, 1, 4}) {
      const Tensor x = InputOf(program, more);
      EXPECT_EQ(DifferenceFrom(*model, {x}, {program.function(x)}), "") << program.name << " " << x.sizes();
    }
  }
}

// Nothing but values tells how many there are: not even where those of the example are all of them.
TEST(WithoutMemory, AreNoRunsWhoseSizesValuesDecide) {
  const Program kPrograms[] = {
      {"nonzero", [](const Tensor& x) { return x.nonzero().to(torch::kFloat) * 2; }, {2, 5}},
      {"a mask as an index", [](const Tensor& x) { return x.index({x > 0.5}) * 2; }, {2, 5}},
      {"masked_select", [](const Tensor& x) { return x.masked_select(x > 0.5) * 2; }, {2, 5}},
      {"unique", [](const Tensor& x) { return std::get<0>(torch::_unique2(x)) * 2; }, {2, 5}},
      {"repeat_interleave",
       [](const Tensor& x) { return torch::arange(x.numel()).repeat_interleave(x.flatten().to(torch::kLong)) * 2; },
       {2, 5}},
  };
  for (const Program& program : kPrograms) {
    const auto [model, with_values] = ExportOf(program, torch::ones(program.sizes));
    EXPECT_GE(with_values, 6) << program.name << (model ? "" : model.error().Text());
  }
}

}  // namespace
}  // namespace onnxport::tests
