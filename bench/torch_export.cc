// What the export of a module of LibTorch costs beyond running it: time and memory, of a ResNet-50 built in C++ and of
// long programs.
#include <sys/resource.h>

#include <chrono>
#include <iostream>
#include <string>

#include "onnxport/torch.h"

namespace {

namespace nn = torch::nn;
using torch::Tensor;

struct BottleneckImpl : nn::Module {
  BottleneckImpl(int64_t in, int64_t width, int64_t stride) {
    const auto conv = [](int64_t from, int64_t to, int64_t size, int64_t step) {
      return nn::Conv2d(nn::Conv2dOptions(from, to, size).stride(step).padding(size / 2).bias(false));
    };
    body = register_module("body", nn::Sequential(conv(in, width, 1, 1), nn::BatchNorm2d(width), nn::ReLU(),
                                                  conv(width, width, 3, stride), nn::BatchNorm2d(width), nn::ReLU(),
                                                  conv(width, width * 4, 1, 1), nn::BatchNorm2d(width * 4)));
    if (stride != 1 || in != width * 4) {
      shortcut =
          register_module("shortcut", nn::Sequential(conv(in, width * 4, 1, stride), nn::BatchNorm2d(width * 4)));
    }
  }
  Tensor forward(const Tensor& x) { return torch::relu(body->forward(x) + (shortcut ? shortcut->forward(x) : x)); }
  nn::Sequential body;
  nn::Sequential shortcut = nullptr;
};
TORCH_MODULE(Bottleneck);

nn::Sequential ResNet50() {
  nn::Sequential net(nn::Conv2d(nn::Conv2dOptions(3, 64, 7).stride(2).padding(3).bias(false)), nn::BatchNorm2d(64),
                     nn::ReLU(), nn::MaxPool2d(nn::MaxPool2dOptions(3).stride(2).padding(1)));
  int64_t in = 64;
  int64_t width = 64;
  for (const int blocks : {3, 4, 6, 3}) {
    for (int block = 0; block < blocks; ++block) {
      net->push_back(Bottleneck(in, width, block == 0 && width > 64 ? 2 : 1));
      in = width * 4;
    }
    width *= 2;
  }
  net->push_back(nn::AdaptiveAvgPool2d(1));
  net->push_back(nn::Flatten());
  net->push_back(nn::Linear(2048, 1000));
  net->eval();
  return net;
}

int64_t Peak() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024;
}

// In milliseconds.
template <typename Work>
double Time(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

void MeasureResNet() {
  const torch::NoGradGuard no_grad;
  nn::Sequential net = ResNet50();
  const Tensor x = torch::randn({1, 3, 224, 224});
  net->forward(x);
  const double forward = Time([&] { net->forward(x); });
  const int64_t before = Peak();
  for (const bool free : {false, true}) {
    onnxport::ExportOptions options;
    if (free) options.inputs = {onnxport::TensorInput("x", {onnxport::Sym("n"), 3, 224, 224})};
    double save = 0;
    const double exported = Time([&] {
      const auto model = onnxport::Export(net, {x}, options);
      if (!model) throw std::runtime_error(model.error().Text());
      for (const auto& stage : model->stages()) std::cout << "  " << stage.name << ' ' << stage.time.count() << " ms\n";
      save = Time([&] { model->Save("/tmp/resnet50.onnx"); });
    });
    std::cout << "ResNet-50" << (free ? ", free batch" : "") << ": forward " << forward << " ms, export "
              << exported - save << " ms, save " << save << " ms, memory beyond the module's and a forward's own "
              << Peak() - before << " MiB\n";
  }
}

void MeasureCalls(int count) {
  const auto program = [count](Tensor x) {
    for (int i = 0; i < count; ++i) x = x + 1;
    return x;
  };
  const Tensor x = torch::randn({4});
  const double eager = Time([&] { program(x); });
  const double exported = Time([&] {
    const auto model = onnxport::Export(program, {x});
    if (!model) throw std::runtime_error(model.error().Text());
  });
  std::cout << count << " calls: eager " << eager << " ms, export " << exported << " ms, " << exported * 1000 / count
            << " us for each\n";
}

}  // namespace

int main() {
  MeasureResNet();
  for (const int count : {1000, 10000, 100000}) MeasureCalls(count);
}
