// Checks that refusals of a program name the place in it, and no flags of the command. Linked with -rdynamic.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/script.h>

#include <string>

#include "tests/torch/against_eager.h"
#include "tests/torch/net_differs.h"

namespace places {

using torch::Tensor;

struct Gate : torch::nn::Module {
  Tensor forward(const Tensor& x);
};
Tensor Gate::forward(const Tensor& x) { return x * x.sum().item<float>(); }

// Recorded like any call; only the lowering knows that it has no form in ONNX.
struct Eigen : torch::nn::Module {
  Eigen() : linear(register_module("linear", torch::nn::Linear(3, 3))) {}
  Tensor Values(const Tensor& x);
  Tensor forward(const Tensor& x);
  torch::nn::Linear linear;
};
Tensor Eigen::Values(const Tensor& x) { return torch::linalg_eigvals(x).abs(); }
Tensor Eigen::forward(const Tensor& x) {
  const Tensor values = Values(linear->forward(x));
  return values + torch::linalg_eigvals(x).abs();
}

struct Writes : torch::nn::Module {
  Tensor forward(const Tensor& x);
};
Tensor Writes::forward(const Tensor& x) {
  Tensor y = x.clone();
  y.data_ptr<float>()[0] += 1;
  return y * 2;
}

struct Packed : torch::nn::Module {
  Packed() : lstm(register_module("lstm", torch::nn::LSTM(4, 5))) {}
  Tensor forward(const Tensor& x, const Tensor& lengths);
  torch::nn::LSTM lstm;
};
Tensor Packed::forward(const Tensor& x, const Tensor& lengths) {
  const auto packed = torch::nn::utils::rnn::pack_padded_sequence(x, lengths);
  const auto [y, state] = lstm->forward_with_packed_input(packed);
  return std::get<0>(torch::nn::utils::rnn::pad_packed_sequence(y));
}

// The operator itself takes what the module asks for from sizes.
struct PackedOperator : Packed {
  Tensor forward(const Tensor& x, const Tensor& lengths) {
    const auto packed = torch::nn::utils::rnn::pack_padded_sequence(x, lengths);
    const Tensor zero = torch::zeros({1, x.size(1), 5});
    const auto& weights = lstm->all_weights();
    const auto [y, h, c] = torch::lstm(packed.data(), packed.batch_sizes(), {zero, zero}, weights, true, 1, 0.0, false,
                                       /*bidirectional=*/false);
    return std::get<0>(
        torch::nn::utils::rnn::pad_packed_sequence(torch::nn::utils::rnn::PackedSequence(y, packed.batch_sizes())));
  }
};

}  // namespace places

namespace onnxport::tests {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

template <typename Net>
std::string Refused(Net net, const std::vector<c10::IValue>& examples, const ExportOptions& options = {}) {
  const auto model = Export(net, examples, options);
  return model ? "exported" : model.error().Text();
}

TEST(Places, NameTheFunctionsOfTheProgram) {
  EXPECT_THAT(Refused(places::Gate(), {torch::rand({3})}),
              AllOf(HasSubstr("aten::item"), HasSubstr("(in places::Gate::forward")));
  EXPECT_THAT(Refused(places::Writes(), {torch::rand({3})}),
              AllOf(HasSubstr("something else than an operator"), HasSubstr("(in places::Writes::forward")));
}

TEST(Places, AreFoundForCallsThatOnlyTheLoweringRefuses) {
  const auto model = Export(places::Eigen(), {torch::rand({3, 3})});
  ASSERT_FALSE(model.has_value());
  ASSERT_FALSE(model.error().diagnostics().empty());
  const Diagnostic& diagnostic = model.error().diagnostics()[0];
  EXPECT_EQ(diagnostic.op, "aten::linalg_eigvals");
  ASSERT_EQ(diagnostic.sites.size(), 2);
  EXPECT_EQ(diagnostic.sites[0].function, "places::Eigen::Values, called by places::Eigen::forward");
  EXPECT_EQ(diagnostic.sites[1].function, "places::Eigen::forward");
  EXPECT_THAT(model.error().Text(), HasSubstr("\n      in places::Eigen::Values, called by places::Eigen::forward"));
  EXPECT_THAT(model.error().Json(), HasSubstr("\"function\":\"places::Eigen::forward\""));
}

TEST(Places, PackedSequencesOfTheModuleAreRefusedThere) {
  EXPECT_THAT(Refused(places::Packed(), {torch::rand({5, 3, 4}), torch::tensor({5, 3, 1})}),
              HasSubstr("torch::nn::LSTMImpl::forward_with_packed_input, called by places::Packed::forward"));
}

TEST(Places, PackedSequencesOfTheOperatorAreExported) {
  ExportOptions options;
  options.inputs = {TensorInput("x", {Sym("time"), Sym("batch"), 4}), TensorInput("lengths", {Sym("batch")})};
  const onnxport::tests::Run run = {.examples = {torch::rand({5, 3, 4}), torch::tensor({5, 3, 1})},
                                    .others = {{torch::rand({7, 2, 4}), torch::tensor({7, 7})},
                                               {torch::rand({6, 4, 4}), torch::tensor({6, 4, 4, 2})}},
                                    .options = options};
  EXPECT_EQ(NetDiffers(places::PackedOperator(), run), "");
}

TEST(Messages, SayNothingOfFlags) {
  torch::jit::Module script("m");
  script.define("def forward(self, x, n: int):\n  return x * n\n");
  const torch::nn::Dropout dropout;
  torch::nn::Linear meta = nullptr;
  {
    const MetaTensors no_memory;
    meta = torch::nn::Linear(2, 2);
  }
  ExportOptions names;
  names.input_names = {"a", "b"};
  ExportOptions parameters;
  parameters.parameter_names = {"a", "b", "c"};
  ExportOptions outputs;
  outputs.outputs = {{.name = "output", .dims = {Sym("n"), 2}}};
  const torch::Tensor x = torch::rand({2, 2});
  const std::pair<std::string, const char*> kTexts[] = {
      {Refused(script, {x}), "ExportOptions::inputs: \"n=5\""},
      {Refused(dropout, {x}), "ExportOptions::training"},
      {Refused(meta, {x}), "ExportOptions::weights_as_inputs"},
      {Refused(torch::nn::Linear(2, 2), {x}, names), "ExportOptions::input_names"},
      {Refused(torch::nn::Linear(2, 2), {x}, parameters), "ExportOptions::parameter_names"},
      {Refused(torch::nn::Linear(2, 2), {x}, outputs), "CheckAxes"},
  };
  for (const auto& [text, part] : kTexts) EXPECT_THAT(text, AllOf(HasSubstr(part), Not(HasSubstr("--"))));
}

}  // namespace
}  // namespace onnxport::tests
