// Exports a small decoder with a cache of keys and values: convert FOLDER, which gets model.onnx and answers.bin.
// Batch, length of the past and length of what is new are free, so one model reads a prompt and then goes on token by
// token.
#include <torch/torch.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <tuple>
#include <vector>

#include "onnxport/torch.h"

namespace {

constexpr int64_t kTokens = 50;
constexpr int64_t kWidth = 32;
constexpr int64_t kHeads = 4;
constexpr int64_t kLayers = 2;
constexpr int64_t kMostSteps = 64;

// Keys or values of the past: [batch, heads, past, width / heads].
using Cache = std::vector<torch::Tensor>;

struct LayerImpl : torch::nn::Module {
  LayerImpl()
      : before(register_module("before", torch::nn::LayerNorm(torch::nn::LayerNormOptions({kWidth})))),
        project(register_module("project", torch::nn::Linear(kWidth, 3 * kWidth))),
        join(register_module("join", torch::nn::Linear(kWidth, kWidth))),
        between(register_module("between", torch::nn::LayerNorm(torch::nn::LayerNormOptions({kWidth})))),
        widen(register_module("widen", torch::nn::Linear(kWidth, 4 * kWidth))),
        narrow(register_module("narrow", torch::nn::Linear(4 * kWidth, kWidth))) {}

  // `keys` and `values` grow by what is new.
  torch::Tensor forward(const torch::Tensor& x, const torch::Tensor& seen, torch::Tensor& keys, torch::Tensor& values) {
    const int64_t batch = x.size(0);
    const int64_t steps = x.size(1);
    const auto heads = [&](const torch::Tensor& part) {
      return part.view({batch, steps, kHeads, kWidth / kHeads}).transpose(1, 2);
    };
    const std::vector<torch::Tensor> parts = project(before(x)).chunk(3, -1);
    keys = torch::cat({keys, heads(parts[1])}, 2);
    values = torch::cat({values, heads(parts[2])}, 2);
    const torch::Tensor scores = torch::matmul(heads(parts[0]), keys.transpose(2, 3)) / std::sqrt(kWidth / kHeads);
    const torch::Tensor weights = scores.masked_fill(seen.logical_not(), -1e9).softmax(-1);
    const torch::Tensor attended = torch::matmul(weights, values).transpose(1, 2).reshape({batch, steps, kWidth});
    const torch::Tensor y = x + join(attended);
    return y + narrow(torch::gelu(widen(between(y))));
  }

  torch::nn::LayerNorm before;
  torch::nn::Linear project, join;
  torch::nn::LayerNorm between;
  torch::nn::Linear widen, narrow;
};
TORCH_MODULE(Layer);

struct Step {
  torch::Tensor logits;
  Cache keys;
  Cache values;
};

struct DecoderImpl : torch::nn::Module {
  DecoderImpl()
      : token(register_module("token", torch::nn::Embedding(kTokens, kWidth))),
        position(register_module("position", torch::nn::Embedding(kMostSteps, kWidth))) {
    for (int64_t i = 0; i < kLayers; ++i) layers.push_back(register_module("layer" + std::to_string(i), Layer()));
    logits = register_module("logits", torch::nn::Linear(kWidth, kTokens));
  }

  Step forward(const torch::Tensor& tokens, Cache keys, Cache values) {
    const int64_t past = keys[0].size(2);
    const int64_t end = past + tokens.size(1);
    const torch::Tensor places = torch::arange(past, end);
    const torch::Tensor seen = torch::arange(end).unsqueeze(0) <= places.unsqueeze(1);
    torch::Tensor x = token(tokens) + position(places);
    for (size_t i = 0; i < layers.size(); ++i) x = layers[i](x, seen, keys[i], values[i]);
    return {logits(x), keys, values};
  }

  torch::nn::Embedding token, position;
  std::vector<Layer> layers;
  torch::nn::Linear logits{nullptr};
};
TORCH_MODULE(Decoder);

Cache Past(int64_t batch, int64_t length) {
  Cache cache;
  for (int64_t i = 0; i < kLayers; ++i) cache.push_back(torch::randn({batch, kHeads, length, kWidth / kHeads}));
  return cache;
}

void Write(std::ofstream& file, const torch::Tensor& tensor) {
  const torch::Tensor dense = tensor.contiguous();
  file.write(static_cast<const char*>(dense.const_data_ptr()), static_cast<std::streamsize>(dense.nbytes()));
}

void Write(std::ofstream& file, const Cache& cache) {
  for (const torch::Tensor& tensor : cache) Write(file, tensor);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: convert FOLDER\n";
    return 2;
  }
  const std::filesystem::path folder = argv[1];
  std::filesystem::create_directories(folder);
  torch::manual_seed(0);
  Decoder net;
  net->eval();

  using onnxport::Sym;
  onnxport::ExportOptions options{.opset = 18};
  options.inputs = {onnxport::TensorInput("tokens", {Sym("batch"), Sym("steps")})};
  for (const std::string kind : {"keys", "values"}) {
    for (int64_t i = 0; i < kLayers; ++i) {
      options.inputs.push_back(
          onnxport::TensorInput(kind + std::to_string(i), {Sym("batch"), kHeads, Sym("past"), kWidth / kHeads}));
    }
  }
  options.output_names = {"logits", "new_keys0", "new_keys1", "new_values0", "new_values1"};
  const auto model =
      onnxport::Export(net, {torch::randint(kTokens, {2, 3}, torch::kLong), Past(2, 5), Past(2, 5)}, options);
  if (!model) {
    std::cerr << model.error().Text() << "\n";
    return 1;
  }
  if (const auto saved = model->Save(folder / "model.onnx"); !saved) {
    std::cerr << saved.error().Text() << "\n";
    return 1;
  }

  // Writes the decoder's own results: batch, steps and past, the tokens, the cache, the logits, the cache that has
  // grown.
  const torch::NoGradGuard no_grad;
  std::ofstream answers(folder / "answers.bin", std::ios::binary);
  using Sizes = std::array<int64_t, 3>;
  for (const Sizes& sizes : {Sizes{1, 7, 2}, Sizes{3, 1, 40}, Sizes{5, 12, 12}}) {
    const torch::Tensor tokens = torch::randint(kTokens, {sizes[0], sizes[1]}, torch::kLong);
    const Cache keys = Past(sizes[0], sizes[2]);
    const Cache values = Past(sizes[0], sizes[2]);
    const Step step = net(tokens, keys, values);
    answers.write(reinterpret_cast<const char*>(sizes.data()), sizeof(sizes));
    Write(answers, tokens);
    Write(answers, keys);
    Write(answers, values);
    Write(answers, step.logits);
    Write(answers, step.keys);
    Write(answers, step.values);
  }
  return answers ? 0 : 1;
}
