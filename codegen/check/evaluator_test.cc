#include "codegen/check/evaluator.h"

#include <gtest/gtest.h>

#include "codegen/load/expression_for_test.h"

namespace onnxport::codegen {
namespace {

constexpr int kOpset = 18;
constexpr ir::DTypeSet kFloat32 = {ir::DType::kFloat32};

// t: a tensor, mask: a tensor or None, n: an int or a size, x: a tensor or a number, xs: a list of tensors
Environment Arguments() {
  const Kind tensor = TensorKind(kTensorTypes);
  Environment names;
  names.Define("t", {.kind = tensor, .let = nullptr, .item = -1});
  names.Define("mask", {.kind = Join(tensor, Of(Kind::kNone)), .let = nullptr, .item = -1});
  names.Define("n", {.kind = Of(Kind::kInt | Kind::kSize), .let = nullptr, .item = -1});
  names.Define("x", {.kind = Join(tensor, Of(Kind::kNumber)), .let = nullptr, .item = -1});
  names.Define("xs", {.kind = ListOf(tensor), .let = nullptr, .item = -1});
  return names;
}

class EvaluatorTest : public testing::Test {
 protected:
  std::string Answer(const std::string& text) {
    Environment names = Arguments();
    const std::vector<Def> none;
    Evaluator evaluator({.opset = kOpset, .compute_in = nullptr, .issues = &issues_, .uncovered = nullptr}, none, none);
    const Kind kind = evaluator.Evaluate(ParseForTest(text), names);
    return ToText(kind) + (kind.May(Kind::kTensor) && !kind.unknown() ? " " + ToText(kind.dtypes) : "");
  }

  Issues issues_;
};

TEST_F(EvaluatorTest, ConditionsNarrowNames) {
  const std::pair<const char*, const char*> kCases[] = {
      {"cast(t, float32)", "a tensor {float32}"},
      {"mask if present(mask) else cast(t, float32)",
       "a tensor {float32, uint8, int8, int16, int32, int64, bool, float16, float64, bfloat16}"},
      {"t if dtype(t) == float32 else cast(t, float32)", "a tensor {float32}"},
      {"t if dtype(t) in [float32, int64] else refuse(\"no\")", "a tensor {float32, int64}"},
      {"t if is_bool(t) and not is_int(t) else refuse(\"no\")", "a tensor {bool}"},
      {"n if is_static(n) else 0", "an int"},
      {"mask or cast(t, float32)",
       "a tensor {float32, uint8, int8, int16, int32, int64, bool, float16, float64, bfloat16}"},
      {"xs[0] if xs else None",
       "a tensor or None {float32, uint8, int8, int16, int32, int64, bool, float16, float64, bfloat16}"},
      {"zip([1], [0.5])[0][1]", "a float"},
      {"shape_tensor(dims(t))", "a tensor {int64}"},
      {"[dim(t, 0)] * 2", "a list of int"},
  };
  for (const auto& [expr, kind] : kCases) EXPECT_EQ(Answer(expr), kind) << expr;
  EXPECT_TRUE(issues_.empty());
}

TEST_F(EvaluatorTest, WhatOnlyOneArmTakesIsNoMistake) {
  Answer("Relu(mask) if present(mask) else t");
  EXPECT_TRUE(issues_.empty());
  Answer("Relu(mask)");
  EXPECT_FALSE(issues_.empty());
}

}  // namespace
}  // namespace onnxport::codegen
