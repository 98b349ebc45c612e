#include "onnxport/expected.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace onnxport {
namespace {

using Number = Expected<int, std::string>;
using Owned = Expected<std::unique_ptr<int>, std::string>;

Number Half(int number) {
  if (number % 2 != 0) return Unexpected(std::string("odd"));
  return number / 2;
}

TEST(Expected, HasAValueOrAnError) {
  const Number even = Half(4);
  ASSERT_TRUE(even.has_value());
  EXPECT_TRUE(even);
  EXPECT_EQ(*even, 2);
  EXPECT_EQ(even.value(), 2);
  EXPECT_EQ(even.value_or(7), 2);
  const Number odd = Half(3);
  ASSERT_FALSE(odd.has_value());
  EXPECT_FALSE(odd);
  EXPECT_EQ(odd.error(), "odd");
  EXPECT_EQ(odd.value_or(7), 7);
  EXPECT_THROW((void)odd.value(), BadExpectedAccess);
}

TEST(Expected, MayHoldOneTypeAsBoth) {
  using Text = Expected<std::string, std::string>;
  const Text value = std::string("a");
  const Text error = Unexpected(std::string("b"));
  EXPECT_EQ(*value, "a");
  EXPECT_EQ(error.error(), "b");
}

TEST(Expected, MovesWhatCannotBeCopied) {
  Owned owned = std::make_unique<int>(5);
  EXPECT_EQ(**owned, 5);
  Owned other = std::move(owned);
  EXPECT_EQ(*other->get(), 5);
  const std::unique_ptr<int> taken = *std::move(other);
  EXPECT_EQ(*taken, 5);
  EXPECT_EQ(*Owned(std::make_unique<int>(6)).value(), 6);
  EXPECT_EQ(Half(1).error(), "odd");
}

}  // namespace
}  // namespace onnxport
