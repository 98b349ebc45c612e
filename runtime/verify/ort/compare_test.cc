#include "runtime/verify/ort/compare.h"

#include <gtest/gtest.h>

#include <cmath>
#include <initializer_list>
#include <limits>
#include <string>

namespace onnxport::ort {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

Tensor Of(std::initializer_list<double> values) {
  Tensor tensor{.name = "t",
                .dtype = ir::DType::kFloat64,
                .shape = {static_cast<int64_t>(values.size())},
                .bytes = std::string(reinterpret_cast<const char*>(values.begin()), values.size() * sizeof(double))};
  return tensor;
}

TEST(Compare, SaysWhatDiffersAndWhereItBegins) {
  const Tolerance tolerance = {.relative = 0.01, .absolute = 0};
  const Comparison found = Compare(Of({1, 2.001, 3.5, 8}), Of({1, 2, 3, 4}), tolerance);
  EXPECT_EQ(found.count, 4U);
  EXPECT_EQ(found.wrong, 2U);
  EXPECT_EQ(found.first, 2U);
  EXPECT_EQ(found.worst, 3U);
  EXPECT_DOUBLE_EQ(found.max_absolute, 4);
  EXPECT_DOUBLE_EQ(found.max_relative, 1);
  EXPECT_FALSE(found.agrees());
}

TEST(Compare, TakesErrorsWithinTheToleranceAlongInItsFigures) {
  const Comparison found = Compare(Of({0.5, 100}), Of({0, 101}), {.relative = 0.1, .absolute = 1});
  EXPECT_TRUE(found.agrees());
  EXPECT_DOUBLE_EQ(found.max_absolute, 1);
  EXPECT_DOUBLE_EQ(found.max_relative, 1.0 / 101) << "of what is expected to be 0 there is none";
}

TEST(Compare, NanEqualsNanAndInfinitiesMustAgree) {
  const struct {
    double actual;
    double expected;
    bool agrees;
  } cases[] = {{kNan, kNan, true},   {kNan, 1, false},   {1, kNan, false},   {kInf, kInf, true},
               {kInf, -kInf, false}, {kInf, 1e9, false}, {1e9, kInf, false}, {-0.0, 0.0, true}};
  for (const auto& test : cases) {
    const Comparison found = Compare(Of({test.actual, 7}), Of({test.expected, 7}), {.relative = 1, .absolute = 1});
    EXPECT_EQ(found.agrees(), test.agrees) << test.actual << " for " << test.expected;
    EXPECT_EQ(found.max_absolute, test.agrees ? 0 : kInf) << test.actual << " for " << test.expected;
  }
}

TEST(Compare, LooksAtTheTypeFirst) {
  Tensor other = Of({1, 2});
  other.shape = {2, 1};
  EXPECT_EQ(Compare(other, Of({1, 2}), {}).type, "got float64[2,1], PyTorch gives float64[2]");
  EXPECT_EQ(Difference(other, Of({1, 2}), {}), "got float64[2,1], PyTorch gives float64[2]");
}

TEST(Difference, ShowsTheWorstElement) {
  EXPECT_EQ(Difference(Of({1, 2, 5}), Of({1, 2.5, 3}), {}),
            "2 of 3 elements of float64[3] differ; worst at 2: got 5, PyTorch gives 3");
}

}  // namespace
}  // namespace onnxport::ort
