// Module classes of torch::nn in common configurations, with free axes, at several opsets and sizes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "onnxport/torch.h"
#include "tests/torch/against_eager.h"

namespace onnxport::tests {
namespace {

namespace nn = torch::nn;
using torch::Tensor;
using Sizes = std::map<std::string, int64_t>;

// `inputs`: "n,3,h,w" for each, with a `;` between; "i:n,t" is int64 from 0 to 4, "p:n,4" float from 0 to 1.
struct Case {
  const char* name;
  TorchProgram program;
  const char* inputs;
  const char* refused = "";  // at all opsets: a part of why
};

std::vector<std::string> Split(const std::string& text, char mark) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, mark);) parts.push_back(part);
  return parts;
}

struct Described {
  char kind = 'f';
  std::vector<Dim> dims;
};

std::vector<Described> Parse(const char* inputs) {
  std::vector<Described> described;
  for (std::string text : Split(inputs, ';')) {
    Described& input = described.emplace_back();
    if (text.size() > 1 && text[1] == ':') {
      input.kind = text[0];
      text = text.substr(2);
    }
    for (const std::string& dim : Split(text, ',')) {
      input.dims.push_back(std::isdigit(static_cast<unsigned char>(dim[0])) != 0 ? Dim(std::stol(dim)) : Sym(dim));
    }
  }
  return described;
}

std::vector<c10::IValue> Draw(const std::vector<Described>& inputs, const Sizes& sizes) {
  std::vector<c10::IValue> values;
  for (const Described& input : inputs) {
    std::vector<int64_t> shape;
    for (const Dim& dim : input.dims) shape.push_back(dim.is_number() ? dim.number() : sizes.at(dim.symbol()));
    if (input.kind == 'i') values.emplace_back(torch::randint(5, shape, torch::kLong));
    if (input.kind == 'p') values.emplace_back(torch::rand(shape));
    if (input.kind == 'f') values.emplace_back(torch::randn(shape));
  }
  return values;
}

// The program outlives what it runs.
TorchProgram Holding(std::shared_ptr<const void> held, torch_program::Runner run) {
  return {.run = [held = std::move(held), run = std::move(run)](const std::vector<c10::IValue>& values) {
    return run(values);
  }};
}

TorchProgram OfModule(const std::shared_ptr<nn::Module>& module, torch_program::Runner run) {
  module->eval();
  TorchProgram program = Holding(module, std::move(run));
  for (const auto& item : module->named_parameters()) program.parameters.emplace_back(item.key(), item.value());
  for (const auto& item : module->named_buffers()) program.buffers.emplace_back(item.key(), item.value());
  return program;
}

template <typename Holder>
TorchProgram Of(Holder holder) {
  return OfModule(holder.ptr(), torch_program::RunnerOf(*holder));
}

template <typename Function>
TorchProgram Call(Function function) {
  auto held = std::make_shared<Function>(std::move(function));
  return Holding(held, torch_program::RunnerOf(*held));
}

std::vector<Case> Layers() {
  return {
      {"Identity", Of(nn::Identity()), "n,4"},
      {"Linear", Of(nn::Linear(4, 3)), "n,t,4"},
      {"Bilinear", Of(nn::Bilinear(4, 3, 2)), "n,4;n,3"},
      {"Flatten", Of(nn::Flatten()), "n,3,h,w"},
      {"Unflatten", Of(nn::Unflatten(1, std::vector<int64_t>{2, 3})), "n,6,h"},
      {"Conv1d", Of(nn::Conv1d(nn::Conv1dOptions(3, 4, 3).padding(1).stride(2))), "n,3,t"},
      {"Conv2d", Of(nn::Conv2d(nn::Conv2dOptions(4, 6, 3).groups(2).dilation(2).bias(false))), "n,4,h,w"},
      {"Conv2dReflect", Of(nn::Conv2d(nn::Conv2dOptions(3, 4, 3).padding(1).padding_mode(torch::kReflect))), "n,3,h,w"},
      {"Conv2dSame", Of(nn::Conv2d(nn::Conv2dOptions(3, 4, 3).padding(torch::kSame))), "n,3,h,w"},
      {"Conv3d", Of(nn::Conv3d(2, 3, 2)), "n,2,d,h,w"},
      {"ConvTranspose1d", Of(nn::ConvTranspose1d(nn::ConvTranspose1dOptions(3, 4, 3).stride(2))), "n,3,t"},
      {"ConvTranspose2d",
       Of(nn::ConvTranspose2d(nn::ConvTranspose2dOptions(3, 4, 3).padding(1).output_padding(1).stride(2))), "n,3,h,w"},
      {"ConvTranspose3d", Of(nn::ConvTranspose3d(2, 3, 2)), "n,2,d,h,w"},
      {"BatchNorm1d", Of(nn::BatchNorm1d(4)), "n,4,t"},
      {"BatchNorm2d", Of(nn::BatchNorm2d(4)), "n,4,h,w"},
      {"BatchNorm3d", Of(nn::BatchNorm3d(4)), "n,4,d,h,w"},
      {"InstanceNorm1d", Of(nn::InstanceNorm1d(4)), "n,4,t"},
      {"InstanceNorm2d", Of(nn::InstanceNorm2d(nn::InstanceNorm2dOptions(4).affine(true))), "n,4,h,w"},
      {"InstanceNorm3d", Of(nn::InstanceNorm3d(4)), "n,4,d,h,w"},
      {"LayerNorm", Of(nn::LayerNorm(nn::LayerNormOptions({4}))), "n,t,4"},
      {"GroupNorm", Of(nn::GroupNorm(2, 4)), "n,4,h,w"},
      {"LocalResponseNorm", Of(nn::LocalResponseNorm(3)), "n,4,h,w"},
      {"CrossMapLRN2d", Of(nn::CrossMapLRN2d(3)), "n,4,h,w", "aten::resize_as"},
      {"Embedding", Of(nn::Embedding(5, 4)), "i:n,t"},
      {"EmbeddingPadding", Of(nn::Embedding(nn::EmbeddingOptions(5, 4).padding_idx(1))), "i:n,t"},
      {"EmbeddingBag", Of(nn::EmbeddingBag(5, 4)), "i:n,t"},
      {"Dropout", Of(nn::Dropout()), "n,4"},
      {"Dropout2d", Of(nn::Dropout2d()), "n,4,h,w"},
      {"Dropout3d", Of(nn::Dropout3d()), "n,4,d,h,w"},
      {"AlphaDropout", Of(nn::AlphaDropout()), "n,4"},
      {"FeatureAlphaDropout", Of(nn::FeatureAlphaDropout()), "n,4"},
      {"CosineSimilarity", Of(nn::CosineSimilarity()), "n,4;n,4"},
      {"PairwiseDistance", Of(nn::PairwiseDistance()), "n,4;n,4"},
  };
}

std::vector<Case> Windows() {
  return {
      {"AvgPool1d", Of(nn::AvgPool1d(2)), "n,3,t"},
      {"AvgPool2d", Of(nn::AvgPool2d(nn::AvgPool2dOptions(3).stride(2).padding(1).count_include_pad(false))),
       "n,3,h,w"},
      {"AvgPool3d", Of(nn::AvgPool3d(2)), "n,3,d,h,w"},
      {"MaxPool1d", Of(nn::MaxPool1d(2)), "n,3,t"},
      {"MaxPool2d", Of(nn::MaxPool2d(nn::MaxPool2dOptions(3).stride(2).padding(1).ceil_mode(true))), "n,3,h,w"},
      {"MaxPool3d", Of(nn::MaxPool3d(2)), "n,3,d,h,w"},
      {"AdaptiveAvgPool1d", Of(nn::AdaptiveAvgPool1d(1)), "n,3,t"},
      {"AdaptiveAvgPool2d", Of(nn::AdaptiveAvgPool2d(1)), "n,3,h,w"},
      {"AdaptiveAvgPool3d", Of(nn::AdaptiveAvgPool3d(1)), "n,3,d,h,w"},
      {"AdaptiveMaxPool1d", Of(nn::AdaptiveMaxPool1d(1)), "n,3,t"},
      {"AdaptiveMaxPool2d", Of(nn::AdaptiveMaxPool2d(1)), "n,3,h,w"},
      {"AdaptiveMaxPool3d", Of(nn::AdaptiveMaxPool3d(1)), "n,3,d,h,w"},
      {"LPPool1d", Of(nn::LPPool1d(2, 3)), "n,3,t"},
      {"LPPool2d", Of(nn::LPPool2d(2, 3)), "n,3,h,w"},
      {"Fold", Of(nn::Fold(nn::FoldOptions({4, 5}, {2, 2}))), "n,8,12"},
      {"Unfold", Of(nn::Unfold(nn::UnfoldOptions({2, 3}).padding(1))), "n,3,8,9"},
      {"ReflectionPad1d", Of(nn::ReflectionPad1d(2)), "n,3,t"},
      {"ReflectionPad2d", Of(nn::ReflectionPad2d(2)), "n,3,h,w"},
      {"ReplicationPad1d", Of(nn::ReplicationPad1d(2)), "n,3,t"},
      {"ReplicationPad2d", Of(nn::ReplicationPad2d(2)), "n,3,h,w"},
      {"ReplicationPad3d", Of(nn::ReplicationPad3d(2)), "n,3,d,h,w"},
      {"ConstantPad1d", Of(nn::ConstantPad1d(2, 3.5)), "n,3,t"},
      {"ConstantPad2d", Of(nn::ConstantPad2d(2, 3.5)), "n,3,h,w"},
      {"ConstantPad3d", Of(nn::ConstantPad3d(2, 3.5)), "n,3,d,h,w"},
      {"ZeroPad2d", Of(nn::ZeroPad2d(nn::ZeroPad2dOptions({1, 2, 3, 0}))), "n,3,h,w"},
      {"PixelShuffle", Of(nn::PixelShuffle(2)), "n,8,h,w"},
      {"PixelUnshuffle", Of(nn::PixelUnshuffle(2)), "n,3,8,6"},
      {"UpsampleNearest", Of(nn::Upsample(nn::UpsampleOptions().scale_factor(std::vector<double>{2, 2}))), "n,3,h,w"},
      {"UpsampleBilinear",
       Of(nn::Upsample(
           nn::UpsampleOptions().scale_factor(std::vector<double>{2, 2}).mode(torch::kBilinear).align_corners(false))),
       "n,3,h,w"},
      {"UpsampleSize", Of(nn::Upsample(nn::UpsampleOptions().size(std::vector<int64_t>{9, 11}))), "n,3,h,w"},
  };
}

std::vector<Case> Activations() {
  return {
      {"ELU", Of(nn::ELU()), "n,4"},
      {"SELU", Of(nn::SELU()), "n,4"},
      {"CELU", Of(nn::CELU(nn::CELUOptions().alpha(0.7))), "n,4"},
      {"GLU", Of(nn::GLU(1)), "n,4"},
      {"GELU", Of(nn::GELU()), "n,4"},
      {"GELUTanh", Of(nn::GELU(nn::GELUOptions().approximate("tanh"))), "n,4"},
      {"Hardshrink", Of(nn::Hardshrink()), "n,4"},
      {"Hardtanh", Of(nn::Hardtanh()), "n,4"},
      {"LeakyReLU", Of(nn::LeakyReLU(nn::LeakyReLUOptions().negative_slope(0.2))), "n,4"},
      {"LogSigmoid", Of(nn::LogSigmoid()), "n,4"},
      {"LogSoftmax", Of(nn::LogSoftmax(1)), "n,4"},
      {"Mish", Of(nn::Mish()), "n,4"},
      {"PReLU", Of(nn::PReLU(nn::PReLUOptions().num_parameters(4))), "n,4,t"},
      {"ReLU", Of(nn::ReLU()), "n,4"},
      {"ReLUInplace", Of(nn::ReLU(true)), "n,4"},
      {"ReLU6", Of(nn::ReLU6()), "n,4"},
      {"RReLU", Of(nn::RReLU()), "n,4"},
      {"SiLU", Of(nn::SiLU()), "n,4"},
      {"Sigmoid", Of(nn::Sigmoid()), "n,4"},
      {"Softmax", Of(nn::Softmax(1)), "n,4"},
      {"Softmax2d", Of(nn::Softmax2d()), "n,4,h,w"},
      {"Softmin", Of(nn::Softmin(1)), "n,4"},
      {"Softplus", Of(nn::Softplus()), "n,4"},
      {"Softshrink", Of(nn::Softshrink()), "n,4"},
      {"Softsign", Of(nn::Softsign()), "n,4"},
      {"Tanh", Of(nn::Tanh()), "n,4"},
      {"Tanhshrink", Of(nn::Tanhshrink()), "n,4"},
      {"Threshold", Of(nn::Threshold(0.1, 20)), "n,4"},
  };
}

std::vector<Case> Sequences() {
  nn::TransformerEncoderLayer encoder_layer(nn::TransformerEncoderLayerOptions(8, 2).dim_feedforward(16));
  nn::TransformerDecoderLayer decoder_layer(nn::TransformerDecoderLayerOptions(8, 2).dim_feedforward(16));
  return {
      {"RNN", Of(nn::RNN(nn::RNNOptions(4, 3).num_layers(2))), "t,n,4"},
      {"RNNRelu", Of(nn::RNN(nn::RNNOptions(4, 3).nonlinearity(torch::kReLU))), "t,n,4"},
      {"LSTM", Of(nn::LSTM(nn::LSTMOptions(4, 3).num_layers(2).bidirectional(true))), "t,n,4"},
      {"LSTMBatchFirst", Of(nn::LSTM(nn::LSTMOptions(4, 3).batch_first(true))), "n,t,4"},
      {"GRU", Of(nn::GRU(nn::GRUOptions(4, 3).batch_first(true))), "n,t,4"},
      {"RNNCell", Of(nn::RNNCell(4, 3)), "n,4"},
      {"LSTMCell", Of(nn::LSTMCell(4, 3)), "n,4"},
      {"GRUCell", Of(nn::GRUCell(4, 3)), "n,4"},
      {"SelfAttention",
       [] {
         nn::MultiheadAttention attention(8, 2);
         TorchProgram program = Of(attention);
         program.run = Call([attention](const Tensor& x) mutable { return attention->forward(x, x, x); }).run;
         return program;
       }(),
       "t,n,8"},
      {"CrossAttention",
       [] {
         nn::MultiheadAttention attention(8, 2);
         TorchProgram program = Of(attention);
         program.run =
             Call([attention](const Tensor& q, const Tensor& kv) mutable { return attention->forward(q, kv, kv); }).run;
         return program;
       }(),
       "t,n,8;s,n,8"},
      {"TransformerEncoderLayer", Of(encoder_layer), "t,n,8"},
      {"TransformerEncoder", Of(nn::TransformerEncoder(nn::TransformerEncoderOptions(encoder_layer, 2))), "t,n,8"},
      {"TransformerDecoderLayer", Of(decoder_layer), "t,n,8;s,n,8"},
      {"Transformer",
       Of(nn::Transformer(
           nn::TransformerOptions(8, 2).num_encoder_layers(1).num_decoder_layers(1).dim_feedforward(16))),
       "t,n,8;s,n,8"},
  };
}

std::vector<Case> Losses() {
  return {
      {"L1Loss", Of(nn::L1Loss()), "n,4;n,4"},
      {"MSELoss", Of(nn::MSELoss()), "n,4;n,4"},
      {"HuberLoss", Of(nn::HuberLoss()), "n,4;n,4"},
      {"SmoothL1Loss", Of(nn::SmoothL1Loss()), "n,4;n,4"},
      {"KLDivLoss", Of(nn::KLDivLoss()), "n,4;p:n,4"},
      {"BCELoss", Of(nn::BCELoss()), "p:n,4;p:n,4"},
      {"BCEWithLogitsLoss", Of(nn::BCEWithLogitsLoss()), "n,4;p:n,4"},
      {"SoftMarginLoss", Of(nn::SoftMarginLoss()), "n,4;n,4"},
      {"HingeEmbeddingLoss", Of(nn::HingeEmbeddingLoss()), "n,4;n,4"},
      {"PoissonNLLLoss", Of(nn::PoissonNLLLoss()), "n,4;p:n,4"},
      {"CosineEmbeddingLoss", Of(nn::CosineEmbeddingLoss()), "n,4;n,4;n"},
      {"MarginRankingLoss", Of(nn::MarginRankingLoss()), "n,4;n,4;n,4"},
      {"TripletMarginLoss", Of(nn::TripletMarginLoss()), "n,4;n,4;n,4"},
      {"CrossEntropyLoss", Of(nn::CrossEntropyLoss()), "n,5,h;i:n,h"},
      {"NLLLoss", Of(nn::NLLLoss()), "n,5;i:n"},
      {"MultiMarginLoss", Of(nn::MultiMarginLoss()), "n,5;i:n"},
      {"MultiLabelSoftMarginLoss", Of(nn::MultiLabelSoftMarginLoss()), "n,4;p:n,4"},
  };
}

std::vector<Case> AllCases() {
  std::vector<Case> all;
  for (auto* cases : {&Layers, &Windows, &Activations, &Sequences, &Losses}) {
    for (Case& one : cases()) all.push_back(std::move(one));
  }
  return all;
}

class Modules : public testing::TestWithParam<int> {};

TEST_P(Modules, GiveWhatTheModelGives) {
  const int opset = GetParam();
  const Sizes example = {{"n", 2}, {"t", 5}, {"s", 7}, {"h", 8}, {"w", 10}, {"d", 6}};
  const std::vector<Sizes> others = {{{"n", 3}, {"t", 9}, {"s", 4}, {"h", 12}, {"w", 13}, {"d", 9}},
                                     {{"n", 5}, {"t", 4}, {"s", 11}, {"h", 17}, {"w", 20}, {"d", 7}},
                                     {{"n", 6}, {"t", 19}, {"s", 3}, {"h", 31}, {"w", 9}, {"d", 12}}};
  torch::manual_seed(0);
  for (const Case& test : AllCases()) {
    SCOPED_TRACE(test.name);
    const std::vector<Described> inputs = Parse(test.inputs);
    tests::Run run = {.examples = Draw(inputs, example), .options = {.opset = opset}};
    for (const Sizes& sizes : others) run.others.push_back(Draw(inputs, sizes));
    for (size_t i = 0; i < inputs.size(); ++i) {
      run.options.inputs.push_back(TensorInput("x" + std::to_string(i), inputs[i].dims));
    }
    const std::string differs = Differs(test.program, run);
    const std::string refused = test.refused;
    if (refused.empty()) {
      EXPECT_EQ(differs, "");
    } else {
      EXPECT_THAT(differs, testing::HasSubstr(refused));
    }
  }
}

// The same program, which reads the memory of its inputs: so it runs with values at all sizes.
TorchProgram WithValues(const TorchProgram& program) {
  TorchProgram reads = program;
  reads.run = [run = program.run](const std::vector<c10::IValue>& values) {
    for (const c10::IValue& value : values) value.toTensor().const_data_ptr();
    return run(values);
  };
  return reads;
}

// Further sizes are tried without memory, where LibTorch can tell types without values; the model is the same.
TEST(ModulesWithoutMemory, GiveTheSameBytes) {
  const Sizes example = {{"n", 2}, {"t", 5}, {"s", 7}, {"h", 8}, {"w", 10}, {"d", 6}};
  torch::manual_seed(0);
  int exported = 0;
  int run_once = 0;
  for (const Case& test : AllCases()) {
    SCOPED_TRACE(test.name);
    const std::vector<Described> inputs = Parse(test.inputs);
    const std::vector<c10::IValue> examples = Draw(inputs, example);
    ExportOptions options = {.opset = 18};
    for (size_t i = 0; i < inputs.size(); ++i) {
      options.inputs.push_back(TensorInput("x" + std::to_string(i), inputs[i].dims));
    }
    int with_values = 0;
    TorchProgram counted = test.program;
    counted.run = [&](const std::vector<c10::IValue>& values) {
      with_values += values[0].toTensor().is_cpu() ? 1 : 0;
      return test.program.run(values);
    };
    const auto model = ExportProgram(counted, examples, options);
    const auto expected = ExportProgram(WithValues(test.program), examples, options);
    ASSERT_EQ(static_cast<bool>(model), static_cast<bool>(expected));
    if (!model) {
      EXPECT_EQ(model.error().Text(), expected.error().Text());
      continue;
    }
    EXPECT_TRUE(*model->Bytes() == *expected->Bytes());
    ++exported;
    run_once += with_values == 1 ? 1 : 0;
    if (with_values > 1) std::cout << test.name << ": " << with_values << " runs with values\n";
  }
  std::cout << run_once << " of " << exported << " ran with values once\n";
  EXPECT_GE(run_once, exported * 3 / 4);
}

INSTANTIATE_TEST_SUITE_P(Opsets, Modules, testing::Values(13, 18, 23));

}  // namespace
}  // namespace onnxport::tests
