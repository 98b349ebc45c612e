#include "runtime/model/serializer/fields.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <span>
#include <string>

#include "runtime/base/error.h"

namespace onnxport::serializer::fields_test {
namespace {

std::string Written(const Fields& fields) {
  std::string text;
  fields.Write([&](std::span<const std::byte> piece) {
    text.append(reinterpret_cast<const char*>(piece.data()), piece.size());
  });
  return text;
}

TEST(Fields, AreMadeAgainOnlyWhereTheyAreLong) {
  const struct {
    size_t most;
    int made;  // for two writes
  } kCases[] = {{6, 1}, {5, 3}, {2, 3}, {0, 3}};
  for (const auto& [most, made] : kCases) {
    int times = 0;
    const auto make = [&](const Fields::Take& take) {
      ++times;
      take("abc");
      take("");
      take("def");
    };
    const Fields fields(make, most);
    EXPECT_EQ(fields.size(), 6) << most;
    EXPECT_EQ(Written(fields), "abcdef") << most;
    EXPECT_EQ(Written(fields), "abcdef") << most;
    EXPECT_EQ(times, made) << most;
  }
}

TEST(Fields, OfATextAreTheText) {
  EXPECT_EQ(Written(Fields()), "");
  const Fields fields(std::string("abc"));
  EXPECT_EQ(fields.size(), 3);
  EXPECT_EQ(Written(fields), "abc");
}

TEST(Fields, ThatChangeAreRefused) {
  std::string text = "abc";
  const Fields fields([&](const Fields::Take& take) { take(text); }, 0);
  text += "d";
  EXPECT_THROW(Written(fields), Error);
}

}  // namespace
}  // namespace onnxport::serializer::fields_test
