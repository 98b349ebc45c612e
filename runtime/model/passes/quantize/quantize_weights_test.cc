#include "runtime/model/passes/quantize/quantize_weights.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "runtime/base/error.h"
#include "runtime/ir/packed_dtype.h"
#include "runtime/model/passes/quantize/quantized_numbers.h"
#include "runtime/model/passes/quantize/quantized_tensor.h"
#include "runtime/testing/graph_builder.h"

namespace onnxport::passes::quantize_weights_test {
namespace {

using ir::DType;
using ir::ValueId;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// Bytes in pieces that are no whole elements.
class Pieces : public ir::TensorBytes {
 public:
  explicit Pieces(std::string bytes) : bytes_(std::move(bytes)) {}
  void Stream(const ir::ByteSink& sink) const override {
    ++readings;
    for (size_t at = 0; at < bytes_.size(); at += 7)
      sink(std::as_bytes(std::span(bytes_).subspan(at, std::min<size_t>(7, bytes_.size() - at))));
  }
  mutable int readings = 0;

 private:
  std::string bytes_;
};

std::shared_ptr<const ir::TensorData> Floats(std::vector<int64_t> shape, const std::vector<float>& elements) {
  return std::make_shared<ir::TensorData>(
      ir::TensorData{DType::kFloat32, std::move(shape), std::make_shared<Pieces>(AsBytes(elements))});
}

template <typename T>
std::vector<T> ElementsOf(const ir::TensorData& data) {
  const std::string bytes = BytesOf(data);
  std::vector<T> elements(bytes.size() / sizeof(T));
  std::memcpy(elements.data(), bytes.data(), bytes.size());
  return elements;
}

// The elements have 4 or 2 bits each; those of float4e2m1 are given as bits.
std::vector<int> PackedOf(const ir::TensorData& data, size_t count) {
  const std::string bytes = BytesOf(data);
  const auto width = static_cast<size_t>(ir::PackedBits(data.dtype));
  const size_t in_byte = 8 / width;
  EXPECT_EQ(bytes.size(), (count + in_byte - 1) / in_byte);
  const bool is_signed = data.dtype == ir::kInt4 || data.dtype == ir::kInt2;
  std::vector<int> elements;
  for (size_t i = 0; i < in_byte * bytes.size(); ++i) {
    const int values = 1 << width;
    const int bits = static_cast<unsigned char>(bytes[i / in_byte]) >> (i % in_byte * width) & (values - 1);
    if (i < count) {
      elements.push_back(is_signed && bits >= values / 2 ? bits - values : bits);
    } else {
      EXPECT_EQ(bits, 0);
    }
  }
  return elements;
}

std::string ErrorText(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(QuantizedTensor, Channels) {
  // A channel of usual numbers, one of zeros, one of halves between two integers, and one of the least numbers.
  const float least = std::numeric_limits<float>::denorm_min();
  const auto source = Floats({4, 3}, {1, -2, 0.5, 0, -0.0F, 0, 127, 0.5, 1.5, least, -3 * least, 0});
  const QuantizedTensor made = QuantizedByChannel(source, 0, "w");
  EXPECT_THAT(ElementsOf<int8_t>(*made.elements), ElementsAre(64, -127, 32, 0, 0, 0, 127, 0, 2, 0, 0, 0));
  EXPECT_THAT(ElementsOf<float>(*made.scales), ElementsAre(2 / 127.0F, 1, 1, 0x1p-126F));
  EXPECT_EQ(made.elements->dtype, DType::kInt8);
  EXPECT_EQ(made.elements->shape, (std::vector<int64_t>{4, 3}));
  EXPECT_EQ(made.scales->shape, std::vector<int64_t>{4});
  EXPECT_EQ(static_cast<const Pieces&>(*source->bytes).readings, 2);
}

TEST(QuantizedTensor, ChannelsOfTheLastAxis) {
  const QuantizedTensor made = QuantizedByChannel(Floats({2, 3}, {1, 20, -3, -127, 2, 12.7F}), 1, "w");
  EXPECT_THAT(ElementsOf<float>(*made.scales), ElementsAre(1, 20 / 127.0F, 12.7F / 127.0F));
  EXPECT_THAT(ElementsOf<int8_t>(*made.elements), ElementsAre(1, 127, -30, -127, 13, 127));
}

// A number of channels or groups that lost what they had, of all.
std::string LossesOf(const std::function<QuantizedTensor(std::shared_ptr<PrecisionLoss>)>& quantize) {
  const auto lost = std::make_shared<PrecisionLoss>("another type");
  const QuantizedTensor made = quantize(lost);
  EXPECT_EQ(lost->Remark(), "");  // nobody has read it
  BytesOf(*made.elements);
  std::string remark = lost->Remark();
  BytesOf(*made.elements);
  EXPECT_EQ(lost->Remark(), remark);  // counted anew
  const size_t from = remark.find("w (");
  if (from == remark.npos) return remark;
  EXPECT_THAT(remark, HasSubstr("or take another type"));
  return remark.substr(from + 3, remark.find(" scales)") - from - 3);
}

TEST(PrecisionLoss, Channels) {
  const float tiny = 1e-39F;  // under the smallest scale
  const std::vector<float> usual = {1, -2, 3, 4, 5, 6, 7, 8};
  const std::vector<float> beside_a_large_one = {1, -2, 3, 4, 5, 6, 7, 3000};
  const std::vector<float> two_stay = {1, -2, 3, 4, 5, 6, 3000, 3000};
  const std::vector<float> zeros = {0, -0.0F, 0, 0, 0, 0, 0, 0};
  const std::vector<float> all = {0, 0, 0, 0, 0, 0, tiny, 0};
  const std::vector<float> seven = {0, -2, 3, 4, 5, 6, 7, 3000};  // too few to say
  std::vector<float> numbers;
  for (const auto* channel : {&usual, &beside_a_large_one, &two_stay, &zeros, &all, &seven})
    numbers.insert(numbers.end(), channel->begin(), channel->end());
  const auto by_rows = [&](auto lost) { return QuantizedByChannel(Floats({6, 8}, numbers), 0, "w", lost); };
  EXPECT_EQ(LossesOf(by_rows), "2 of 6");
  std::vector<float> turned;
  for (size_t i = 0; i < 8; ++i) {
    for (size_t j = 0; j < 6; ++j) turned.push_back(numbers[j * 8 + i]);
  }
  const auto by_columns = [&](auto lost) { return QuantizedByChannel(Floats({8, 6}, turned), 1, "w", lost); };
  EXPECT_EQ(LossesOf(by_columns), "2 of 6");
  const auto fine = [&](auto lost) { return QuantizedByChannel(Floats({1, 8}, usual), 0, "w", lost); };
  EXPECT_EQ(LossesOf(fine), "");
}

TEST(PrecisionLoss, OneIn32OfMany) {
  for (const int64_t large : {2, 3}) {
    std::vector<float> numbers(64, 1);
    for (int64_t i = 0; i < large; ++i) numbers[static_cast<size_t>(i)] = 1e4;
    const auto quantize = [&](auto lost) { return QuantizedByChannel(Floats({1, 64}, numbers), 0, "w", lost); };
    EXPECT_EQ(LossesOf(quantize), large == 2 ? "1 of 1" : "");
  }
}

TEST(PrecisionLoss, Groups) {
  // One of usual numbers, one with an outlier, and one that is nothing beside the rest of the weight.
  const auto source = Floats({3, 8}, {100, -200, 300, 400, 500,  600,  700,  800,  100,  -200, 300,  400,
                                      500, 600,  700, 3e4, 1e-4, 2e-4, 3e-4, 4e-4, 5e-4, 5e-4, 4e-4, 3e-4});
  const struct {
    WeightsAs as;
    const char* lost;
  } cases[] = {{{.type = WeightType::kInt4}, "1 of 3"},  {{.type = WeightType::kInt4, .asymmetric = true}, "1 of 3"},
               {{.type = WeightType::kInt2}, ""},        {{.type = WeightType::kInt2, .asymmetric = true}, ""},
               {{.type = WeightType::kMxfp4}, "1 of 3"}, {{.type = WeightType::kNvfp4}, "2 of 3"}};
  for (const auto& [as, lost] : cases) {
    const auto quantize = [&](auto into) {
      return QuantizedByGroup(source, {.axis = 1, .group = 8, .type = as.type, .asymmetric = as.asymmetric}, "w", into);
    };
    EXPECT_EQ(LossesOf(quantize), lost) << static_cast<int>(as.type);
  }
  // Groups that lie beside each other, of numbers under the smallest scale: of 2 bits, too, nothing is left.
  const auto tiny = [&](auto into) {
    return QuantizedByGroup(Floats({2, 2}, {1e-39F, 1, 1e-39F, -1}), {.axis = 0, .group = 2, .type = WeightType::kInt2},
                            "w", into);
  };
  EXPECT_EQ(LossesOf(tiny), "1 of 2");
}

TEST(QuantizedTensor, Halves) {
  auto data = std::make_shared<ir::TensorData>();
  data->dtype = DType::kFloat16;
  data->shape = {1, 2};
  data->bytes = std::make_shared<Pieces>(AsBytes(std::vector<uint16_t>{0x3c00, 0xc000}));  // 1, -2
  EXPECT_THAT(ElementsOf<int8_t>(*QuantizedByChannel(data, 0, "w").elements), ElementsAre(64, -127));
  data->dtype = DType::kBFloat16;
  data->bytes = std::make_shared<Pieces>(AsBytes(std::vector<uint16_t>{0x3f80, 0xc000}));
  EXPECT_THAT(ElementsOf<int8_t>(*QuantizedByChannel(data, 0, "w").elements), ElementsAre(64, -127));
}

TEST(QuantizedTensor, Groups) {
  // Rows of 5 in groups of 2: the last has one element, and a byte has the end of one row and the begin of the next.
  const auto source = Floats({2, 5}, {7, -3, 0, 0, -14, 7, 2.5, 2.5, 3.5, -0.0F});
  const QuantizedTensor made = QuantizedByGroup(source, {.axis = 1, .group = 2}, "w");
  EXPECT_EQ(made.scales->shape, (std::vector<int64_t>{2, 3}));
  EXPECT_THAT(ElementsOf<float>(*made.scales), ElementsAre(1, 1, 2, 1, 0.5, 1));
  EXPECT_THAT(PackedOf(*made.elements, 10), ElementsAre(7, -3, 0, 0, -7, 7, 2, 5, 7, 0));  // 2.5 goes to the even
  EXPECT_EQ(made.zero_points, nullptr);
  EXPECT_EQ(static_cast<const Pieces&>(*source->bytes).readings, 2);
}

TEST(QuantizedTensor, GroupsOfAnOuterAxis) {
  const QuantizedTensor made =
      QuantizedByGroup(Floats({3, 3}, {7, 1, 3.5, -1, 14, 7, 3, 5, -7}), {.axis = 0, .group = 2}, "w");
  EXPECT_EQ(made.scales->shape, (std::vector<int64_t>{2, 3}));
  EXPECT_THAT(ElementsOf<float>(*made.scales), ElementsAre(1, 2, 1, 3 / 7.0F, 5 / 7.0F, 1));
  EXPECT_THAT(PackedOf(*made.elements, 9), ElementsAre(7, 0, 4, -1, 7, 7, 7, 7, -7));  // 0.5 and 3.5 go to the even
}

TEST(QuantizedTensor, GroupsWithZeroPoints) {
  const QuantizedTensor made =
      QuantizedByGroup(Floats({4, 3}, {0, 15, 7.5, -30, -15, 0, 0, 0, 0, -4, 11, 3}),
                       {.axis = 1, .group = 3, .type = WeightType::kInt4, .asymmetric = true}, "w");
  EXPECT_EQ(made.elements->dtype, ir::kUInt4);
  EXPECT_THAT(ElementsOf<float>(*made.scales), ElementsAre(1, 2, 1, 1));
  EXPECT_THAT(PackedOf(*made.zero_points, 4), ElementsAre(0, 15, 0, 4));
  EXPECT_THAT(PackedOf(*made.elements, 12), ElementsAre(0, 15, 8, 0, 7, 15, 0, 0, 0, 0, 15, 7));
}

TEST(QuantizedTensor, TwoBits) {
  const auto source = Floats({2, 5}, {7, -3, 3.5, 3.6F, -14, 6, 7.5, 0, -1, -0.0F});
  const QuantizedTensor made = QuantizedByGroup(source, {.axis = 1, .group = 2, .type = WeightType::kInt2}, "w");
  EXPECT_EQ(made.elements->dtype, ir::kInt2);
  EXPECT_THAT(ElementsOf<float>(*made.scales), ElementsAre(7, 3.6F, 14, 7.5, 1, 1));
  EXPECT_THAT(PackedOf(*made.elements, 10), ElementsAre(1, 0, 1, 1, -1, 1, 1, 0, -1, 0));
  const QuantizedTensor unsigned_ones = QuantizedByGroup(
      Floats({2, 3}, {0, 6, 3, -4, 2, 0}), {.axis = 1, .group = 3, .type = WeightType::kInt2, .asymmetric = true}, "w");
  EXPECT_EQ(unsigned_ones.elements->dtype, ir::kUInt2);
  EXPECT_THAT(ElementsOf<float>(*unsigned_ones.scales), ElementsAre(2, 2));
  EXPECT_THAT(PackedOf(*unsigned_ones.zero_points, 2), ElementsAre(0, 2));
  EXPECT_THAT(PackedOf(*unsigned_ones.elements, 6), ElementsAre(0, 3, 2, 0, 3, 2));
}

// A number halfway between two goes to the one whose last bit is 0.
TEST(QuantizedNumbers, E2M1) {
  constexpr std::pair<float, int> kCases[] = {
      {0, 0}, {0.25F, 0}, {0.26F, 1}, {0.5F, 1}, {0.75F, 2}, {1, 2}, {1.25F, 2}, {1.26F, 3}, {1.5F, 3}, {1.75F, 4},
      {2, 4}, {2.5F, 4},  {2.6F, 5},  {3, 5},    {3.5F, 6},  {4, 6}, {5, 6},     {5.1F, 7},  {6, 7},    {7.9F, 7}};
  for (const auto& [number, bits] : kCases) {
    EXPECT_EQ(E2M1Bits(number), bits) << number;
    EXPECT_EQ(E2M1Bits(-number), bits + 8) << number;
  }
}

TEST(QuantizedNumbers, E4M3) {
  // Each of them is itself, and the number between two neighbours the even one.
  for (uint8_t bits = 0; bits < 0x7e; ++bits) {
    const float number = E4M3Value(bits);
    const float next = E4M3Value(bits + 1);
    EXPECT_LT(number, next);
    EXPECT_EQ(E4M3Bits(number), bits);
    EXPECT_EQ(E4M3Bits((number + next) / 2), bits + bits % 2) << number;
    EXPECT_EQ(E4M3Bits(std::nextafter((number + next) / 2, 0.0F)), bits) << number;
  }
  EXPECT_EQ(E4M3Value(1), 0x1p-9F);
  EXPECT_EQ(E4M3Value(8), 0x1p-6F);
  EXPECT_EQ(E4M3Value(0x38), 1);
  EXPECT_EQ(E4M3Value(0x7e), 448);
}

TEST(QuantizedTensor, PowersOfTwo) {
  // Up to 7.5: a scale of 1, and numbers beyond 6 become 6. Up to 8: a scale of 2. Zeros: 1, and the least numbers:
  // 2**-126.
  const float least = std::numeric_limits<float>::denorm_min();
  const auto source = Floats({4, 2}, {7.5, -0.3F, 8, 1.5, 0, -0.0F, least, -least});
  const QuantizedTensor made = QuantizedByGroup(source, {.axis = 1, .group = 2, .type = WeightType::kMxfp4}, "w");
  EXPECT_EQ(made.scales->dtype, DType::kFloat8E8M0);
  EXPECT_EQ(made.elements->dtype, ir::kFloat4E2M1);
  EXPECT_EQ(made.scale_scale, nullptr);
  EXPECT_THAT(ElementsOf<uint8_t>(*made.scales), ElementsAre(127, 128, 127, 1));
  EXPECT_THAT(PackedOf(*made.elements, 8), ElementsAre(7, 9, 6, 2, 0, 8, 0, 8));
}

TEST(QuantizedTensor, ScalesInPartsOfOne) {
  // The largest is 6 * 448 * 0.5. Groups have 448 of it, 1 (6 * 0.5), the smallest, and that of zeros.
  const auto source = Floats({4, 2}, {1344, -112, 3, -0.75, 0x1p-20F, 0, 0, 0});
  const QuantizedTensor made = QuantizedByGroup(source, {.axis = 1, .group = 2, .type = WeightType::kNvfp4}, "w");
  EXPECT_EQ(made.scales->dtype, DType::kFloat8E4M3FN);
  ASSERT_NE(made.scale_scale, nullptr);
  EXPECT_EQ(made.scale_scale->shape, std::vector<int64_t>{});
  EXPECT_THAT(ElementsOf<float>(*made.scale_scale), ElementsAre(0.5));
  EXPECT_THAT(ElementsOf<uint8_t>(*made.scales), ElementsAre(0x7e, 0x38, 1, 1));
  EXPECT_THAT(PackedOf(*made.elements, 8), ElementsAre(7, 9, 7, 11, 0, 0, 0, 0));
  // The largest of the tensor once, and what each of the three needs.
  EXPECT_EQ(static_cast<const Pieces&>(*source->bytes).readings, 3);
}

TEST(QuantizedTensor, WhatNoScaleFitsIsAnError) {
  for (const float number : {kInfinity, -kInfinity, std::nanf(""), 0x1.8p126F}) {
    const auto source = Floats({1, 3}, {1, number, 2});
    const QuantizedTensor channels = QuantizedByChannel(source, 0, "fc.weight");
    const QuantizedTensor groups = QuantizedByGroup(source, {.axis = 1, .group = 2}, "fc.weight");
    const QuantizedTensor floats =
        QuantizedByGroup(source, {.axis = 1, .group = 2, .type = WeightType::kNvfp4}, "fc.weight");
    for (const auto& data : {channels.elements, channels.scales, groups.elements, groups.scales, floats.elements,
                             floats.scales, floats.scale_scale}) {
      EXPECT_THAT(ErrorText([&] { BytesOf(*data); }), HasSubstr("weight `fc.weight` has a number that is NaN"))
          << number;
    }
  }
}

TEST(QuantizedTensor, NoElements) {
  const QuantizedTensor made = QuantizedByGroup(Floats({0, 4}, {}), {.axis = 1, .group = 2}, "w");
  EXPECT_EQ(BytesOf(*made.elements), "");
  EXPECT_EQ(BytesOf(*QuantizedByGroup(Floats({3, 0}, {}), {.axis = 1, .group = 2}, "w").scales), "");
  EXPECT_EQ(BytesOf(*QuantizedByChannel(Floats({4, 0}, {}), 0, "w").elements), "");
}

// ---- the pass

std::vector<float> Ramp(size_t count) {
  std::vector<float> numbers;
  for (size_t i = 0; i < count; ++i) numbers.push_back(static_cast<float>(i % 251) - 100);
  return numbers;
}

ValueId Weight(GraphBuilder* b, const std::string& name, const std::vector<int64_t>& shape) {
  size_t count = 1;
  for (const int64_t size : shape) count *= static_cast<size_t>(size);
  return b->Weight(name, shape, AsBytes(Ramp(count)));
}

std::vector<std::string> WeightNames(const ir::Graph& graph) {
  std::vector<std::string> names;
  for (const ir::Weight& weight : graph.weights) names.push_back(weight.name);
  return names;
}

TEST(QuantizeWeights, Products) {
  GraphBuilder b(21);
  const ValueId x = b.Input("x", {2, 32});
  const ValueId product = b.Node("MatMul", {x, Weight(&b, "a", {32, 40})}, "m", {2, 40});
  const ValueId gemm = b.Node("Gemm", {product, Weight(&b, "b", {64, 40}), Weight(&b, "bias", {1, 2048})}, "g", {2, 64},
                              DType::kFloat32, {{"transB", {int64_t{1}}}});
  b.Output(gemm);
  const std::vector<std::string> remarks = QuantizeWeights(&b.graph, {}).remarks;
  EXPECT_THAT(Body(b.graph), HasSubstr("DequantizeLinear"));
  EXPECT_THAT(WeightNames(b.graph), ElementsAre("a.int8", "b.int8", "bias", "a.int8_scale", "b.int8_scale"));
  EXPECT_THAT(remarks, ElementsAre("2 weights are stored as integers of 8 bits: 4256 bytes in place of 15360",
                                   "weights that stay floats: bias (read by Gemm)"));
  ASSERT_EQ(b.graph.body.nodes.size(), 4u);
  // Each right before its reader, with the axis of the result's channels, and giving the value that the weight was.
  const ir::Node& first = b.graph.body.nodes[0];
  EXPECT_EQ(first.op, "DequantizeLinear");
  EXPECT_EQ(std::get<int64_t>(first.attributes[0].value.v), 1);
  EXPECT_EQ(first.outputs[0], *b.graph.body.nodes[1].inputs[1].value());
  EXPECT_EQ(std::get<int64_t>(b.graph.body.nodes[2].attributes[0].value.v), 0);
  EXPECT_EQ(b.graph.value(*first.inputs[0].value()).dtype, DType::kInt8);
}

// A product with two nodes in front of it: of the scales, which are numbers of few bits, too, and of the weight.
TEST(QuantizeWeights, FloatsOfFewBits) {
  GraphBuilder b(24);
  b.Output(b.Node("MatMul", {b.Input("x", {2, 64}), Weight(&b, "w", {64, 40})}, "m", {2, 40}));
  QuantizeWeights(&b.graph, {.as = {.type = WeightType::kNvfp4}});
  EXPECT_THAT(WeightNames(b.graph), ElementsAre("w.float4e2m1", "w.float4e2m1_scale", "w.float4e2m1_scale_scale"));
  EXPECT_EQ(b.graph.weights[1].data->shape, (std::vector<int64_t>{4, 40}));
  ASSERT_EQ(b.graph.body.nodes.size(), 3u);
  EXPECT_EQ(b.graph.body.nodes[0].inputs.size(), 2u);
  EXPECT_TRUE(b.graph.body.nodes[0].attributes.empty());
  EXPECT_EQ(*b.graph.body.nodes[1].inputs[1].value(), b.graph.body.nodes[0].outputs[0]);

  GraphBuilder c(24);
  c.Output(c.Node("MatMul", {c.Input("x", {2, 64}), Weight(&c, "w", {64, 40})}, "m", {2, 40}));
  const auto remarks = QuantizeWeights(&c.graph, {.as = {.type = WeightType::kMxfp4}}).remarks;
  EXPECT_EQ(remarks[0], "1 weights are stored as floats of 4 bits (MXFP4): 1360 bytes in place of 10240");
  EXPECT_THAT(WeightNames(c.graph), ElementsAre("w.float4e2m1", "w.float4e2m1_scale"));
  const ir::Node& node = c.graph.body.nodes[0];
  EXPECT_EQ(std::get<int64_t>(node.attributes[1].value.v), 32);
  EXPECT_EQ(node.attributes[2].name, "output_dtype");
  EXPECT_EQ(std::get<int64_t>(node.attributes[2].value.v), 1);
}

TEST(QuantizeWeights, GroupsRunAlongTheAxisThatIsSummed) {
  GraphBuilder b(21);
  const ValueId x = b.Input("x", {1, 16, 8, 8});
  b.Output(b.Node("Conv", {x, Weight(&b, "w", {16, 16, 3, 3})}, "c", {1, 16, 6, 6}));
  QuantizeWeights(&b.graph, {.as = {.type = WeightType::kInt4, .group = 8, .asymmetric = true}});
  EXPECT_THAT(WeightNames(b.graph), ElementsAre("w.uint4", "w.uint4_scale", "w.uint4_zero"));
  EXPECT_EQ(b.graph.weights[1].data->shape, (std::vector<int64_t>{16, 2, 3, 3}));
  EXPECT_EQ(b.graph.weights[2].data->dtype, ir::kUInt4);
  const ir::Node& node = b.graph.body.nodes[0];
  EXPECT_EQ(node.inputs.size(), 3u);
  EXPECT_EQ(std::get<int64_t>(node.attributes[0].value.v), 1);
  EXPECT_EQ(std::get<int64_t>(node.attributes[1].value.v), 8);
}

// An embedding that is also the last layer's weight, transposed: one weight still, with a scale for each word.
TEST(QuantizeWeights, TiedWeights) {
  GraphBuilder b(21);
  const ValueId ids = b.Input("ids", {5}, DType::kInt64);
  const ValueId table = Weight(&b, "table", {50, 32});
  const ValueId rows = b.Node("Gather", {table, ids}, "rows", {5, 32});
  const ValueId turned = b.Node("Transpose", {table}, "turned", {32, 50});
  b.Output(b.Node("MatMul", {rows, turned}, "logits", {5, 50}));
  QuantizeWeights(&b.graph, {});
  EXPECT_THAT(WeightNames(b.graph), ElementsAre("table.int8", "table.int8_scale"));
  EXPECT_EQ(b.graph.weights[1].data->shape, std::vector<int64_t>{50});
  EXPECT_EQ(b.graph.body.nodes.size(), 4u);
}

// The experts of a mixture: e is theirs, i is summed over.
TEST(QuantizeWeights, Einsum) {
  const auto scales = [](const char* equation, std::vector<int64_t> shape, Quantization wanted) {
    GraphBuilder b(21);
    const ValueId x = b.Input("x", {5, 16});
    b.Output(b.Node("Einsum", {x, Weight(&b, "w", std::move(shape))}, "y", {5, 4, 32}, DType::kFloat32,
                    {{"equation", {std::string(equation)}}}));
    QuantizeWeights(&b.graph, wanted);
    return b.graph.weights.size() < 2 ? std::vector<int64_t>{} : b.graph.weights[1].data->shape;
  };
  EXPECT_THAT(scales("bi,eio->beo", {4, 16, 32}, {}), ElementsAre(32));
  EXPECT_THAT(scales("bi,eoi->beo", {4, 32, 16}, {}), ElementsAre(32));
  EXPECT_THAT(scales("bi,eio->beo", {4, 16, 32}, {.as = {.type = WeightType::kInt4, .group = 8}}),
              ElementsAre(4, 2, 32));
  EXPECT_THAT(scales("bi, eio -> beo", {4, 16, 32}, {}), ElementsAre(32));
  for (const char* equation : {"bi,eio", "bi,eii->be", "...i,eio->...eo", "ei,eio->ei", "bi,eio->b"})
    EXPECT_THAT(scales(equation, {4, 16, 32}, {}), ElementsAre()) << equation;
}

TEST(QuantizeWeights, WhatStays) {
  GraphBuilder b(21);
  const ValueId x = b.Input("x", {32, 32});
  const ValueId small = b.Node("MatMul", {x, Weight(&b, "small", {32, 31})}, "a", {32, 31});
  const ValueId added = b.Node("Add", {x, Weight(&b, "added", {32, 32})}, "b", {32, 32});
  const ValueId kept = b.Node("MatMul", {x, Weight(&b, "head.fc.weight.T", {32, 32})}, "c", {32, 32});
  const ValueId joined = b.Node("MatMul", {x, Weight(&b, "conv.weight+norm.weight", {32, 32})}, "d", {32, 32});
  const ValueId given = Weight(&b, "given", {32, 32});
  const ValueId uses_given = b.Node("MatMul", {x, given}, "e", {32, 32});
  for (const ValueId id : {small, added, kept, joined, uses_given, given}) b.Output(id);
  const auto names = WeightNames(b.graph);
  const auto remarks = QuantizeWeights(&b.graph, {.keep = {"head.*.weight", "norm"}}).remarks;
  EXPECT_EQ(WeightNames(b.graph), names);
  EXPECT_EQ(b.graph.body.nodes.size(), 5u);
  EXPECT_EQ(
      remarks[1],
      "weights that stay floats: added (read by Add), head.fc.weight.T (to be kept), conv.weight+norm.weight (to be "
      "kept), given (read by an output)");
}

TEST(QuantizeWeights, WhatWouldNotBecomeSmallerStays) {
  GraphBuilder b(21);
  const ValueId x = b.Input("x", {1, 256, 8, 8});
  b.Output(b.Node("Conv", {x, Weight(&b, "depthwise", {256, 1, 3, 3})}, "c", {1, 256, 6, 6}));
  EXPECT_EQ(QuantizeWeights(&b.graph, {.as = {.type = WeightType::kInt4}}).remarks[1],
            "weights that stay floats: depthwise (no smaller)");
}

// ONNX Runtime would read other elements of it; of columns, or of 4 bits, it does not.
TEST(QuantizeWeights, RowsOfTwoBitsEndWithAByte) {
  const auto stays = [](WeightType type, std::vector<int64_t> shape, bool turned) {
    GraphBuilder b(25);
    const ValueId w = Weight(&b, "w", shape);
    const ValueId x = b.Input("x", {2, turned ? shape[1] : shape[0]});
    b.Output(b.Node("Gemm", {x, w}, "y", {2, turned ? shape[0] : shape[1]}, DType::kFloat32,
                    {{"transB", {int64_t{turned ? 1 : 0}}}}));
    return QuantizeWeights(&b.graph, {.as = {.type = type}}).remarks.size() == 2;
  };
  EXPECT_TRUE(stays(WeightType::kInt2, {64, 41}, false));
  EXPECT_TRUE(stays(WeightType::kInt2, {64, 42}, false));
  EXPECT_FALSE(stays(WeightType::kInt2, {64, 44}, false));
  EXPECT_FALSE(stays(WeightType::kInt2, {64, 41}, true));
  EXPECT_FALSE(stays(WeightType::kInt4, {64, 41}, false));
}

TEST(QuantizeWeights, HalvesAreMadeOfFloats) {
  GraphBuilder b(21);
  const ValueId x = b.Input("x", {2, 32}, DType::kFloat16);
  const ValueId w = b.Weight("w", {32, 32}, std::string(2048, 0), DType::kFloat16);
  b.Output(b.Node("MatMul", {x, w}, "m", {2, 32}, DType::kFloat16));
  QuantizeWeights(&b.graph, {});
  ASSERT_EQ(b.graph.body.nodes.size(), 3u);
  EXPECT_EQ(b.graph.body.nodes[1].op, "Cast");
  EXPECT_EQ(b.graph.body.nodes[1].outputs[0], w);
}

// In a loop the weight would be made anew each time.
TEST(QuantizeWeights, BlocksReadWhatIsMadeOutside) {
  GraphBuilder b(21);
  const ValueId x = b.Input("x", {32, 32});
  const ValueId condition = b.Input("condition", {}, DType::kBool);
  const ValueId w = Weight(&b, "w", {32, 32});
  const ValueId product = b.Node("MatMul", {x, w}, "m", {32, 32});
  ir::Block side = b.TakeBlock(0, {}, {product});
  ir::Block other = b.TakeBlock(0, {}, {x});
  b.Output(b.Node("If", {condition}, "y", {32, 32}));
  b.AddBlocks({std::move(side), std::move(other)});
  QuantizeWeights(&b.graph, {});
  ASSERT_EQ(b.graph.body.nodes.size(), 2u);
  EXPECT_EQ(b.graph.body.nodes[0].op, "DequantizeLinear");
}

TEST(QuantizeWeights, Mistakes) {
  const auto check = [](const Quantization& wanted, int opset) {
    return ErrorText([&] { CheckQuantization(wanted, opset); });
  };
  EXPECT_EQ(check({}, 13), "no error");
  EXPECT_THAT(check({}, 12), HasSubstr("int8 needs opset 13, not 12"));
  EXPECT_EQ(check({.as = {.type = WeightType::kInt4, .group = 1, .asymmetric = true}}, 21), "no error");
  EXPECT_EQ(check({.as = {.type = WeightType::kInt2, .asymmetric = true}}, 25), "no error");
  EXPECT_THAT(check({.as = {.type = WeightType::kInt2}}, 24), HasSubstr("int2 needs opset 25, not 24"));
  EXPECT_THAT(check({.as = {.type = WeightType::kMxfp4}}, 23), HasSubstr("mxfp4 needs opset 24, not 23"));
  EXPECT_THAT(check({.as = {.type = WeightType::kNvfp4}}, 22), HasSubstr("nvfp4 needs opset 23, not 22"));
  EXPECT_THAT(check({.as = {.type = WeightType::kNvfp4, .group = 32}}, 23),
              HasSubstr("a group of nvfp4 has 16 elements"));
  EXPECT_THAT(check({.as = {.group = 32}}, 23), HasSubstr("int8 has channels, and no groups"));
  EXPECT_THAT(check({.as = {.type = WeightType::kMxfp4, .asymmetric = true}}, 24), HasSubstr("only int4 and int2 are"));
  EXPECT_THAT(check({.as = {.type = WeightType::kInt4}}, 20), HasSubstr("int4 needs opset 21, not 20"));
  EXPECT_THAT(check({.as = {.type = WeightType::kInt4, .group = 0}}, 21),
              HasSubstr("a group has 1 element or more, not 0"));
  EXPECT_THAT(check({.as = {.asymmetric = true}}, 21), HasSubstr("only int4 and int2 are asymmetric"));
  GraphBuilder b(21);
  b.Output(b.Node("MatMul", {b.Input("x", {2, 32}), Weight(&b, "fc.weight", {32, 32})}, "m", {2, 32}));
  EXPECT_THAT(ErrorText([&] { QuantizeWeights(&b.graph, {.keep = {"fd"}}); }),
              HasSubstr("no weight or module is called `fd` (ExportOptions::weights_keep); the model has fc.weight"));
}

}  // namespace
}  // namespace onnxport::passes::quantize_weights_test
