#include "runtime/model/passes/weights/cast_weights.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "runtime/model/passes/weights/converted_tensor.h"
#include "runtime/model/passes/weights/float8.h"
#include "runtime/testing/graph_builder.h"

namespace onnxport::passes::cast_weights_test {
namespace {

using ir::DType;
using ir::ValueId;

float FromFloat16(uint16_t half) {
  const int exponent = half >> 10 & 31;
  const float fraction = static_cast<float>(half & 1023);
  const float sign = (half & 0x8000) != 0 ? -1.0F : 1.0F;
  return sign * (exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25));
}

float FromBFloat16(uint16_t number) { return std::bit_cast<float>(uint32_t{number} << 16); }

// Each number, what lies in the middle between it and the next, and what lies beside the middle.
TEST(ConvertedTensorTest, RoundsToTheNearest) {
  struct Row {
    uint16_t (*to)(float);
    float (*from)(uint16_t);
    uint16_t largest;
  };
  for (const Row& row : {Row{ToFloat16, FromFloat16, 0x7bff}, Row{ToBFloat16, FromBFloat16, 0x7f7f}}) {
    for (uint16_t number = 0; number < row.largest; ++number) {
      const float here = row.from(number);
      const auto next = static_cast<uint16_t>(number + 1);
      ASSERT_EQ(row.to(here), number);
      ASSERT_EQ(row.to(-here), number | 0x8000);
      const auto middle = static_cast<float>((static_cast<double>(here) + row.from(next)) / 2);
      ASSERT_EQ(row.to(middle), number % 2 == 0 ? number : next) << number;
      ASSERT_EQ(row.to(std::nextafter(middle, 0.0F)), number) << number;
      ASSERT_EQ(row.to(std::nextafter(middle, INFINITY)), next) << number;
    }
    const auto infinite = static_cast<uint16_t>(row.largest + 1);
    EXPECT_EQ(row.to(row.from(row.largest)), row.largest);
    EXPECT_EQ(row.to(std::numeric_limits<float>::max()), infinite);
    EXPECT_EQ(row.to(-INFINITY), infinite | 0x8000);
    EXPECT_GT(row.to(std::numeric_limits<float>::quiet_NaN()), infinite);
    EXPECT_GT(row.to(std::bit_cast<float>(0x7f800001)), infinite);
  }
  EXPECT_EQ(ToFloat16(65519), 0x7bff);
  EXPECT_EQ(ToFloat16(65520), 0x7c00);
}

TEST(CastWeightsTest, ToFewerBytes) {
  struct Row {
    DType from;
    DType to;
    const char* name;  // empty: it stays
  };
  for (const auto& [from, to, name] : {Row{DType::kFloat32, DType::kFloat16, "w.float16"},
                                       {DType::kFloat32, DType::kBFloat16, "w.bfloat16"},
                                       {DType::kFloat64, DType::kFloat32, "w.float32"},
                                       {DType::kFloat16, DType::kFloat32, ""},
                                       {DType::kFloat32, DType::kInt8, ""}}) {
    GraphBuilder b;
    const std::string bytes = from == DType::kFloat64 ? AsBytes<double>({1, -2}) : AsBytes<float>({1, -2});
    const ValueId w = b.Weight("w", {2}, bytes, from);
    b.Output(b.Node("F", {b.Node("Cast", {w}, "c", {2}, to, {{"to", {to}}})}, "y", {2}));
    const bool cast = *name != 0;
    EXPECT_EQ(CastWeights(&b.graph), cast);
    EXPECT_EQ(b.graph.weights[0].name, cast ? name : "w");
    EXPECT_EQ(b.graph.weights[0].data->dtype, cast ? to : from);
    if (to == DType::kFloat16) {
      EXPECT_EQ(BytesOf(*b.graph.weights[0].data), AsBytes<uint16_t>({0x3c00, 0xc000}));
    }
    if (to == DType::kBFloat16) {
      EXPECT_EQ(BytesOf(*b.graph.weights[0].data), AsBytes<uint16_t>({0x3f80, 0xc000}));
    }
    if (from == DType::kFloat64) {
      EXPECT_EQ(BytesOf(*b.graph.weights[0].data), AsBytes<float>({1, -2}));
    }
  }
}

// All numbers of a type without its sign, the middle of each two neighbours, and what lies beside it.
template <const Float8& kType>
void ExpectNearest() {
  const auto value = [](int bits) {
    const int field = bits >> kType.fraction_bits;
    const int fraction = bits & ((1 << kType.fraction_bits) - 1);
    const int whole = field == 0 ? fraction : fraction | 1 << kType.fraction_bits;
    return std::ldexp(static_cast<float>(whole), std::max(field, 1) - kType.bias - kType.fraction_bits);
  };
  for (int bits = 0; bits < kType.largest; ++bits) {
    ASSERT_EQ(ToFloat8<kType>(value(bits)), bits);
    ASSERT_EQ(ToFloat8<kType>(-value(bits)), bits == 0 && !kType.negative_zero ? 0 : bits | 0x80);
    const float middle = (value(bits) + value(bits + 1)) / 2;
    ASSERT_EQ(ToFloat8<kType>(middle), bits + bits % 2);
    ASSERT_EQ(ToFloat8<kType>(std::nextafter(middle, 0.0F)), bits);
    ASSERT_EQ(ToFloat8<kType>(std::nextafter(middle, INFINITY)), bits + 1);
  }
}

TEST(Float8Test, RoundsToTheNearest) {
  ExpectNearest<kE4M3FN>();
  ExpectNearest<kE5M2>();
  ExpectNearest<kE4M3FNUZ>();
  ExpectNearest<kE5M2FNUZ>();
}

TEST(Float8Test, BeyondTheLargest) {
  EXPECT_EQ(ToFloat8<kE4M3FN>(464), 0x7e);
  EXPECT_EQ(ToFloat8<kE4M3FN>(-1e9F), 0xfe);
  EXPECT_EQ(ToFloat8<kE4M3FN>(NAN) & 0x7f, 0x7f);
  EXPECT_EQ(ToFloat8<kE5M2>(61439), 0x7b);
  EXPECT_EQ(ToFloat8<kE5M2>(61440), 0x7c);
  EXPECT_EQ(ToFloat8<kE5M2>(-INFINITY), 0xfc);
  EXPECT_EQ(ToFloat8<kE4M3FNUZ>(-249), 0x80);
  EXPECT_EQ(ToFloat8<kE5M2FNUZ>(INFINITY), 0x80);
  EXPECT_EQ(ToFloat8<kE5M2FNUZ>(-1e-30F), 0);
}

TEST(Float8Test, PowersOfTwo) {
  EXPECT_EQ(ToE8M0(1), 127);
  EXPECT_EQ(ToE8M0(1.49F), 127);
  EXPECT_EQ(ToE8M0(1.5F), 128);
  EXPECT_EQ(ToE8M0(-4), 129);
  EXPECT_EQ(ToE8M0(0), 0);
  EXPECT_EQ(ToE8M0(INFINITY), 0xff);
}

TEST(CastWeightsTest, ToFloat8AsPytorchRounds) {
  for (const bool saturate : {false, true}) {
    GraphBuilder b(19);
    const ValueId w = b.Weight("w", {2}, AsBytes<float>({1, 7e4}));
    const std::vector<ir::Attribute> attributes = {{"to", {DType::kFloat8E5M2}}, {"saturate", {int64_t{saturate}}}};
    b.Output(b.Node("F", {b.Node("Cast", {w}, "c", {2}, DType::kFloat8E5M2, attributes)}, "y", {2}));
    EXPECT_EQ(CastWeights(&b.graph), !saturate);
    if (!saturate) {
      EXPECT_EQ(BytesOf(*b.graph.weights[0].data), "\x3c\x7c");
    }
  }
}

// The bytes stay, and say something else.
TEST(CastWeightsTest, BitCast) {
  GraphBuilder b(26);
  const ValueId scale = b.Weight("scale", {3}, "\x7f\x80\x01", DType::kFloat8E8M0);
  const ValueId bits =
      b.Node("BitCast", {scale}, "bits", {3}, DType::kUInt8, {{"to", {static_cast<int64_t>(DType::kUInt8)}}});
  b.Output(b.Node("Neg", {bits}, "y", {3}, DType::kUInt8));
  EXPECT_TRUE(CastWeights(&b.graph));
  ASSERT_EQ(b.graph.weights.size(), 1u);
  EXPECT_EQ(b.graph.weights[0].name, "scale.uint8");
  EXPECT_EQ(b.graph.weights[0].data->dtype, DType::kUInt8);
  EXPECT_EQ(BytesOf(*b.graph.weights[0].data), "\x7f\x80\x01");
}

}  // namespace
}  // namespace onnxport::passes::cast_weights_test
