#include "runtime/ir/until_settled.h"

#include <gtest/gtest.h>

#include <optional>

namespace onnxport::ir {
namespace {

TEST(UntilSettled, EndsWithTheFirstRoundThatFits) {
  int rounds = 0;
  const auto result = UntilSettled([&] { return ++rounds == 3 ? std::optional(7) : std::nullopt; });
  EXPECT_EQ(result, 7);
  EXPECT_EQ(rounds, 3);
}

TEST(UntilSettled, EndsWhereNothingSettles) {
  int rounds = 0;
  EXPECT_EQ(UntilSettled([&] { return ++rounds, std::optional<int>(); }), std::nullopt);
  EXPECT_EQ(rounds, 16);
}

}  // namespace
}  // namespace onnxport::ir
