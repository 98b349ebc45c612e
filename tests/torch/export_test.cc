// Tests C++ programs that export their own modules.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>

#include "tests/torch/against_eager.h"
#include "tests/torch/net_differs.h"

namespace onnxport::tests {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using torch::Tensor;

struct MlpImpl : torch::nn::Module {
  MlpImpl()
      : fc1(register_module("fc1", torch::nn::Linear(4, 8))), fc2(register_module("fc2", torch::nn::Linear(8, 3))) {}
  Tensor forward(const Tensor& x) { return fc2(torch::relu(fc1(x))); }
  torch::nn::Linear fc1;
  torch::nn::Linear fc2;
};
TORCH_MODULE(Mlp);

TEST(TorchExport, ModuleAndCallable) {
  Mlp net;
  const Tensor x = torch::randn({2, 4});
  EXPECT_EQ(NetDiffers(net, {.examples = {x}}), "");
  const auto f = [](const Tensor& a, const Tensor& b) { return a.matmul(b) + 1; };
  EXPECT_EQ(NetDiffers(f, {.examples = {x, torch::randn({4, 5})}}), "");
}

TEST(TorchExport, NamesOfInputsOutputsAndWeights) {
  Mlp net;
  ExportOptions options;
  options.inputs = {TensorInput("image", {Sym("batch"), 4})};
  const auto model = Export(net, {torch::randn({2, 4})}, options);
  ASSERT_TRUE(model) << model.error().Text();
  EXPECT_EQ(model->inputs().at(0).name, "image");
  EXPECT_EQ(model->inputs().at(0).dims->at(0), Sym("batch"));
  EXPECT_EQ(model->outputs().at(0).name, "output");
  EXPECT_EQ(model->outputs().at(0).dims->at(0), Sym("batch"));
  EXPECT_EQ(model->weights(), 4);
}

// ---- programs

TEST(TorchExport, WritesAndViews) {
  const auto f = [](Tensor x) {
    Tensor y = x * 2;
    y.select(0, 1).add_(1);
    y.index_put_({torch::indexing::Slice(), 0}, 5);
    Tensor z = y.view({-1});
    z.mul_(3);
    return std::make_tuple(y, z.slice(0, 1, 4), x.data() + y);
  };
  EXPECT_EQ(NetDiffers(f, {.examples = {torch::randn({3, 4})}}), "");
}

// They count for their kind: with float32 they give complex64, and keep their digits with float64.
TEST(TorchExport, ComplexNumbers) {
  const auto f = [](const Tensor& x) {
    const at::Scalar i = c10::complex<double>(0, 1);
    const at::Scalar c = c10::complex<double>(0.1, -2);
    const Tensor z = torch::view_as_complex(x);
    const Tensor wide = torch::view_as_complex(x.to(torch::kFloat64));
    const Tensor real = x.select(-1, 0);
    return std::make_tuple(torch::view_as_real(z * i), torch::view_as_real(c + z / c), torch::view_as_real(real * i),
                           torch::view_as_real(wide * c), torch::view_as_real(real.to(torch::kFloat64) - c),
                           torch::view_as_real(z * at::Scalar(c10::complex<double>(2, 0))));
  };
  tests::Run run = {.examples = {torch::randn({3, 4, 2})}, .others = {{torch::randn({5, 4, 2})}}};
  run.options.inputs = {TensorInput("x", {Sym("n"), 4, 2})};
  EXPECT_EQ(NetDiffers(f, run), "");
}

// Read and written through: the runs say how many there are, and each how large it is.
TEST(TorchExport, PiecesOfAFreeAxis) {
  const auto f = [](const Tensor& x) {
    Tensor y = x * 2;
    const auto pieces = y.chunk(3, 0);
    pieces.at(1).mul_(pieces.at(0).size(0));
    pieces.at(0).add_(1);
    const Tensor z = x * 3;
    z.tensor_split(3, 0)[1].neg_();
    return std::make_tuple(y, pieces.at(2) * 1, pieces.at(0) + 1, z);
  };
  ExportOptions options;
  options.inputs = {TensorInput("x", {Sym("n"), 4})};
  const auto x = [](int64_t n) { return std::vector<c10::IValue>{torch::randn({n, 4})}; };
  EXPECT_EQ(NetDiffers(f, {.examples = x(9), .others = {x(5), x(8), x(30)}, .options = options}), "");
}

TEST(TorchExport, GradientsOnOrOff) {
  Mlp net;
  const auto f = [&](const Tensor& x) {
    const torch::AutoGradMode on(true);
    return net->forward(x);
  };
  const Tensor x = torch::randn({2, 4});
  const auto with = Export(f, {x})->Bytes();
  const auto without = Export([&](const Tensor& t) { return net->forward(t); }, {x})->Bytes();
  EXPECT_EQ(*with, *without);
}

struct Pair {
  Tensor sum;
  std::vector<Tensor> parts;
};

TEST(TorchExport, ContainersInAndOut) {
  const auto f = [](const std::tuple<Tensor, Tensor>& state, const std::vector<Tensor>& xs, std::optional<Tensor> none,
                    double factor) {
    const Tensor sum = std::get<0>(state) + std::get<1>(state) * factor;
    std::map<std::string, Tensor> named = {{"b", xs[0]}, {"a", xs[1] - sum}};
    return std::make_tuple(Pair{sum, {xs[0] * 2, xs[1]}}, named, none);
  };
  const Tensor x = torch::randn({3});
  const auto model = Export(f, {std::make_tuple(x, x * 2), std::vector<Tensor>{x + 1, x + 2}, c10::IValue(), 0.5}, {});
  ASSERT_TRUE(model) << model.error().Text();
  std::vector<std::string> names;
  for (const Port& port : model->inputs()) names.push_back(port.name);
  for (const Port& port : model->outputs()) names.push_back(port.name);
  EXPECT_THAT(names, ElementsAre("input_0.0", "input_0.1", "input_1.0", "input_1.1", "output_0.0", "output_0.1.0",
                                 "output_0.1.1", "output_1.a", "output_1.b"));
  EXPECT_EQ(
      NetDiffers(f, {.examples = {std::make_tuple(x, x * 2), std::vector<Tensor>{x + 1, x + 2}, c10::IValue(), 0.5}}),
      "");
}

struct TiedImpl : torch::nn::Module {
  TiedImpl() {
    weight = register_parameter("weight", torch::randn({4, 4}));
    again = register_parameter("again", weight);
    mask = register_buffer("mask", torch::tensor({{1.f, 0.f, 1.f, 1.f}}));
    count = register_buffer("count", torch::zeros({1}));
  }
  Tensor forward(const Tensor& x) {
    count.add_(1);
    return x.matmul(weight).matmul(again.t()) * mask + count + loose;
  }
  Tensor weight, again, mask, count;
  Tensor loose = torch::arange(12.f).view({3, 4}).t().select(1, 1);
};
TORCH_MODULE(Tied);

TEST(TorchExport, StateIsLeftAsItWas) {
  Tied net;
  net->train();
  torch::manual_seed(7);
  const Tensor before = torch::rand({2});
  torch::manual_seed(7);
  const auto model = Export(net, {torch::randn({2, 4})});  // draws once, before the export
  ASSERT_TRUE(model) << model.error().Text();
  EXPECT_THAT(model->remarks(), ElementsAre(HasSubstr("'constant_0' (float32[4])"), HasSubstr("'count'")));
  EXPECT_EQ(net->count.item<float>(), 0);
  EXPECT_TRUE(net->is_training());
  EXPECT_EQ(model->weights(), 5);  // weight, mask, count, the loose one, and the number that is added
  const Tensor x = torch::randn({2, 4});
  const Tensor expected = net->forward(x);
  net->count.zero_();  // the model is written from the module's memory
  EXPECT_EQ(DifferenceFrom(*model, {x}, {expected}), "");
}

TEST(TorchExport, RandomStateIsLeftAsItWas) {
  const auto f = [](const Tensor& x) { return x + torch::rand({3}); };
  torch::manual_seed(1);
  const Tensor expected = torch::rand({4});
  torch::manual_seed(1);
  ASSERT_TRUE(Export(f, {torch::zeros({3})}));
  torch::manual_seed(1);
  const auto exported = Export(f, {torch::zeros({3})});
  EXPECT_TRUE(torch::equal(torch::rand({4}), expected));
}

TEST(TorchExport, ConstantsThatAreWrittenWithoutOperators) {
  const auto f = [](const Tensor& x) {
    Tensor table = torch::zeros({3});
    for (int i = 0; i < 3; ++i) table.data_ptr<float>()[i] = static_cast<float>(i) + 0.5f;
    return x + table + torch::tensor(std::vector<float>{1, 2, 3}) + torch::tensor({4.f, 5.f, 6.f});
  };
  EXPECT_EQ(NetDiffers(f, {.examples = {torch::randn({2, 3})}}), "");
}

TEST(TorchExport, RefusesWhatItCannotSee) {
  const auto text = [](const auto& f) {
    const auto model = Export(f, {torch::rand({3})});
    return model ? std::string("exported") : model.error().TextWithCodes();
  };
  EXPECT_THAT(text([](const Tensor& x) { return x * x.sum().item<float>(); }),
              AllOf(HasSubstr("[E0102] "), HasSubstr("aten::item")));
  EXPECT_THAT(text([](const Tensor& x) { return x.sum().is_nonzero() ? x : x + 1; }),
              HasSubstr("a value that each run"));
  EXPECT_THAT(text([](const Tensor& x) {
                Tensor y = x.clone();
                y.data_ptr<float>()[0] += 1;
                return y * 2;
              }),
              AllOf(HasSubstr("E0116"), HasSubstr("something else than an operator")));
  EXPECT_THAT(text([](const Tensor& x) { return x.to_sparse().to_dense(); }),
              AllOf(HasSubstr("E0118"), HasSubstr("ONNX has no word for it")));
  EXPECT_THAT(text([](const Tensor& x) -> Tensor { throw std::runtime_error("no such " + std::to_string(x.dim())); }),
              HasSubstr("the program fails: no such 1"));
  // A value that does not depend on the inputs stays as it is.
  EXPECT_EQ(text([](const Tensor& x) { return x * torch::ones({2}).sum().item<float>(); }), "exported");
}

TEST(TorchExport, KnowsThatItExports) {
  const auto f = [](const Tensor& x) { return IsExporting() ? x + 1 : x; };
  EXPECT_FALSE(IsExporting());
  const auto model = Export(f, {torch::zeros({1})});
  EXPECT_EQ(DifferenceFrom(*model, {torch::zeros({1})}, {torch::ones({1})}), "");
}

TEST(TorchExport, ThreadsGiveTheBytesOfOne) {
  Mlp net;
  const Tensor x = torch::randn({2, 4});
  const auto bytes = [&] {
    ExportOptions options;
    options.inputs = {TensorInput("x", {Sym("n"), 4})};
    return *Export([&](const Tensor& t) { return net->forward(t).reshape({t.size(0) * 3, -1}); }, {x}, options)
                ->Bytes();
  };
  const std::vector<std::byte> serial = bytes();
  std::vector<std::future<std::vector<std::byte>>> others;
  for (int i = 0; i < 8; ++i) others.push_back(std::async(std::launch::async, bytes));
  for (auto& other : others) EXPECT_EQ(other.get(), serial);
}

// ---- other modules

TEST(TorchExport, SequentialAndAnyModule) {
  torch::nn::Sequential net(torch::nn::Conv2d(3, 4, 3), torch::nn::BatchNorm2d(4), torch::nn::ReLU(),
                            torch::nn::AdaptiveAvgPool2d(1), torch::nn::Flatten(), torch::nn::Linear(4, 2));
  net->eval();
  const Tensor x = torch::randn({2, 3, 8, 8});
  EXPECT_EQ(NetDiffers(net, {.examples = {x}}), "");
  torch::nn::AnyModule any(torch::nn::Linear(8, 3));
  EXPECT_EQ(NetDiffers(any, {.examples = {x}}), "");
}

TEST(TorchExport, ScriptKeepsItsControlFlow) {
  torch::jit::Module module("m");
  module.register_parameter("weight", torch::randn({1000, 4}), false);
  module.define(R"(
    def forward(self, x, n: int):
      for i in range(n):
        if x.sum() > 0:
          x = x - 1
      return torch.matmul(x, self.weight.t())
  )");
  ExportOptions options;
  options.inputs = {TensorInput("x", {Sym("batch"), 4}), TensorInput("n", kInt64, {})};
  const auto model = Export(module, {torch::randn({2, 4}), 3}, options);
  ASSERT_TRUE(model) << model.error().Text();
  const Tensor x = torch::randn({5, 4}).abs() * 3;
  EXPECT_EQ(DifferenceFrom(*model, {x, torch::tensor(4)}, {module.forward({x, 4}).toTensor()}), "");
}

// ---- free axes

TEST(TorchExport, FreeAxes) {
  const auto f = [](const Tensor& x) {
    const auto n = x.size(0), c = x.size(1), h = x.size(2), w = x.size(3);
    const Tensor pooled = torch::max_pool2d(x, 2);
    const Tensor table = torch::arange(w).to(torch::kFloat) + torch::zeros({h / 2 + 1, 1}).sum() + h / 2;
    Tensor y = pooled.reshape({n, c * pooled.size(2) * pooled.size(3)}).sum(1) / static_cast<double>(h * w);
    return std::make_tuple(y, x + table, x.view({n * c, -1}), x.transpose(1, 2).reshape({n, h, c * w}));
  };
  ExportOptions options;
  options.inputs = {TensorInput("x", {Sym("n"), 3, Sym("h"), Sym("w")})};
  EXPECT_EQ(NetDiffers(f, {.examples = {torch::randn({2, 3, 8, 10})},
                           .others = {{torch::randn({5, 3, 9, 13})}, {torch::randn({7, 3, 30, 17})}},
                           .options = options}),
            "");
}

// How often a program runs with values when it is exported with a free axis.
template <typename Function>
int RunsWithValues(const Function& f) {
  int count = 0;
  const auto counted = [&](const Tensor& x) {
    count += x.is_cpu() ? 1 : 0;
    return f(x);
  };
  ExportOptions options;
  options.inputs = {TensorInput("x", {Sym("n"), 4})};
  const Tensor x = torch::rand({6, 4});
  EXPECT_EQ(NetDiffers(f, {.examples = {x}, .others = {{torch::rand({3, 4})}}, .options = options}), "");
  EXPECT_TRUE(Export(counted, {x}, options));
  return count;
}

TEST(TorchExport, FurtherSizesAreTriedWithoutMemory) {
  Mlp net;
  torch::nn::LayerNorm norm(torch::nn::LayerNormOptions({4}));
  const Tensor table = torch::rand({4});
  EXPECT_EQ(RunsWithValues([&](const Tensor& x) { return net->forward(torch::relu(norm->forward(x))); }), 1);
  EXPECT_EQ(
      RunsWithValues([&](const Tensor& x) { return x.relu().mul_(table) + torch::arange(x.size(0)).view({-1, 1}); }),
      1);
  EXPECT_EQ(RunsWithValues([](const Tensor& x) {
              Tensor y = torch::zeros({x.size(0), 4}, x.options());
              y.slice(0, 1).copy_(x.slice(0, 1)).relu_();
              return torch::equal(y, y) ? y : x;
            }),
            1);
}

// Each needs values in its own way; what the program makes of a failure does not matter.
TEST(TorchExport, RunsThatNeedValuesHaveThem) {
  EXPECT_GE(RunsWithValues([](const Tensor& x) {  // a weight is written to
              Tensor y = torch::zeros({x.size(0), 4});
              y.add_(x);
              return y;
            }),
            6);
  EXPECT_GE(RunsWithValues([](const Tensor& x) {
              x.const_data_ptr();
              return x * 2;
            }),
            6);
  EXPECT_GE(RunsWithValues([](const Tensor& x) {  // made on the device of x
              Tensor table = torch::zeros({4}, x.options());
              table.data_ptr<float>()[1] = 2;
              return x + table;
            }),
            6);
  EXPECT_GE(RunsWithValues([](const Tensor& x) { return x.is_meta() ? x + 1 : x * 2; }), 6);
  EXPECT_GE(RunsWithValues([](const Tensor& x) { return x * (x.is_meta() ? 3. : 2.); }), 6);
  EXPECT_GE(RunsWithValues([](const Tensor& x) {
              try {
                return x + x.masked_select(x >= 0).sum();
              } catch (const std::exception&) {
                return x;
              }
            }),
            6);
}

TEST(TorchExport, SizesThatValuesDecide) {
  const auto f = [](const Tensor& x) {
    const Tensor found = (x > 0).nonzero();
    return found.view({found.size(0)}) * 2;
  };
  EXPECT_EQ(NetDiffers(f, {.examples = {torch::tensor({1.f, -1.f, 2.f, -3.f})},
                           .others = {{torch::tensor({1.f, 1.f, 2.f, -3.f})}}}),
            "");
}

TEST(TorchExport, RefusesAxesThatAreNotFree) {
  const auto text = [](const auto& f) {
    ExportOptions options;
    options.inputs = {TensorInput("x", {Sym("n"), 4})};
    const auto model = Export(f, {torch::rand({6, 4})}, options);
    return model ? std::string("exported") : model.error().Text();
  };
  EXPECT_THAT(text([](const Tensor& x) { return x.size(0) > 6 ? x.relu() : x.sigmoid(); }),
              HasSubstr("does other things at other sizes"));
  EXPECT_THAT(text([](const Tensor& x) { return x + torch::ones({6, 4}); }), HasSubstr("the program fails"));
  EXPECT_THAT(text([](const Tensor& x) {
                return x * static_cast<double>(x.size(0) * x.size(0) % 7 + std::hash<int64_t>()(x.size(0)) * 31 % 11);
              }),
              HasSubstr("no expression of the sizes"));
}

}  // namespace
}  // namespace onnxport::tests
