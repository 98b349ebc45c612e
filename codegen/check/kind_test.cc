#include "codegen/check/kind.h"

#include <gtest/gtest.h>

namespace onnxport::codegen {
namespace {

constexpr ir::DTypeSet kFloat32 = {ir::DType::kFloat32};

TEST(Kind, Texts) {
  const std::pair<Kind, const char*> kCases[] = {
      {Of(0), "nothing"},
      {AnyKind(), "anything"},
      {Of(Kind::kInt | Kind::kNone), "an int or None"},
      {Of(Kind::kInt | Kind::kSize), "an int"},
      {Of(Kind::kSize), "a size"},
      {Of(Kind::kHostNumber), "a number"},
      {Of(Kind::kValue), "a tensor or a number"},
      {ListOf(Of(Kind::kInt | Kind::kText)), "a list of int/string"},
      {ListOf(AnyKind()), "a list"},
      {Join(TensorKind(kFloat32), Of(Kind::kFloat | Kind::kNone)), "a tensor, a float or None"},
  };
  for (const auto& [kind, text] : kCases) EXPECT_EQ(ToText(kind), text);
}

TEST(Kind, WhatNeverGivesAValueGoesAnywhereButIsNoNone) {
  const Kind refused = Of(0);
  EXPECT_TRUE(refused.May(Kind::kTensor));
  EXPECT_FALSE(refused.May(Kind::kNone));
  EXPECT_FALSE(refused.Only(Kind::kTensor));
  EXPECT_TRUE(Join(refused, Of(Kind::kInt)).Only(Kind::kInt));
}

TEST(Kind, ListsJoinElementByElementWhenTheyAreAsLong) {
  const Kind pair = ItemsOf({Of(Kind::kInt), Of(Kind::kText)});
  const Kind same = Join(pair, ItemsOf({Of(Kind::kFloat), Of(Kind::kText)}));
  ASSERT_EQ(same.items.size(), 2u);
  EXPECT_EQ(same.items[0].bits, Kind::kInt | Kind::kFloat);
  EXPECT_EQ(same.Element().bits, Kind::kInt | Kind::kFloat | Kind::kText);
  EXPECT_TRUE(Join(pair, ItemsOf({Of(Kind::kBool)})).items.empty());
  EXPECT_EQ(Join(pair, Of(Kind::kNone)).items.size(), 2u);
}

}  // namespace
}  // namespace onnxport::codegen
