#include "tests/ort/distribution.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <random>
#include <string>

namespace onnxport::ort {
namespace {

Tensor Filled(size_t count, const std::function<float()>& next) {
  Tensor tensor{.name = "t", .dtype = ir::DType::kFloat32, .shape = {static_cast<int64_t>(count)}, .bytes = {}};
  for (size_t i = 0; i < count; ++i) {
    const float value = next();
    tensor.bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  return tensor;
}

template <typename Distribution>
Tensor Draws(Distribution distribution, unsigned seed, size_t count = 2000) {
  std::mt19937 random(seed);
  return Filled(count, [&] { return static_cast<float>(distribution(random)); });
}

TEST(DistributionDifference, OtherDrawsOfTheSameAreTheSame) {
  for (unsigned seed = 1; seed < 20; ++seed) {
    EXPECT_EQ(DistributionDifference(Draws(std::normal_distribution(), seed), Draws(std::normal_distribution(), 99)),
              "");
    // One draw in ten goes beyond half the range of the other draws.
    const std::exponential_distribution tail(1.0);
    EXPECT_EQ(DistributionDifference(Draws(tail, seed), Draws(tail, 99)), "");
    const std::bernoulli_distribution coin(0.3);
    EXPECT_EQ(DistributionDifference(Draws(coin, seed), Draws(coin, 99)), "");
    const std::cauchy_distribution heavy(1.0, 2.0);
    EXPECT_EQ(DistributionDifference(Draws(heavy, seed), Draws(heavy, 99)), "");
  }
}

TEST(DistributionDifference, SeesLocationSpreadShapeAndRange) {
  const Tensor expected = Draws(std::uniform_real_distribution(0.0, 1.0), 1);
  const struct {
    const char* what;
    Tensor actual;
  } others[] = {
      {"location", Draws(std::uniform_real_distribution(0.15, 1.15), 2)},
      {"spread", Draws(std::uniform_real_distribution(-0.2, 1.2), 2)},
      {"shape", Draws(std::normal_distribution(0.5, 0.289), 2)},
      {"range", Filled(2000, [n = 0]() mutable { return n++ == 0 ? 7.0F : static_cast<float>(n) / 2000; })},
      {"NaN", Filled(2000, [] { return std::nanf(""); })},
      {"a constant", Filled(2000, [] { return 0.5F; })},
      {"infinity", Filled(2000, [n = 0]() mutable { return n++ == 0 ? INFINITY : static_cast<float>(n) / 2000; })},
  };
  for (const auto& [what, actual] : others) EXPECT_NE(DistributionDifference(actual, expected), "") << what;
}

TEST(DistributionDifference, SeesHowManyBitsADrawHas) {
  const auto bits = [](unsigned seed, float steps) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> uniform(0, 1);
    return Filled(2000, [&] { return std::floor(uniform(random) * steps) / steps; });
  };
  EXPECT_EQ(DistributionDifference(bits(1, 256), bits(2, 256)), "");
  EXPECT_EQ(DistributionDifference(bits(1, 2048), bits(2, 2048)), "");
  EXPECT_NE(DistributionDifference(bits(1, 256), bits(2, 2048)), "");
  EXPECT_NE(DistributionDifference(bits(1, 2048), bits(2, 256)), "");
}

// Chance decides whether one of them draws a number that float16 cannot hold.
TEST(DistributionDifference, OverflowIsTheEndOfATail) {
  constexpr uint16_t kInfinity = 0x7C00;
  constexpr uint16_t kLargest = 0x7BFF;
  constexpr uint16_t kTail = 0x7000;  // 8192
  const auto draws = [](uint16_t last, size_t how_often) {
    Tensor tensor{.name = "t", .dtype = ir::DType::kFloat16, .shape = {2000}, .bytes = {}};
    for (size_t i = 0; i < 2000; ++i) {
      const uint16_t bits = i < how_often ? last : static_cast<uint16_t>(0x3000 + i);  // from 0.125 to 0.87
      tensor.bytes.append(reinterpret_cast<const char*>(&bits), sizeof bits);
    }
    return tensor;
  };
  EXPECT_EQ(DistributionDifference(draws(kInfinity, 1), draws(kTail, 1)), "");
  EXPECT_EQ(DistributionDifference(draws(kInfinity, 1), draws(kLargest, 1)), "");
  EXPECT_NE(DistributionDifference(draws(kInfinity, 400), draws(kTail, 1)), "");
}

TEST(DistributionDifference, AsksForEnoughDraws) {
  const Tensor few = Draws(std::normal_distribution(), 1, 10);
  EXPECT_EQ(DistributionDifference(few, few), "10 draws say nothing; 500 do");
}

}  // namespace
}  // namespace onnxport::ort
