#include "runtime/ir/dtype_set.h"

#include <gtest/gtest.h>

namespace onnxport::ir::dtype_set_test {
namespace {

constexpr DTypeSet kSome = {DType::kInt64, DType::kFloat32};

TEST(DTypeSet, ListsItsTypesByNumber) {
  EXPECT_EQ(kSome.ToString(), "float32, int64");
  EXPECT_EQ(DTypeSet().ToString(), "");
}

TEST(DTypeSet, FirstAndSingle) {
  EXPECT_EQ(kSome.first(), DType::kFloat32);
  EXPECT_FALSE(kSome.single());
  EXPECT_TRUE(DTypeSet({DType::kBool}).single());
  EXPECT_EQ(DTypeSet().first(), DType::kUndefined);
  EXPECT_FALSE(DTypeSet().single());
}

TEST(DTypeSet, Operators) {
  EXPECT_EQ(kSome & DTypeSet({DType::kInt64, DType::kBool}), DTypeSet({DType::kInt64}));
  EXPECT_EQ(kSome - DTypeSet({DType::kInt64}), DTypeSet({DType::kFloat32}));
  EXPECT_TRUE((kSome | DTypeSet({DType::kBool})).Has(DType::kBool));
}

}  // namespace
}  // namespace onnxport::ir::dtype_set_test
