// Trains a network on drawn digits and exports it: train FOLDER, which gets model.onnx and answers.bin.
#include <torch/torch.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <utility>

#include "onnxport/torch.h"

namespace {

constexpr int64_t kSide = 12;
constexpr int64_t kDigits = 10;

// The bars of a pocket calculator: top, two upper, middle, two lower, bottom.
constexpr std::array<const char*, kDigits> kBars = {"1110111", "0010010", "1011101", "1011011", "0111010",
                                                    "1101011", "1101111", "1010010", "1111111", "1111011"};

torch::Tensor Draw(int64_t digit) {
  using torch::indexing::Slice;
  torch::Tensor image = torch::zeros({kSide, kSide});
  const std::string bars = kBars.at(static_cast<size_t>(digit));
  const auto across = [&](int64_t row) { image.index_put_({row, Slice(3, 9)}, 1); };
  const auto down = [&](int64_t row, int64_t column) { image.index_put_({Slice(row, row + 5), column}, 1); };
  if (bars[0] == '1') across(1);
  if (bars[1] == '1') down(1, 3);
  if (bars[2] == '1') down(1, 8);
  if (bars[3] == '1') across(6);
  if (bars[4] == '1') down(6, 3);
  if (bars[5] == '1') down(6, 8);
  if (bars[6] == '1') across(10);
  return image;
}

struct Batch {
  torch::Tensor images;  // [count, 1, side, side]
  torch::Tensor digits;
};

// Shifted by a pixel, and noisy.
Batch MakeBatch(int64_t count) {
  Batch batch = {.images = torch::zeros({count, 1, kSide, kSide}),
                 .digits = torch::randint(kDigits, {count}, torch::kLong)};
  for (int64_t i = 0; i < count; ++i) {
    const torch::Tensor shift = torch::randint(-1, 2, {2}, torch::kLong);
    batch.images[i][0] =
        Draw(batch.digits[i].item<int64_t>()).roll({shift[0].item<int64_t>(), shift[1].item<int64_t>()}, {0, 1});
  }
  batch.images += 0.2 * torch::randn_like(batch.images);
  return batch;
}

struct NetImpl : torch::nn::Module {
  NetImpl()
      : conv(register_module("conv", torch::nn::Conv2d(torch::nn::Conv2dOptions(1, 8, 3).padding(1)))),
        norm(register_module("norm", torch::nn::BatchNorm2d(8))),
        classify(register_module("classify", torch::nn::Linear(8 * kSide * kSide / 4, kDigits))) {}

  torch::Tensor forward(const torch::Tensor& images) {
    const torch::Tensor features = torch::max_pool2d(torch::relu(norm(conv(images))), 2);
    return classify(features.view({images.size(0), -1}));
  }

  torch::nn::Conv2d conv;
  torch::nn::BatchNorm2d norm;
  torch::nn::Linear classify;
};
TORCH_MODULE(Net);

void Train(Net& net) {
  torch::optim::Adam optimizer(net->parameters(), 3e-3);
  net->train();
  for (int step = 0; step < 80; ++step) {
    const Batch batch = MakeBatch(32);
    optimizer.zero_grad();
    torch::nn::functional::cross_entropy(net(batch.images), batch.digits).backward();
    optimizer.step();
  }
  net->eval();
}

void Write(std::ofstream& file, const torch::Tensor& tensor) {
  const torch::Tensor dense = tensor.contiguous();
  file.write(static_cast<const char*>(dense.const_data_ptr()), static_cast<std::streamsize>(dense.nbytes()));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: train FOLDER\n";
    return 2;
  }
  const std::filesystem::path folder = argv[1];
  std::filesystem::create_directories(folder);
  torch::manual_seed(0);
  Net net;
  Train(net);

  onnxport::ExportOptions options{.opset = 18};
  options.inputs = {onnxport::TensorInput("images", {onnxport::Sym("batch"), 1, kSide, kSide})};
  options.output_names = {"scores"};
  const auto model = onnxport::Export(net, {torch::zeros({2, 1, kSide, kSide})}, options);
  if (!model) {
    std::cerr << model.error().Text() << "\n";
    return 1;
  }
  if (const auto saved = model->Save(folder / "model.onnx"); !saved) {
    std::cerr << saved.error().Text() << "\n";
    return 1;
  }

  // Writes the network's own results: for each batch its size, the images, the scores.
  const torch::NoGradGuard no_grad;
  std::ofstream answers(folder / "answers.bin", std::ios::binary);
  int64_t right = 0;
  int64_t all = 0;
  for (const int64_t count : {1, 7, 64}) {
    const Batch batch = MakeBatch(count);
    const torch::Tensor scores = net(batch.images);
    answers.write(reinterpret_cast<const char*>(&count), sizeof(count));
    Write(answers, batch.images);
    Write(answers, scores);
    right += scores.argmax(1).eq(batch.digits).sum().item<int64_t>();
    all += count;
  }
  std::cout << right << " of " << all << " digits recognised\n";
  return answers && right > all * 8 / 10 ? 0 : 1;
}
