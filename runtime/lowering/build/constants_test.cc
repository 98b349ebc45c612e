#include "runtime/lowering/build/constants.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "runtime/testing/emitted_graph.h"

namespace onnxport::lowering {
namespace {

using enum DType;

template <typename T>
T Encoded(const Val& number, DType dtype) {
  std::string bytes;
  AppendElement(number, dtype, &bytes);
  T value;
  EXPECT_EQ(bytes.size(), sizeof value);
  std::memcpy(&value, bytes.data(), std::min(bytes.size(), sizeof value));
  return value;
}

struct Half {
  double value;
  uint16_t bits;
};

TEST(Constants, Float16IsRoundedOnceToNearestEven) {
  constexpr Half kCases[] = {
      {0.0, 0x0000},
      {-0.0, 0x8000},
      {1.0, 0x3c00},
      {-2.0, 0xc000},
      {0.1, 0x2e66},
      {65504.0, 0x7bff},
      {65519.99, 0x7bff},
      {65520.0, 0x7c00},
      {1e30, 0x7c00},
      {-1e30, 0xfc00},
      {0x1p-14, 0x0400},
      {0x1p-24, 0x0001},
      {0x1p-25, 0x0000},
      {0x1.8p-25, 0x0001},
      {1 + 0x1p-11, 0x3c00},            // a tie: to even
      {1 + 3 * 0x1p-11, 0x3c02},        // a tie: to even
      {1 + 0x1p-11 + 0x1p-40, 0x3c01},  // float32 would make a tie of it first
      {0x1.ffcp-15 + 0x1p-26, 0x0400},  // rounds up into the normal numbers
      {INFINITY, 0x7c00},
  };
  for (const Half& c : kCases) EXPECT_EQ(Encoded<uint16_t>(c.value, kFloat16), c.bits) << c.value;
  EXPECT_EQ(Encoded<uint16_t>(NAN, kFloat16) & 0x7fff, 0x7e00);
}

TEST(Constants, BFloat16) {
  constexpr Half kCases[] = {
      {1.0, 0x3f80},    {0.1, 0x3dcd},        {-INFINITY, 0xff80},      {3.3895313892515355e38, 0x7f7f},
      {3.5e38, 0x7f80}, {1 + 0x1p-8, 0x3f80}, {1 + 3 * 0x1p-8, 0x3f82}, {1 + 0x1p-8 + 0x1p-40, 0x3f81},
  };
  for (const Half& c : kCases) EXPECT_EQ(Encoded<uint16_t>(c.value, kBFloat16), c.bits) << c.value;
}

TEST(Constants, OtherTypes) {
  EXPECT_EQ(Encoded<float>(0.1, kFloat32), 0.1f);
  EXPECT_EQ(Encoded<float>(-INFINITY, kFloat32), -INFINITY);
  EXPECT_EQ(Encoded<double>(1, kFloat64), 1.0);
  EXPECT_EQ(Encoded<int8_t>(-128, kInt8), -128);
  EXPECT_EQ(Encoded<uint8_t>(255, kUInt8), 255);
  EXPECT_EQ(Encoded<int64_t>(2.0, kInt64), 2);
  EXPECT_EQ(Encoded<int32_t>(true, kInt32), 1);
  EXPECT_EQ(Encoded<uint8_t>(0.5, kBool), 1);
  EXPECT_EQ(ElementBytes(Vals{1, 2}, kUInt8), std::string("\1\2"));
  EXPECT_EQ(ElementBytes(1.5, kComplex64), ElementBytes(Vals{1.5, 0}, kFloat32));
  EXPECT_EQ(ElementBytes(Vals{2, 3}, kComplex128), ElementBytes(Vals{2, 0, 3, 0}, kFloat64));
}

struct Wrong {
  Val value;
  DType dtype;
};

TEST(Constants, RefusesWhatDoesNotFit) {
  const Wrong kCases[] = {
      {0.5, kInt64}, {300, kUInt8},   {-1, kUInt8},      {128, kInt8},      {1e20, kInt64},
      {NAN, kInt32}, {"a", kFloat32}, {1.0, kUndefined}, {Val(), kFloat32},
  };
  for (const Wrong& c : kCases) {
    EXPECT_NE(RefusalOf([&] { ElementBytes(c.value, c.dtype); }), "") << c.value.ToString();
  }
}

TEST(Constants, DefaultDTypes) {
  EXPECT_EQ(DefaultDType(1), kInt64);
  EXPECT_EQ(DefaultDType(1.0), kFloat32);
  EXPECT_EQ(DefaultDType(true), kBool);
  EXPECT_EQ(DefaultDType(Vals{1, 2.0}), kFloat32);
  EXPECT_EQ(DefaultDType(Vals{true, 2}), kInt64);
  EXPECT_EQ(DefaultDType(Vals{}), kInt64);
}

}  // namespace
}  // namespace onnxport::lowering
