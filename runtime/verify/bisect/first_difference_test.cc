#include "runtime/verify/bisect/first_difference.h"

#include <gtest/gtest.h>

namespace onnxport::verify {
namespace {

constexpr Finding kAgrees = Finding::kAgrees;
constexpr Finding kDiffers = Finding::kDiffers;
constexpr Finding kUnknown = Finding::kNotCompared;

TEST(FirstDifference, IsWhereAWrongOutputBegins) {
  const struct {
    const char* what;
    std::vector<ComparedStep> steps;
    size_t wrong;
    std::optional<size_t> first;
  } cases[] = {
      {"a chain", {{kAgrees, {}}, {kDiffers, {0}}, {kDiffers, {1}}, {kUnknown, {2}}}, 3, 1},
      {"a difference that nothing comes of", {{kDiffers, {}}, {kAgrees, {0}}, {kDiffers, {1}}, {kUnknown, {2}}}, 3, 2},
      {"one of another output", {{kDiffers, {}}, {kDiffers, {}}, {kUnknown, {0}}, {kUnknown, {1}}}, 3, 1},
      {"by way of what was not compared", {{kDiffers, {}}, {kUnknown, {0}}, {kDiffers, {1}}, {kUnknown, {2}}}, 3, 0},
      {"the first of two", {{kDiffers, {}}, {kDiffers, {}}, {kDiffers, {0, 1}}, {kUnknown, {2}}}, 3, 0},
      {"nothing was compared", {{kUnknown, {}}, {kUnknown, {0}}}, 1, std::nullopt},
      {"all agree but the output", {{kAgrees, {}}, {kUnknown, {0}}}, 1, std::nullopt},
  };
  for (const auto& test : cases) EXPECT_EQ(FirstDifference(test.steps, test.wrong), test.first) << test.what;
}

}  // namespace
}  // namespace onnxport::verify
