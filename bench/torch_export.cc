// Measures the cost of exporting a module of LibTorch beyond running it: time and memory. It uses a ResNet-50 and a
// BERT-base built in C++, with fixed and free axes, and long programs. An argument is the folder that models are
// written to.
#include <sys/resource.h>

#include <chrono>
#include <cmath>
#include <iostream>
#include <string>
#include <vector>

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
  return net;
}

struct AttentionImpl : nn::Module {
  AttentionImpl(int64_t width, int64_t heads) : heads_(heads) {
    for (const char* name : {"query", "key", "value", "output"}) {
      parts_.push_back(register_module(name, nn::Linear(width, width)));
    }
  }
  Tensor forward(const Tensor& x) {
    const auto split = [&](const Tensor& t) { return t.view({t.size(0), t.size(1), heads_, -1}).transpose(1, 2); };
    const Tensor q = split(parts_[0]->forward(x));
    const Tensor k = split(parts_[1]->forward(x));
    const Tensor v = split(parts_[2]->forward(x));
    const Tensor weights = torch::softmax(q.matmul(k.transpose(2, 3)) / std::sqrt(static_cast<double>(q.size(3))), -1);
    return parts_[3]->forward(weights.matmul(v).transpose(1, 2).reshape({x.size(0), x.size(1), x.size(2)}));
  }
  int64_t heads_;
  std::vector<nn::Linear> parts_;
};
TORCH_MODULE(Attention);

struct BertLayerImpl : nn::Module {
  BertLayerImpl(int64_t width, int64_t heads)
      : attention(register_module("attention", Attention(width, heads))),
        norm1(register_module("norm1", nn::LayerNorm(nn::LayerNormOptions({width})))),
        up(register_module("up", nn::Linear(width, 4 * width))),
        down(register_module("down", nn::Linear(4 * width, width))),
        norm2(register_module("norm2", nn::LayerNorm(nn::LayerNormOptions({width})))) {}
  Tensor forward(const Tensor& x) {
    const Tensor y = norm1->forward(x + attention->forward(x));
    return norm2->forward(y + down->forward(torch::gelu(up->forward(y))));
  }
  Attention attention;
  nn::LayerNorm norm1;
  nn::Linear up, down;
  nn::LayerNorm norm2;
};
TORCH_MODULE(BertLayer);

struct BertImpl : nn::Module {
  BertImpl()
      : words(register_module("words", nn::Embedding(30522, 768))),
        positions(register_module("positions", nn::Embedding(512, 768))),
        norm(register_module("norm", nn::LayerNorm(nn::LayerNormOptions({768})))),
        layers(register_module("layers", nn::Sequential())),
        pooler(register_module("pooler", nn::Linear(768, 768))) {
    for (int i = 0; i < 12; ++i) layers->push_back(BertLayer(768, 12));
  }
  Tensor forward(const Tensor& ids) {
    const Tensor x = words->forward(ids) + positions->forward(torch::arange(ids.size(1)));
    return torch::tanh(pooler->forward(layers->forward(norm->forward(x)).select(1, 0)));
  }
  nn::Embedding words, positions;
  nn::LayerNorm norm;
  nn::Sequential layers;
  nn::Linear pooler;
};
TORCH_MODULE(Bert);

std::string folder = "/tmp";

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

template <typename Net>
void Measure(const std::string& name, Net net, const Tensor& x, const std::vector<onnxport::Dim>& free_dims) {
  const torch::NoGradGuard no_grad;
  net->eval();
  net->forward(x);
  const double forward = Time([&] { net->forward(x); });
  const int64_t before = Peak();
  for (const bool free : {false, true}) {
    onnxport::ExportOptions options;
    if (free) options.inputs = {onnxport::TensorInput("x", free_dims)};
    double save = 0;
    const double exported = Time([&] {
      const auto model = onnxport::Export(net, {x}, options);
      if (!model) throw std::runtime_error(model.error().Text());
      for (const auto& stage : model->stages()) std::cout << "  " << stage.name << ' ' << stage.time.count() << " ms\n";
      save = Time([&] { model->Save(folder + "/" + name + ".onnx"); });
    });
    std::cout << name << (free ? ", free axes" : "") << ": forward " << forward << " ms, export " << exported - save
              << " ms, save " << save << " ms, memory beyond the module's and a forward's own " << Peak() - before
              << " MiB\n";
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

int main(int argc, char** argv) {
  if (argc > 1) folder = argv[1];
  Measure("resnet50", ResNet50(), torch::randn({1, 3, 224, 224}), {onnxport::Sym("n"), 3, 224, 224});
  Measure("bert_base", Bert(), torch::randint(30522, {1, 128}), {onnxport::Sym("n"), onnxport::Sym("length")});
  for (const int count : {1000, 10000, 100000}) MeasureCalls(count);
}
