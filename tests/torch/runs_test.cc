// Checks the observations and messages of an export's runs: sizes, values, memory and threads of the program.
#include <ATen/ThreadLocalState.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <future>
#include <thread>

#include "tests/torch/against_eager.h"
#include "tests/torch/net_differs.h"

namespace onnxport::tests {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using torch::Tensor;
using Function = std::function<Tensor(const Tensor&)>;
using Examples = std::vector<c10::IValue>;

ExportOptions Named(std::vector<Dim> dims) {
  ExportOptions options;
  options.inputs = {TensorInput("x", std::move(dims))};
  return options;
}

std::string TextOf(const Result<Model>& model) { return model ? "exported" : model.error().Text(); }

// ---- sizes

TEST(Runs, HaveTheSizesOfTheExampleAndSomeBelow) {
  const struct {
    int64_t example;
    int64_t bound;  // the program branches at sizes above it
  } kCases[] = {{2, 2}, {3, 3}, {4, 4}, {5, 5}, {5, 4}, {8, 5}, {8, 7}, {16, 9}, {30, 30}};
  for (const auto& test : kCases) {
    const auto f = [&](const Tensor& x) { return x.size(0) > test.bound ? x * 2 : x - 1; };
    for (const auto& dims : {std::vector<Dim>{Sym("n"), 5}, {Sym("n"), Sym("m")}, {Sym("n"), Sym("m")}}) {
      const auto model = Export(f, {torch::rand({test.example, 5})}, Named(dims));
      EXPECT_THAT(TextOf(model), HasSubstr("does other things at other sizes")) << test.example << " " << test.bound;
    }
  }
}

TEST(Runs, HaveTheExamplesThatTheCallerGives) {
  const auto f = [](const Tensor& x) { return x.size(0) > 100 ? x * 2 : x - 1; };
  const Tensor x = torch::rand({4, 5});
  EXPECT_EQ(TextOf(Export(f, {x}, Named({Sym("n"), 5}))), "exported");
  EXPECT_THAT(TextOf(Export(f, {x}, Named({Sym("n"), 5}), {{torch::rand({101, 5})}})),
              HasSubstr("does other things at other sizes"));
  const auto same = [](const Tensor& t) { return t.reshape({t.size(0) * t.size(1)}); };
  EXPECT_EQ(TextOf(Export(same, {x}, Named({Sym("n"), Sym("m")}), {{torch::rand({1, 7})}, {torch::rand({90, 3})}})),
            "exported");
  const struct {
    ExampleSets others;
    const char* text;
  } kUnfit[] = {
      {{{torch::rand({3, 6})}}, "axis 1 of 'x' is 6, 5 in the first"},
      {{{torch::rand({3, 5}), 1}}, "the same arguments as the first"},
      {{{torch::rand({3})}}, "another dtype or number of axes"},
      {{{torch::ones({3, 5}, torch::kLong)}}, "another dtype or number of axes"},
  };
  for (const auto& test : kUnfit) {
    const auto model = Export(f, {x}, Named({Sym("n"), 5}), test.others);
    ASSERT_FALSE(model) << test.text;
    EXPECT_EQ(model.error().kind(), ErrorKind::kUsage);
    EXPECT_THAT(model.error().Text(), HasSubstr(test.text));
  }
}

TEST(Runs, HaveTheBoundsOfARange) {
  const auto f = [](const Tensor& x) { return x.size(0) > 60 ? x * 2 : x - 1; };
  const auto named = [](Dim n) { return Named({std::move(n), 5}); };
  const Tensor x = torch::rand({4, 5});
  EXPECT_THAT(TextOf(Export(f, {x}, named(Sym("n").Between(2, 64)))), HasSubstr("at n=64"));
  EXPECT_THAT(TextOf(Export(f, {x}, named(Sym("n").Between(5, 64)))), HasSubstr("promised to be 5 to 64"));
  const auto model = Export(f, {x}, named(Sym("n").Between(2, 6)));
  ASSERT_TRUE(model) << model.error().Text();
  ASSERT_EQ(model->axes().size(), 1);
  EXPECT_EQ(model->axes()[0].min, 2);
  EXPECT_EQ(model->axes()[0].max, 6);
}

TEST(Runs, TellOfSizesThatTheProgramDoesNotTake) {
  const auto f = [](const Tensor& x) {
    if (x.size(0) % 2 != 0) throw std::runtime_error("no odd ones");
    return x * 2;
  };
  const auto model = Export(f, {torch::rand({4, 5})}, Named({Sym("n"), 5}));
  ASSERT_TRUE(model) << model.error().Text();
  EXPECT_THAT(model->remarks(), Contains(AllOf(HasSubstr("does not take all sizes"), HasSubstr("no odd ones"))));
}

TEST(Runs, KeepOffsetsInOrder) {
  torch::nn::EmbeddingBag bag(torch::nn::EmbeddingBagOptions(10, 3).mode(torch::kSum));
  const auto f = [&](const Tensor& ids, const Tensor& offsets) { return bag->forward(ids, offsets); };
  ExportOptions options;
  options.inputs = {TensorInput("ids", {Sym("n")}), TensorInput("offsets", {Sym("b")})};
  const auto ids = [](int64_t n) { return torch::randint(0, 10, {n}, torch::kLong); };
  EXPECT_EQ(NetDiffers(f, {.examples = {ids(6), torch::tensor({0, 2, 3})},
                           .others = {{ids(9), torch::tensor({0, 1, 5, 7})}},
                           .options = options}),
            "");
}

TEST(Runs, FindPaddingAndSlicesThatLibTorchLeavesOut) {
  using torch::indexing::Slice;
  const std::pair<const char*, Function> kPrograms[] = {
      {"pad to a multiple and crop",
       [](const Tensor& x) {
         const auto h = x.size(1), w = x.size(2);
         const Tensor padded = torch::constant_pad_nd(x, {0, (4 - w % 4) % 4, 0, (4 - h % 4) % 4});
         const Tensor pooled = torch::max_pool2d(padded, 2).repeat_interleave(2, 1).repeat_interleave(2, 2);
         return (pooled - 1).index({Slice(), Slice(0, h), Slice(0, w)}) * x;
       }},
      {"crop and write",
       [](const Tensor& x) {
         const Tensor padded = torch::constant_pad_nd(x, {0, (3 - x.size(2) % 3) % 3});
         const Tensor y = padded.index({Slice(), Slice(), Slice(torch::indexing::None, x.size(2))});
         y.mul_(2);
         return y + padded.sum();
       }},
      {"at most 16", [](const Tensor& x) { return x.index({Slice(), Slice(0, 16)}) * 2; }},
      {"the larger", [](const Tensor& x) { return torch::arange(std::max(x.size(1), x.size(2))) + x.sum(); }},
      {"the smaller",
       [](const Tensor& x) {
         const auto k = std::min(x.size(1), x.size(2));
         return x.slice(1, 0, k).slice(2, 0, k).diagonal(0, 1, 2);
       }},
      {"points of half a size", [](const Tensor& x) { return torch::linspace(-1, 1, (x.size(1) + 1) / 2) * x.sum(); }},
      {"aspect", [](const Tensor& x) { return x * (static_cast<double>(x.size(1)) / static_cast<double>(x.size(2))); }},
      {"halves", [](const Tensor& x) { return x * (static_cast<double>(x.size(1)) / 2) + (x.size(2) - 1) / 2.0; }},
  };
  const auto x = [](int64_t b, int64_t h, int64_t w) { return Examples{torch::rand({b, h, w})}; };
  for (const auto& [name, f] : kPrograms) {
    tests::Run run = {.examples = x(2, 10, 14), .options = Named({Sym("b"), Sym("h"), Sym("w")})};
    run.others = {x(3, 8, 12), x(5, 9, 7), x(2, 31, 22), x(4, 13, 40)};
    EXPECT_EQ(NetDiffers(f, run), "") << name;
  }
}

// The first six runs have even sizes only here: (n + 1)//2, which is a chunk's size, is n//2 in them.
TEST(Runs, TellTheHalvesOfAComputedSize) {
  const auto halves = [](const Tensor& x) {
    const Tensor flat = x.chunk(2, 0)[0].reshape({-1});
    return std::vector<Tensor>{flat.chunk(2, 0)[0] * 2, flat.slice(0, flat.size(0) / 2)};
  };
  const auto x = [](int64_t b, int64_t a) { return Examples{torch::rand({b, a})}; };
  tests::Run run = {.examples = x(6, 4), .others = {x(5, 5), x(15, 9), x(9, 3)}};
  run.options = Named({Sym("b"), Sym("a")});
  EXPECT_EQ(NetDiffers(halves, run), "");
}

// A window of a Swin transformer: padded, rolled, cut into windows, masked by slices, and put together again.
// A run whose tensors have fewer axes gets no slice of another run.
TEST(Runs, ThatSliceTensorsOfOtherRanksAreRefused) {
  const auto axis_0 = [](const Tensor& x) { return x.size(0) > 3 ? x.sum(0).tanh() : (x * 1).slice(0, 0, 1); };
  const auto axis_1 = [](const Tensor& x) { return x.size(0) > 3 ? x.sum(0).tanh() : (x * 1).slice(1, 0, 2); };
  const auto scalar = [](const Tensor& x) { return x.size(0) > 3 ? x.sum().tanh() : (x * 1).slice(0, 0, 1); };
  const auto alias = [](const Tensor& x) { return x.size(0) > 3 ? x.sum(0).alias() : (x * 1).slice(1, 0, 2); };
  for (const Function& f : {Function(axis_0), Function(axis_1), Function(scalar), Function(alias)}) {
    EXPECT_THAT(TextOf(Export(f, {torch::rand({5, 4})}, Named({Sym("n"), 4}))),
                HasSubstr("does other things at other sizes"));
  }
}

TEST(Runs, ExportASwinBlock) {
  struct Block : torch::nn::Module {
    Block()
        : norm(register_module("norm", torch::nn::LayerNorm(torch::nn::LayerNormOptions({8})))),
          qkv(register_module("qkv", torch::nn::Linear(8, 24))),
          proj(register_module("proj", torch::nn::Linear(8, 8))) {}
    Tensor forward(const Tensor& x) {
      using torch::indexing::Slice;
      constexpr auto kEnd = torch::indexing::None;
      const auto b = x.size(0), h = x.size(1), w = x.size(2);
      Tensor y = norm->forward(x);
      y = torch::nn::functional::pad(
          y, torch::nn::functional::PadFuncOptions({0, 0, 0, (4 - w % 4) % 4, 0, (4 - h % 4) % 4}));
      const auto hp = y.size(1), wp = y.size(2);
      y = torch::roll(y, {-2, -2}, {1, 2});
      Tensor mask = torch::zeros({hp, wp});
      int count = 0;
      for (const auto& rows : {Slice(0, -4), Slice(-4, -2), Slice(-2, kEnd)}) {
        for (const auto& columns : {Slice(0, -4), Slice(-4, -2), Slice(-2, kEnd)})
          mask.index_put_({rows, columns}, count++);
      }
      const auto windows = [&](const Tensor& t, int64_t n, int64_t c) {
        return t.view({n, hp / 4, 4, wp / 4, 4, c}).permute({0, 1, 3, 2, 4, 5}).reshape({-1, 16, c});
      };
      const Tensor labels = windows(mask, 1, 1).squeeze(-1);
      const Tensor differ = (labels.unsqueeze(1) - labels.unsqueeze(2)).ne(0).to(torch::kFloat) * -100;
      const auto parts = qkv->forward(windows(y, b, 8)).chunk(3, -1);
      Tensor scores = parts[0].matmul(parts[1].transpose(1, 2)) / std::sqrt(8.0);
      scores = (scores.view({b, differ.size(0), 16, 16}) + differ).view({-1, 16, 16}).softmax(-1);
      y = proj->forward(scores.matmul(parts[2]));
      y = y.view({b, hp / 4, wp / 4, 4, 4, 8}).permute({0, 1, 3, 2, 4, 5}).reshape({b, hp, wp, 8});
      y = torch::roll(y, {2, 2}, {1, 2});
      return x + y.index({Slice(), Slice(0, h), Slice(0, w)}).contiguous();
    }
    torch::nn::LayerNorm norm;
    torch::nn::Linear qkv;
    torch::nn::Linear proj;
  } block;
  const auto x = [](int64_t b, int64_t h, int64_t w) { return Examples{torch::rand({b, h, w, 8})}; };
  tests::Run run = {.examples = x(2, 10, 14), .options = Named({Sym("b"), Sym("h"), Sym("w"), 8})};
  run.others = {x(3, 8, 12), x(1, 9, 13), x(2, 31, 22)};
  EXPECT_EQ(NetDiffers(block, run), "");
}

// ---- values

TEST(Runs, SeeWhatIsReadFromTheMemoryOfInputs) {
  const std::pair<const char*, Function> kPrograms[] = {
      {"a number", [](const Tensor& x) { return x * x.data_ptr<float>()[0]; }},
      {"a table",
       [](const Tensor& x) {
         const auto* p = x.const_data_ptr<float>();
         return x + torch::tensor(std::vector<float>(p, p + 4));
       }},
      {"borrowed", [](const Tensor& x) { return torch::from_blob(x.data_ptr<float>(), x.sizes()) * 2; }},
      {"borrowed of a result",
       [](const Tensor& x) {
         const Tensor y = x * 3;
         return torch::from_blob(y.data_ptr<float>(), {4}) + x;
       }},
      {"copied",
       [](const Tensor& x) {
         Tensor y = torch::zeros({4});
         std::memcpy(y.data_ptr<float>(), x.data_ptr<float>(), 16);
         return y * 2;
       }},
  };
  for (const auto& [name, f] : kPrograms) {
    EXPECT_THAT(TextOf(Export(f, {torch::rand({4})})), Not("exported")) << name;
    EXPECT_THAT(TextOf(Export(f, {torch::rand({3, 4})}, Named({Sym("n"), 4}))), Not("exported")) << name;
  }
}

TEST(Runs, TellOfProgramsThatChange) {
  int count = 0;
  const auto counter = [&](const Tensor& x) { return x * ++count; };
  const auto model = Export(counter, {torch::rand({4})});
  ASSERT_TRUE(model) << model.error().Text();
  EXPECT_THAT(model->remarks(), Contains(HasSubstr("when it is run again")));
  Tensor cache;
  const auto lazy = [&](const Tensor& x) {
    if (!cache.defined()) cache = torch::arange(4) * 2;
    return x + cache;
  };
  EXPECT_EQ(TextOf(Export(lazy, {torch::rand({4})})), "exported");
}

TEST(Runs, OfOrdinaryProgramsRemarkNothing) {
  torch::nn::Sequential net(torch::nn::Linear(4, 8), torch::nn::LogSigmoid(), torch::nn::BatchNorm1d(8));
  net->eval();
  for (const auto& options : {ExportOptions(), Named({Sym("n"), 4})}) {
    for (const Tensor& x : {torch::rand({6, 4}), torch::rand({4, 6}).t(), torch::rand({6, 8}).slice(1, 0, 4),
                            torch::rand({1, 4}).expand({6, 4})}) {
      const auto model = Export(net, {x}, options);
      ASSERT_TRUE(model) << model.error().Text();
      EXPECT_THAT(model->remarks(), IsEmpty());
      EXPECT_EQ(DifferenceFrom(*model, {x}, {net->forward(x).detach()}), "");
    }
  }
}

TEST(Runs, TellOfConstantsAndOfInputsThatDoNothing) {
  const Tensor table = torch::rand({4});
  const auto f = [&](const Tensor& x, const Tensor& unused, const Tensor& sized) {
    return x * table + sized.size(0) + (unused + 1).size(0);
  };
  for (const bool free : {false, true}) {
    ExportOptions options;
    if (free)
      options.inputs = {TensorInput("a", {Sym("n"), 4}), TensorInput("b", kFloat32), TensorInput("c", kFloat32)};
    if (!free) options.inputs = {TensorInput("a", kFloat32), TensorInput("b", kFloat32), TensorInput("c", kFloat32)};
    const auto model = Export(f, {torch::rand({3, 4}), torch::rand({5}), torch::rand({7})}, options);
    ASSERT_TRUE(model) << model.error().Text();
    EXPECT_THAT(model->remarks(),
                Contains(AllOf(HasSubstr("'constant_0' (float32[4]) is"), HasSubstr("without operators"))));
    EXPECT_THAT(model->remarks(), Contains(HasSubstr("no output depends on the values of the input 'b'")));
    EXPECT_THAT(model->remarks(), Each(Not(HasSubstr("input 'a'"))));
  }
}

// Two inputs are two, though the examples are one tensor.
TEST(Runs, OneTensorAsTwoExamplesIsTwoInputs) {
  const auto f = [](const Tensor& a, const Tensor& b) { return a - b * 2; };
  const Tensor x = torch::rand({4});
  EXPECT_EQ(NetDiffers(f, {.examples = {x, x}, .others = {{torch::rand({4}), torch::rand({4})}}}), "");
}

// ---- memory that LibTorch does not own

TEST(Memory, ThatIsBorrowedIsCopiedWhereItIsUsed) {
  static float refilled[4];
  const auto fill = [](float value) { std::fill(std::begin(refilled), std::end(refilled), value); };
  const std::pair<const char*, Function> kPrograms[] = {
      {"stack",
       [](const Tensor& x) {
         float b[4] = {1, 2, 3, 4};
         return x + torch::from_blob(b, {4});
       }},
      {"cloned",
       [](const Tensor& x) {
         float b[4] = {1, 2, 3, 4};
         return x + torch::from_blob(b, {4}).clone();
       }},
      {"heap, and a view",
       [](const Tensor& x) {
         std::vector<float> b{1, 2, 3, 4};
         return x + torch::from_blob(b.data(), {2, 2}).t().reshape({4});
       }},
      {"refilled for another tensor",
       [&](const Tensor& x) {
         fill(1);
         const Tensor y = x * torch::from_blob(refilled, {4});
         fill(2);
         return y + torch::from_blob(refilled, {4});
       }},
      {"refilled under one tensor",
       [&](const Tensor& x) {
         fill(1);
         const Tensor t = torch::from_blob(refilled, {4});
         const Tensor y = x * t;
         fill(2);
         return y + t;
       }},
      {"written to by an operator",
       [&](const Tensor& x) {
         fill(1);
         Tensor t = torch::from_blob(refilled, {4});
         t.add_(3);
         return x + t;
       }},
  };
  for (const auto& [name, f] : kPrograms) {
    EXPECT_EQ(NetDiffers(f, {.examples = {torch::rand({4})}}), "") << name;
    tests::Run run = {
        .examples = {torch::rand({3, 4})}, .others = {{torch::rand({8, 4})}}, .options = Named({Sym("n"), 4})};
    EXPECT_EQ(NetDiffers(f, run), "") << name;
  }
}

TEST(Memory, ThatIsBorrowedMayChangeBeforeTheModelIsSaved) {
  static float buffer[4] = {1, 2, 3, 4};
  const auto f = [](const Tensor& x) { return x + torch::from_blob(buffer, {4}); };
  struct Net : torch::nn::Module {
    Net() : weight(register_parameter("weight", torch::from_blob(buffer, {4}), false)) {}
    Tensor forward(const Tensor& x) { return x * weight; }
    Tensor weight;
  } net;
  const Tensor x = torch::rand({4});
  const auto model = Export(f, {x});
  const auto of_net = Export(net, {x});
  ASSERT_TRUE(model && of_net);
  const Tensor expected = f(x);
  const Tensor of_weight = net.forward(x).clone();
  std::fill(std::begin(buffer), std::end(buffer), 99.f);
  EXPECT_EQ(DifferenceFrom(*model, {x}, {expected}), "");
  EXPECT_EQ(DifferenceFrom(*of_net, {x}, {of_weight}), "");
}

// A long run forgets what is dead, and new constants get its addresses: they are none of the old values.
TEST(Memory, OfWhatIsDeadIsThatOfOthersLater) {
  constexpr size_t kCalls = 3000;
  static std::vector<std::array<float, 4>> table(kCalls);
  for (size_t i = 0; i < kCalls; ++i) table[i].fill(static_cast<float>(i % 7));
  const auto f = [](Tensor x) {
    for (auto& row : table) x = torch::from_blob(row.data(), {4}) - x;
    return x;
  };
  const Tensor x = torch::rand({4});
  const auto model = Export(f, {x});
  ASSERT_TRUE(model) << model.error().Text();
  EXPECT_EQ(DifferenceFrom(*model, {x}, {f(x)}), "");
}

TEST(Memory, OfConstantsThatIsWrittenDuringTheRunIsRefused) {
  const Tensor table = torch::ones({4});
  const auto f = [&](const Tensor& x) {
    table.data_ptr<float>()[0] = 1;
    const Tensor y = x * table;
    table.data_ptr<float>()[0] = 2;
    return y + table;
  };
  EXPECT_THAT(TextOf(Export(f, {torch::rand({4})})), HasSubstr("which the program takes from outside, was written to"));
}

// A view's own bytes count, and blocks around them.
TEST(Memory, OfLargeTensorsIsSeenToBeWritten) {
  const auto f = [](int64_t row) {
    return [row](const Tensor& x) {
      Tensor table = torch::ones({64, 16384});
      table.data_ptr<float>()[row * 16384 + 5] = 7;
      return x + table.select(0, 32).slice(0, 0, 8);
    };
  };
  EXPECT_EQ(NetDiffers(f(1), {.examples = {torch::rand({8})}}), "");
  EXPECT_THAT(NetDiffers(f(32), {.examples = {torch::rand({8})}}), HasSubstr("refused: "));
}

// ---- threads

TEST(Threads, ThatComputeWithTheRunsTensorsAreRefused) {
  const std::pair<const char*, Function> kPrograms[] = {
      {"aten::relu",
       [](const Tensor& x) { return std::async(std::launch::async, [&] { return torch::relu(x) * 3; }).get() + 1; }},
      {"aten::mean",
       [](const Tensor& x) {
         Tensor y;
         std::thread([&] { y = x.mean(0); }).join();
         return x - y;
       }},
      {"aten::tanh",
       [](const Tensor& x) {
         const Tensor z = x * 2;
         return std::async(std::launch::async, [&] { return torch::tanh(z); }).get();
       }},
      {"aten::sigmoid",
       [](const Tensor& x) {
         const at::ThreadLocalState state;
         return std::async(std::launch::async,
                           [&] {
                             const at::ThreadLocalStateGuard guard(state);
                             return torch::sigmoid(x);
                           })
             .get();
       }},
      {"aten::slice",
       [](const Tensor& x) {
         Tensor y = torch::empty_like(x);
         std::thread([&] { y.slice(0, 0, 1).copy_(x.slice(0, 0, 1) * 2); }).join();
         y.slice(0, 1).copy_(x.slice(0, 1) * 2);
         return y;
       }},
  };
  for (const auto& [op, f] : kPrograms) {
    const auto text = AllOf(HasSubstr(op), HasSubstr("called by another thread"));
    EXPECT_THAT(TextOf(Export(f, {torch::rand({4, 4})})), text);
    EXPECT_THAT(TextOf(Export(f, {torch::rand({4, 4})}, Named({Sym("n"), 4}))), text);
  }
}

TEST(Threads, ThatComputeSomethingElseAreNobodysBusiness) {
  const auto f = [](const Tensor& x) {
    const Tensor table = std::async(std::launch::async, [] { return torch::ones({4}) * 3; }).get();
    return x * table + Custom("", "Relu", {}, {x}, [](const std::vector<Tensor>& in) {
             return std::async(std::launch::async, [&] { return torch::relu(in[0]); }).get();
           });
  };
  EXPECT_EQ(NetDiffers(f, {.examples = {torch::randn({3, 4})}}), "");
  // LibTorch's own threads, inside of an operator.
  at::set_num_threads(2);
  const auto large = [](const Tensor& x) { return torch::relu(x).matmul(x.t()).sum(0); };
  EXPECT_EQ(NetDiffers(large, {.examples = {torch::randn({600, 300})}}), "");
  at::set_num_threads(1);
}

// ---- what is made is compared

TEST(Verify, ComparesTheModelWithTheProgram) {
  torch::nn::Linear net(4, 3);
  const auto x = [](int64_t n) { return torch::rand({n, 4}); };
  const auto model = Export(net, {x(2)}, Named({Sym("n"), 4}));
  ASSERT_TRUE(model) << model.error().Text();
  const VerifyOptions options = {.runner = std::getenv("ORT_RUNNER_NEW")};
  const auto same = Verify(net, *model, {x(5)}, options);
  ASSERT_TRUE(same) << same.error().Text();
  EXPECT_THAT(*same, IsEmpty());
  const auto other = [&](const Tensor& t) { return net->forward(t) * 1.01; };
  const auto differs = Verify(other, *model, {x(5)}, options);
  ASSERT_TRUE(differs) << differs.error().Text();
  EXPECT_THAT(*differs, testing::ElementsAre(HasSubstr("output: ")));
  EXPECT_EQ(Verify(net, *model, {x(5), x(5)}, options).error().kind(), ErrorKind::kUsage);
  EXPECT_THAT(Verify(net, *model, {x(5)}, {.runner = "/no/such"}).error().Text(), HasSubstr("exporter-onnxruntime"));
  EXPECT_THAT(Verify(net, *model, {torch::rand({5, 7})}, options).error().Text(), HasSubstr("ONNX Runtime: "));
}

TEST(Script, NumbersOfTheExamplesAreFixed) {
  torch::jit::Module module("m");
  module.define(R"(
    def forward(self, x, n: int, scale: float):
      for i in range(n):
        x = x * scale
      return x
  )");
  const auto model = Export(module, {torch::rand({4}), 3, 0.5}, {});
  ASSERT_TRUE(model) << model.error().Text();
  ASSERT_EQ(model->inputs().size(), 1);
  const Tensor x = torch::rand({4});
  EXPECT_EQ(DifferenceFrom(*model, {x}, {x * 0.125}), "");
}

// ---- messages

TEST(Messages, NameWhoseMistakeItIs) {
  const auto throws = [](auto what) { return [what](const Tensor&) -> Tensor { throw what; }; };
  const Tensor x = torch::rand({4, 4});
  for (const auto& options : {ExportOptions(), Named({Sym("n"), 4})}) {
    for (const auto& [model, text] :
         {std::pair{Export(throws(std::logic_error("I do not like it")), {x}, options),
                    "the program fails: I do not like it"},
          {Export(throws(42), {x}, options), "the program fails: it throws int, which is no std::exception"},
          {Export(throws(std::string("a text")), {x}, options), "the program fails: a text"}}) {
      ASSERT_FALSE(model);
      EXPECT_EQ(model.error().kind(), ErrorKind::kCannotExport);
      EXPECT_EQ(model.error().Text(), text);
    }
  }
  const auto two = [](const Tensor& a, const std::vector<Tensor>& b) { return a + b[0]; };
  const auto nested = [](const Tensor& a) {
    const auto inner = Export([](const Tensor& t) { return t * 2; }, {a});
    if (!inner) throw std::runtime_error(inner.error().Text());
    return a;
  };
  EXPECT_EQ(Export(two, {x}).error().kind(), ErrorKind::kUsage);
  EXPECT_EQ(Export(two, {x, std::vector<Tensor>{x}, x}).error().kind(), ErrorKind::kUsage);
  EXPECT_THAT(TextOf(Export(nested, {x})), HasSubstr("an export within an export"));
}

}  // namespace
}  // namespace onnxport::tests
