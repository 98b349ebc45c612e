#include "runtime/ir/dtype.h"

#include <gtest/gtest.h>

#include "runtime/ir/packed_dtype.h"

namespace onnxport::ir::dtype_test {
namespace {

TEST(DType, WordsGoBothWays) {
  for (int i = 1; i <= 26; ++i) {
    const auto dtype = static_cast<DType>(i);
    if (IsPacked(dtype)) continue;
    EXPECT_EQ(DTypeOfNumber(i), dtype);
    EXPECT_EQ(ParseDType(Name(dtype)), dtype);
    EXPECT_EQ(ParseDType(ShortName(dtype)), dtype);
  }
  EXPECT_EQ(ParseDType("float"), std::nullopt);
  EXPECT_EQ(ParseDType(""), std::nullopt);
  EXPECT_EQ(ParseDType("undefined"), std::nullopt);
}

struct Kind {
  DType dtype;
  int64_t bytes;
  bool is_float, is_int, is_complex;
};

TEST(DType, SizesAndKinds) {
  constexpr Kind kKinds[] = {
      {DType::kFloat32, 4, true, false, false},    {DType::kBFloat16, 2, true, false, false},
      {DType::kFloat8E5M2, 1, true, false, false}, {DType::kUInt8, 1, false, true, false},
      {DType::kFloat8E8M0, 1, true, false, false}, {DType::kInt64, 8, false, true, false},
      {DType::kBool, 1, false, false, false},      {DType::kComplex64, 8, false, false, true},
      {DType::kString, 0, false, false, false},    {DType::kUndefined, 0, false, false, false},
  };
  for (const Kind& kind : kKinds) {
    SCOPED_TRACE(Name(kind.dtype));
    EXPECT_EQ(ByteSize(kind.dtype), kind.bytes);
    EXPECT_EQ(IsFloat(kind.dtype), kind.is_float);
    EXPECT_EQ(IsInt(kind.dtype), kind.is_int);
    EXPECT_EQ(IsComplex(kind.dtype), kind.is_complex);
    EXPECT_EQ(IsUnsigned(kind.dtype), kind.dtype == DType::kUInt8);
  }
}

TEST(DType, PackedOnesAreOnlyStored) {
  EXPECT_EQ(Name(kInt4), "int4");
  EXPECT_EQ(Name(kUInt4), "uint4");
  EXPECT_EQ(ByteSize(kInt4), 0);
  EXPECT_FALSE(IsFloat(kInt4));
  EXPECT_EQ(Name(kFloat4E2M1), "float4e2m1");
  EXPECT_EQ(Name(kInt2), "int2");
  for (const char* name : {"int4", "uint4", "int2", "uint2", "float4e2m1"}) EXPECT_EQ(ParseDType(name), std::nullopt);
  for (const int number : {21, 22, 23, 25, 26, 27}) EXPECT_EQ(DTypeOfNumber(number), DType::kUndefined);
  EXPECT_EQ(StoredBytes(kInt4, 5), 3);
  EXPECT_EQ(StoredBytes(kUInt4, 0), 0);
  EXPECT_EQ(StoredBytes(kFloat4E2M1, 6), 3);
  for (const auto& [count, bytes] : {std::pair(0, 0), {1, 1}, {4, 1}, {5, 2}, {8, 2}})
    EXPECT_EQ(StoredBytes(kInt2, count), bytes) << count;
  EXPECT_EQ(StoredBytes(DType::kFloat16, 5), 10);
  EXPECT_EQ(Promote(kInt4, DType::kFloat8E5M2), DType::kUndefined);
}

struct Promotion {
  DType a, b, result;
};

// c10/core/ScalarType.h, the table of promoteTypes.
TEST(DType, Promotes) {
  using enum DType;
  constexpr Promotion kPromotions[] = {
      {kUInt8, kInt8, kInt16},
      {kUInt8, kInt32, kInt32},
      {kInt8, kInt64, kInt64},
      {kBool, kUInt8, kUInt8},
      {kBool, kBool, kBool},
      {kInt64, kFloat16, kFloat16},
      {kBool, kBFloat16, kBFloat16},
      {kFloat16, kBFloat16, kFloat32},
      {kFloat32, kBFloat16, kFloat32},
      {kFloat32, kFloat64, kFloat64},
      {kFloat64, kComplex64, kComplex128},
      {kFloat16, kComplex64, kComplex64},
      {kInt64, kComplex64, kComplex64},
      {kUInt16, kUInt16, kUInt16},
      {kUInt16, kInt32, kUndefined},
      {kUInt16, kFloat32, kFloat32},
      {kUInt16, kComplex64, kUndefined},
      {kUInt16, kBool, kUndefined},
      {kFloat8E4M3FN, kFloat32, kUndefined},
      {kFloat8E4M3FN, kFloat8E4M3FN, kFloat8E4M3FN},
      {kFloat8E8M0, kFloat32, kUndefined},
  };
  for (const Promotion& p : kPromotions) {
    SCOPED_TRACE(std::string(Name(p.a)) + " " + std::string(Name(p.b)));
    EXPECT_EQ(Promote(p.a, p.b), p.result);
    EXPECT_EQ(Promote(p.b, p.a), p.result);
  }
}

}  // namespace
}  // namespace onnxport::ir::dtype_test
