#include "runtime/onnx/elementary.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace onnxport::onnx_ops::elementary_test {
namespace {

constexpr int kTries = 20000;
constexpr double kError = 0x1p-40;

struct Case {
  const char* name;
  std::optional<double> (*ours)(double);
  double (*expected)(double);
  double least;
  double most;
};

double LogOf(double x) { return std::log(x); }
double ExpOf(double x) { return std::exp(x); }
double SinOf(double x) { return std::sin(x); }
double CosOf(double x) { return std::cos(x); }

TEST(ElementaryTest, AgreesWithTheLibrary) {
  const Case cases[] = {
      {"sine", Sine, SinOf, -10, 10},
      {"sine of large angles", Sine, SinOf, -0x1p20, 0x1p20},
      {"cosine", Cosine, CosOf, -10, 10},
      {"cosine of large angles", Cosine, CosOf, -0x1p20, 0x1p20},
      {"exponential", Exponential, ExpOf, -80, 80},
      {"exponential of small numbers", Exponential, ExpOf, -1e-3, 1e-3},
      {"logarithm", Logarithm, LogOf, 0, 1e6},
      {"logarithm of numbers near one", Logarithm, LogOf, 0.999, 1.001},
  };
  std::mt19937 random(1);
  for (const Case& test : cases) {
    std::uniform_real_distribution<double> draw(test.least, test.most);
    for (int i = 0; i < kTries; ++i) {
      const double x = static_cast<float>(draw(random));
      const std::optional<double> y = test.ours(x);
      ASSERT_TRUE(y) << test.name << " " << x;
      ASSERT_LE(std::abs(*y - test.expected(x)), kError * std::abs(test.expected(x))) << test.name << " " << x;
    }
  }
}

TEST(ElementaryTest, PowerAgreesWithTheLibrary) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> base(1e-3, 1e4);
  std::uniform_real_distribution<double> exponent(-8, 8);
  for (int i = 0; i < kTries; ++i) {
    const double x = base(random);
    const double y = exponent(random);
    const std::optional<double> z = Power(x, y);
    ASSERT_TRUE(z);
    ASSERT_LE(std::abs(*z - std::pow(x, y)), kError * std::pow(x, y)) << x << " " << y;
  }
  EXPECT_EQ(Power(-3, 2), 9);
  EXPECT_EQ(Power(-3, 1), -3);
  EXPECT_EQ(Power(7, 0), 1);
}

TEST(ElementaryTest, GivesNothingBeyondItsRange) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double x : {nan, infinity, -infinity, 0x1p21}) {
    EXPECT_FALSE(Sine(x)) << x;
    EXPECT_FALSE(Cosine(x)) << x;
    EXPECT_FALSE(Exponential(x)) << x;
  }
  for (const double x : {nan, infinity, -1.0}) EXPECT_FALSE(Logarithm(x)) << x;
  for (const double zero : {0.0, -0.0}) EXPECT_EQ(Logarithm(zero), -infinity);
  EXPECT_FALSE(Power(0, 0.5));
  EXPECT_FALSE(Power(0, 0));
  EXPECT_FALSE(Power(-2, 0.5));
  EXPECT_FALSE(Power(1e4, 100));
}

}  // namespace
}  // namespace onnxport::onnx_ops::elementary_test
