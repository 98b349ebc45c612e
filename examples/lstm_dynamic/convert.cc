// Exports a bidirectional LSTM for sequences of any length, any number of them at a time: convert FOLDER, which gets
// model.onnx and answers.bin.
#include <torch/torch.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <tuple>
#include <utility>

#include "onnxport/torch.h"

namespace {

constexpr int64_t kFeatures = 6;
constexpr int64_t kHidden = 8;

// One score for each sequence, and the state after its last step, for whoever goes on from there.
struct NetImpl : torch::nn::Module {
  NetImpl()
      : lstm(register_module(
            "lstm",
            torch::nn::LSTM(
                torch::nn::LSTMOptions(kFeatures, kHidden).num_layers(2).bidirectional(true).batch_first(true)))),
        score(register_module("score", torch::nn::Linear(2 * kHidden, 1))) {}

  std::tuple<torch::Tensor, torch::Tensor> forward(const torch::Tensor& sequences) {
    const auto [steps, state] = lstm(sequences);
    return {score(steps.mean(1)), std::get<0>(state)};
  }

  torch::nn::LSTM lstm;
  torch::nn::Linear score;
};
TORCH_MODULE(Net);

void Write(std::ofstream& file, const torch::Tensor& tensor) {
  const torch::Tensor dense = tensor.contiguous();
  file.write(static_cast<const char*>(dense.const_data_ptr()), static_cast<std::streamsize>(dense.nbytes()));
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
  Net net;
  net->eval();

  onnxport::ExportOptions options{.opset = 18};
  options.inputs = {onnxport::TensorInput("sequences", {onnxport::Sym("batch"), onnxport::Sym("length"), kFeatures})};
  options.output_names = {"scores", "state"};
  const auto model = onnxport::Export(net, {torch::randn({2, 5, kFeatures})}, options);
  if (!model) {
    std::cerr << model.error().Text() << "\n";
    return 1;
  }
  if (const auto saved = model->Save(folder / "model.onnx"); !saved) {
    std::cerr << saved.error().Text() << "\n";
    return 1;
  }

  // Writes the network's own results: batch and length, the sequences, the scores, the state.
  const torch::NoGradGuard no_grad;
  std::ofstream answers(folder / "answers.bin", std::ios::binary);
  for (const auto& sizes :
       {std::array<int64_t, 2>{1, 1}, std::array<int64_t, 2>{3, 40}, std::array<int64_t, 2>{17, 9}}) {
    const torch::Tensor sequences = torch::randn({sizes[0], sizes[1], kFeatures});
    const auto [scores, state] = net(sequences);
    answers.write(reinterpret_cast<const char*>(sizes.data()), sizeof(sizes));
    Write(answers, sequences);
    Write(answers, scores);
    Write(answers, state);
  }
  return answers ? 0 : 1;
}
