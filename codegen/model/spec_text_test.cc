#include "codegen/model/spec_text.h"

#include <gtest/gtest.h>

#include "codegen/load/expression_for_test.h"

namespace onnxport::codegen {
namespace {

TEST(SpecText, IsTheTextWithoutNeedlessParentheses) {
  const char* kTexts[] = {
      "None",
      "-1",
      "1e-05",
      "pi",
      "-inf",
      "\"tan'h\"",
      "float32",
      "opset >= 13",
      "a - b - c",
      "a - (b - c)",
      "a // b * c",
      "a // (b * c)",
      "-a ** b",
      "(-a) ** b",
      "(-1) ** b",
      "a ** -b",
      "a ** b ** c",
      "(a ** b) ** c",
      "2 ** -1",
      "-(a + b)",
      "not a == b",
      "(not a) == b",
      "(a < b) == c",
      "a == (b < c)",
      "a in b and c not in d or not e",
      "(a or b) and c",
      "(a if b else c) + 1",
      "a if b else c if d else e",
      "(a if b else c) if d else e",
      "a if (b if c else d) else e",
      "f(x, -1)",
      "rank(x) - 1",
      "Clip(x, *xs, **k, min=0)",
      "com.microsoft.Gelu(x)",
      "[1, *a, [b]]",
      "[f(i, x) for i, x in enumerate(xs) if i > 0]",
      "[x for x in (a if b else c) if (d if e else x)]",
      "(a + b)[0][1:-1]",
      "a[:]",
      "a[i:j]",
      "{axis: 1, k: a if b else c}",
  };
  for (const char* text : kTexts) {
    const ExprPtr expr = ParseForTest(text);
    ASSERT_NE(expr, nullptr) << text;
    EXPECT_EQ(SpecText(*expr), text);
  }
}

TEST(FloatText, ReadsBackTheSame) {
  const std::pair<double, const char*> kCases[] = {{1, "1.0"}, {0.1, "0.1"}, {1e30, "1e+30"}, {-0.0, "-0.0"}};
  for (const auto& [value, text] : kCases) EXPECT_EQ(FloatText(value), text);
}

}  // namespace
}  // namespace onnxport::codegen
