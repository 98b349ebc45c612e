#include "codegen/load/test_call.h"

#include <memory>

#include "codegen/model/spec_text.h"
#include "gtest/gtest.h"

namespace onnxport::codegen::test_call_test {
namespace {

const std::vector<std::string> kOperators = {"aten::add.Tensor", "aten::add.Scalar", "aten::any", "aten::any.dim",
                                             "quantized::add"};

TestCase Read(const std::string& text, Diagnostics* diagnostics) {
  const auto file = std::make_shared<const SourceFile>(SourceFile{"x.yaml", text});
  return ReadTestCall(PlacedText(text, {file, 1, 1}), kOperators, diagnostics);
}

TestCase Read(const std::string& text) {
  Diagnostics diagnostics;
  TestCase test = Read(text, &diagnostics);
  EXPECT_EQ(diagnostics.ToText(), "") << text;
  return test;
}

TEST(TestCall, Operators) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(Read("add.Scalar()").operators, Names{"aten::add.Scalar"});
  EXPECT_EQ(Read("any()").operators, Names{"aten::any"});
  EXPECT_EQ(Read("any.dim()").operators, Names{"aten::any.dim"});
  EXPECT_EQ(Read("aten::add()").operators, (Names{"aten::add.Tensor", "aten::add.Scalar"}));
  EXPECT_EQ(Read("quantized::add()").operators, Names{"quantized::add"});
  EXPECT_EQ(Read("each()").operators, kOperators);
}

TEST(TestCall, Arguments) {
  const TestCase t = Read(
      R"(any(f32[2,3] in -1..1, [f32[1], i64[] in 0..1e3], [1,[-2]], None, dim=-1, dtype=float32, s="a, (b", x=1e-5))");
  ASSERT_EQ(t.args.size(), 8u);
  EXPECT_EQ(t.args[0].first, "");
  EXPECT_EQ(t.args[0].second.shape, (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(t.args[0].second.in, std::make_pair(-1.0, 1.0));
  EXPECT_EQ(t.args[1].second.items[1].in, std::make_pair(0.0, 1000.0));
  EXPECT_EQ(t.args[2].second.items[1].items[0].constant->int_value, -2);
  EXPECT_EQ(t.args[3].second.constant->kind, ExprKind::kNone);
  EXPECT_EQ(t.args[4].first, "dim");
  EXPECT_EQ(t.args[4].second.constant->int_value, -1);
  EXPECT_EQ(t.args[5].second.constant->kind, ExprKind::kDType);
  EXPECT_EQ(t.args[6].second.constant->text, "a, (b");
  EXPECT_EQ(t.args[7].second.constant->float_value, 1e-5);
  EXPECT_EQ(t.args[7].second.place.column, 103);
}

TEST(TestCall, ValuesInSteps) {
  const TestCase t = Read("any(i64[3] from 3 to 1, f32[4] from -1.5 to  2e3, f32[2] in 1..1)");
  ASSERT_EQ(t.args.size(), 3u);
  EXPECT_EQ(t.args[0].second.in, std::make_pair(3.0, 1.0));
  EXPECT_TRUE(t.args[0].second.evenly);
  EXPECT_EQ(t.args[1].second.in, std::make_pair(-1.5, 2000.0));
  EXPECT_TRUE(t.args[1].second.evenly);
  EXPECT_FALSE(t.args[2].second.evenly);
}

TEST(TestCall, Words) {
  const TestCase t =
      Read(R"(any(f32[2]) with opset=[9, 11], tol=1e-3, refuses="no, never", compare="shape", special="s", why="w")");
  EXPECT_EQ(t.opsets, (std::vector<int>{9, 11}));
  EXPECT_EQ(t.tolerance, 1e-3);
  EXPECT_EQ(t.refuses, "no, never");
  EXPECT_EQ(t.special, "s");
  EXPECT_EQ(t.compared, Compared::kShape);
  EXPECT_EQ(t.why, "w");
  EXPECT_EQ(Read("any() with opset=9, why=\"w\"").opsets, std::vector<int>{9});
  EXPECT_EQ(Read("any() with compare=\"distribution\"").compared, Compared::kDistribution);
  const TestCase related = Read("any(f32[2]) with holds=[a == matmul(b, c), a * 2 - b == 0]");
  EXPECT_EQ(related.compared, Compared::kRelations);
  ASSERT_EQ(related.holds.size(), 2u);
  EXPECT_EQ(SpecText(*related.holds[0]), "a == matmul(b, c)");
  EXPECT_EQ(Read("any(f32[2]) with holds=a == b").holds.size(), 1u);
  EXPECT_EQ(Read("any() with opset=9, refuses=\"r\"").why, "");
}

struct Mistake {
  const char* text;
  int column;
  const char* message;
};

TEST(TestCall, Mistakes) {
  const Mistake mistakes[] = {
      {"any", 1, "a test is a call"},
      {"any(f32[2]", 1, "a test is a call"},
      {"sub(f32[2])", 1, "`sub` is none of the entry's operators: aten::add.Tensor, "},
      {"any(x=1, 2)", 10, "a positional argument after a named one"},
      {"any(x=1, x=2)", 10, "argument `x` repeats"},
      {"any(f33[2])", 5, "no dtype `f33`"},
      {"any(f32[2)", 10, "expected `,` or `]` in the shape"},
      {"any(f32[2] in 3..-0.5)", 22, "bounds do not fall; for values that do: `from 3 to -0.5`"},
      {"any(f32[2] from 3)", 18, "expected where values begin and end: `from -1 to 1`"},
      {"any(f32[2] from 3 to)", 19, "expected where values begin and end: `from -1 to 1`"},
      {"any(f32[2] from 3 to x)", 22, "expected where values begin and end: `from -1 to 1`"},
      {"any(x + 1)", 7, "a test value is a tensor"},
      {"any([1, 2)", 5, "the list has no closing `]`"},
      {"any(tanh)", 5, "a test value is a tensor"},
      {"any(1) opset=9", 8, "expected the end, or `with"},
      {"any(1) with 9", 13, "after `with` there are words"},
      {"any(1) with opsets=9", 13, "did you mean `opset`?"},
      {"any(1) with opset=0", 19, "an opset is a whole number"},
      {"any(1) with tol=2", 17, "`tol` is a number from 0 to 1"},
      {"any(1) with compare=\"no\"", 21, "`compare` is \"distribution\" for"},
      {"any(1) with opset=9", 8, "say why not every opset"},
      {"any(1) with tol=1e-3", 8, "say why not every opset"},
      {"any(1) with compare=\"shape\"", 8, "say why not every opset"},
      {"any(1) with holds=a", 19, "`holds` states equations"},
      {"any(1) with holds=a == f(b)", 24, "`f` is no function of `holds`; there are matmul, "},
      {"any(1) with holds=a == matmul(b)", 24, "`matmul` takes other arguments"},
      {"any(1) with holds=a == pytorch(a + b)", 24, "`pytorch` takes the name of a result"},
      {"any(1) with holds=a == b / c", 26, "`holds` has names, numbers, `+ - *` and calls"},
      {"any(1) with why=\"w\"", 8, "`why` gives the reason for"},
      {"any(1) with refuses=no", 21, "`refuses` is a text in quotes"},
  };
  for (const Mistake& mistake : mistakes) {
    Diagnostics diagnostics;
    Read(mistake.text, &diagnostics);
    const std::string shown = diagnostics.ToText();
    EXPECT_NE(shown.find("x.yaml:1:" + std::to_string(mistake.column) + ": error: "), std::string::npos) << shown;
    EXPECT_NE(shown.find(mistake.message), std::string::npos) << mistake.text << "\n" << shown;
  }
}

}  // namespace
}  // namespace onnxport::codegen::test_call_test
