#include "runtime/sources/fit/number_fit.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>

namespace onnxport::fit {
namespace {

const Observed kBatch = {4, 7, 8, 9, 11, 6, 14, 3, 10, 13};
const Observed kHeight = {8, 15, 13, 9, 21, 34, 12, 11, 6, 18};
const Observed kWidth = {10, 9, 20, 17, 16, 7, 23, 12, 5, 15};

Observed Map(const std::function<int64_t(int64_t n, int64_t h, int64_t w)>& f) {
  Observed numbers;
  for (size_t i = 0; i < kBatch.size(); ++i) numbers.push_back(f(kBatch[i], kHeight[i], kWidth[i]));
  return numbers;
}

std::string TextOf(const Observed& wanted) {
  const std::vector<Observed> known = {kBatch, kHeight, kWidth};
  const auto found = Fit(wanted, known);
  return found ? ToText(found->formula, {"n", "h", "w"}) : "none";
}

TEST(NumberFit, Finds) {
  const struct {
    Observed wanted;
    const char* text;
  } kCases[] = {
      {Map([](auto, auto, auto) { return 5; }), "5"},
      {kHeight, "h"},
      {Map([](auto n, auto, auto) { return n - 1; }), "(n - 1)"},
      {Map([](auto, auto h, auto) { return 3 * h + 2; }), "((h*3) + 2)"},
      {Map([](auto, auto h, auto) { return h / 2; }), "(h//2)"},
      {Map([](auto, auto h, auto) { return (h + 1) / 2; }), "((h + 1)//2)"},
      {Map([](auto, auto, auto w) { return w % 3; }), "(w%3)"},
      {Map([](auto n, auto h, auto) { return n * h; }), "(n*h)"},
      {Map([](auto n, auto h, auto) { return 6 * n * h; }), "((n*h)*6)"},
      {Map([](auto, auto h, auto w) { return h + w; }), "(h + w)"},
      {Map([](auto, auto h, auto w) { return w - h + 1; }), "((w - h) + 1)"},
      {Map([](auto n, auto h, auto w) { return n * h * w; }), "((n*h)*w)"},
      {Map([](auto, auto h, auto w) { return h * w / 4; }), "((h*w)//4)"},
      {Map([](auto, auto h, auto) { return (4 - h % 4) % 4; }), "((0 - h)%4)"},
      {Map([](auto, auto, auto w) { return (7 - w % 7) % 7; }), "((0 - w)%7)"},
      {Map([](auto, auto h, auto w) { return std::min(h, w); }), "(h min w)"},
      {Map([](auto, auto h, auto w) { return std::max(h, w) - 2; }), "((h max w) - 2)"},
      {Map([](auto, auto h, auto) { return std::min<int64_t>(h, 15); }), "(h min 15)"},
      {Map([](auto n, auto, auto) { return std::max<int64_t>(n, 8); }), "(n max 8)"},
  };
  for (const auto& test : kCases) EXPECT_EQ(TextOf(test.wanted), test.text);
}

// steps*past//8 + 8 gives the same in all runs but the last.
TEST(NumberFit, PrefersWhatDoesNotDivide) {
  const std::vector<Observed> known = {{5, 6, 7, 9, 10, 14}, {6, 7, 5, 13, 11, 16}};
  const auto found = Fit({11, 13, 12, 22, 21, 30}, known);
  ASSERT_TRUE(found);
  EXPECT_EQ(ToText(found->formula, {"steps", "past"}), "(steps + past)");
}

TEST(NumberFit, RefusesWhatTheLastRunContradicts) {
  Observed wanted = Map([](auto n, auto, auto) { return 2 * n; });
  ++wanted.back();
  EXPECT_EQ(TextOf(wanted), "none");
  EXPECT_EQ(TextOf(Map([](auto n, auto h, auto) { return n * n * h % 13; })), "none");
}

// Many formulas give so little.
TEST(NumberFit, RefusesWhatSaysLittle) {
  EXPECT_EQ(TextOf({1, 0, 0, 0, 0, 0, 0, 0, 0, 0}), "none");
  EXPECT_EQ(TextOf(Map([](auto n, auto h, auto) { return n / h; })), "none");
  EXPECT_FALSE(Fit(Map([](auto, auto h, auto) { return h / 2; }), std::vector<Observed>{kHeight})->sure);
  EXPECT_TRUE(Fit(Map([](auto, auto h, auto) { return h * 2; }), std::vector<Observed>{kHeight})->sure);
}

// Half of 7 + a%3. That "a*b*(7 + a%3)" is odd where this is 3 is chance.
TEST(NumberFit, RefusesARemainderByChance) {
  const Observed a = {4, 2, 7, 8, 9, 10, 13, 14, 11, 15};
  const Observed b = {6, 9, 3, 7, 15, 12, 17, 18, 20, 13};
  Observed padded;
  Observed product;
  Observed half;
  for (size_t i = 0; i < a.size(); ++i) {
    padded.push_back(7 + a[i] % 3);
    product.push_back(a[i] * b[i] * padded[i]);
    half.push_back(padded[i] / 2);
  }
  EXPECT_FALSE(Fit(half, std::vector<Observed>{a, b, padded, product}));
}

TEST(NumberFit, NumbersDivideTowardsMinusInfinity) {
  const std::vector<Observed> known = {{-7, 7}};
  const Formula half = {{Step::Kind::kKnown, 0}, {Step::Kind::kNumber, 2}, {Step::Kind::kFloorDiv}};
  EXPECT_EQ(Evaluate(half, known), (Observed{-4, 3}));
  const Formula rest = {{Step::Kind::kKnown, 0}, {Step::Kind::kNumber, 2}, {Step::Kind::kMod}};
  EXPECT_EQ(Evaluate(rest, known), (Observed{1, 1}));
  const Formula never = {{Step::Kind::kKnown, 0}, {Step::Kind::kNumber, 0}, {Step::Kind::kMod}};
  EXPECT_EQ(Evaluate(never, known), std::nullopt);
}

// The formulas that two, three and more runs tell of sizes n and h.
TEST(NumberFit, CandidatesAreThoseThatTheRunsCanTell) {
  const struct {
    Observed n, h, wanted;
    std::vector<std::string> texts;
  } kCases[] = {
      {{2, 3}, {10, 14}, {10, 14}, {"h"}},
      {{2, 3}, {10, 14}, {640, 896}, {"(h*64)"}},
      {{2, 3}, {10, 14}, {20, 42}, {"(n*h)", "(h*n)"}},
      {{2, 3}, {10, 14}, {12, 17}, {"(n + h)", "(h + n)"}},
      {{2, 3}, {10, 14}, {9, 13}, {}},  // h - 1 needs a third
      {{2, 3, 5}, {10, 14, 21}, {9, 13, 20}, {"(h - 1)"}},
      {{2, 3, 5}, {10, 14, 21}, {21, 29, 43}, {}},  // 2*h + 1 a fourth
      {{2, 3, 5, 4}, {10, 14, 21, 8}, {21, 29, 43, 17}, {"((h*2) + 1)", "((h + h) + 1)"}},
      {{2, 3, 5}, {10, 14, 21}, {5, 7, 10}, {}},  // and so does h//2
      {{2, 3, 5, 4}, {10, 14, 21, 9}, {5, 7, 10, 4}, {"(h//2)"}},
      {{2, 4}, {10, 20}, {10, 20}, {"h", "(n*5)"}},  // sizes that say little
      {{2, 4}, {2, 4}, {2, 4}, {"n", "h"}},
  };
  for (const auto& test : kCases) {
    const std::vector<Observed> known = {test.n, test.h};
    std::vector<std::string> texts;
    for (const Formula& formula : Candidates(test.wanted, known)) texts.push_back(ToText(formula, {"n", "h"}));
    EXPECT_EQ(texts, test.texts);
  }
}

}  // namespace
}  // namespace onnxport::fit
