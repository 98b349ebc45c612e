#include "runtime/sources/pt2/replay/axis_numbers.h"

#include <gtest/gtest.h>

#include <cmath>

namespace onnxport::pt2::axis_numbers_test {
namespace {

// A tensor of 5 rows, which are free, and 6 columns.
AxisNumbers Five() {
  AxisNumbers numbers;
  numbers.Add({5, 6}, {true, false});
  return numbers;
}

TEST(AxisNumbers, SizesAndWhatIsComputedOfThem) {
  const AxisNumbers numbers = Five();
  for (const double number : {5.0, -5.0, 4.0, 6.0, 10.0, 9.0, 11.0, 25.0, 30.0, 0.2, 0.25, std::sqrt(5), std::log(5),
                              1 / std::sqrt(5), static_cast<double>(static_cast<float>(std::sqrt(5)))}) {
    EXPECT_TRUE(numbers.IsLike(number, false)) << number;
  }
  for (const double number : {0.0, 1.0, -1.0, 2.0, 3.0, 7.0, 8.0, 12.0, 0.5, 1e-5, 9.2e18}) {
    EXPECT_FALSE(numbers.IsLike(number, false)) << number;
  }
  for (const double half : {2.0, 3.0}) EXPECT_TRUE(numbers.IsLike(half, true)) << half;
}

TEST(AxisNumbers, HalvesOfLargeSizes) {
  AxisNumbers numbers;
  numbers.Add({37}, {true});
  EXPECT_TRUE(numbers.IsLike(18, false));
  EXPECT_TRUE(numbers.IsLike(19, false));
  EXPECT_FALSE(numbers.IsLike(20, false));
}

TEST(AxisNumbers, OfSizesThatAreNotFreeOrTellNothing) {
  AxisNumbers numbers;
  numbers.Add({4, -1, 1}, {false, true, true});
  for (const double number : {0.0, 1.0, 2.0, 3.0, 5.0, 8.0}) EXPECT_FALSE(numbers.IsLike(number, true)) << number;
  EXPECT_TRUE(numbers.IsLike(4, true));  // 4 * 1
}

}  // namespace
}  // namespace onnxport::pt2::axis_numbers_test
