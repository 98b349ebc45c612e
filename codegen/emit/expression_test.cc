#include "codegen/emit/expression.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "codegen/emit/cpp_printer.h"
#include "codegen/load/expression_for_test.h"

namespace onnxport::codegen::expression_test {
namespace {

// The C++ for an expression over x, y and `class`; f is a def of the file.
std::string Written(const std::string& text, Arms* arms = nullptr) {
  const ExprPtr expr = ParseForTest(text);
  const LocalNames names({"x", "y", "i", "a", "b"}, {"f"});
  const ExpressionWriter writer(
      &names, [](const std::string& def) -> DefCall { return {.function = def, .takes_context = true}; }, arms);
  Scope scope;
  for (const char* name : {"x", "y"}) scope.values[name] = {cpp::Name(name)};
  scope.own = {"a_b"};
  const std::string code = cpp::ToText(writer.Value(*expr, scope), 0, ";");
  return code.substr(0, code.size() - 2);
}

struct Writing {
  const char* spec;
  const char* cpp;
};

TEST(Expression, Nodes) {
  const Writing kCases[] = {
      {"Relu(x)", R"(c.op("Relu", {x}))"},
      {"Clip(x, None, 6.0)", R"(c.op("Clip", {x, Val(), 6.0}))"},
      {"Slice(x, starts=y, ends=[1])", R"(c.op("Slice", {x}, {{"starts", y}, {"ends", Vals{1}}}))"},
      {"Cast(x, to=None)", R"(c.op("Cast", {x}))"},
      {"TopK(x, y, outputs=2)", R"(c.ops("TopK", {x, y}, {}, 2))"},
      {"Concat(*x, axis=0)", R"(c.op("Concat", {Splat(x)}, {{"axis", 0}}))"},
      {"Identity([x])", R"(c.op("Identity", {Val(Vals{x})}))"},
      {"com.microsoft.Gelu(x)", R"(c.op("com.microsoft.Gelu", {x}))"},
  };
  for (const Writing& c : kCases) EXPECT_EQ(Written(c.spec), c.cpp) << c.spec;
}

TEST(Expression, ListsAndComprehensions) {
  const Writing kCases[] = {
      {"[]", "Vals{}"},
      {"[x, *y, 1]", "Vals{x} + y + Vals{1}"},
      {"[i + 1 for i in x]", "Map(x, [&](const Val& i) { return i + 1; })"},
      {"[i for i in x if i > 0]", "Filter(x, [&](const Val& i) { return i > 0; })"},
      {"[a for a, b in x]", "Map(x, [&](const Val& a_b_2) { return a_b_2[0]; })"},  // a_b is taken
      {"x[1:]", "x.Slice(1, Val())"},
  };
  for (const Writing& c : kCases) EXPECT_EQ(Written(c.spec), c.cpp) << c.spec;
}

TEST(Expression, OperatorsAndCalls) {
  const Writing kCases[] = {
      {"x // 2 + y ** 2", "FloorDiv(x, 2) + Pow(y, 2)"},
      {"1 / 2", "Val(1) / 2"},  // C++ has its own idea of it
      {"1 not in x", "!Contains(x, 1)"},
      {"x and y", "And(x, [&] { return y; })"},
      {"is_int(x) and not y", "is_int(x) && !y"},
      {"1 if x else 2", "x ? 1 : 2"},
      {"f(x, rank(y))", "f(c, x, rank(y))"},
      {"opset > 12", "c.opset() > 12"},
  };
  for (const Writing& c : kCases) EXPECT_EQ(Written(c.spec), c.cpp) << c.spec;
}

TEST(Expression, TellsOfArms) {
  Arms arms;
  arms.Enter("aten::f");
  EXPECT_EQ(Written("x if y else refuse(\"no\")", &arms), R"(Either("x.yaml:1:1", y) ? x : refuse(Refusing("no")))");
  EXPECT_EQ(Written("[i if i > 0 else x for i in y]", &arms),
            R"(Map(y, [&](const Val& i) { return Either("x.yaml:1:2", i > 0) ? i : x; }))");
  EXPECT_EQ(
      ToText(arms),
      "    {\"x.yaml:1:1 false\", \"aten::f: `y` is false\"},\n    {\"x.yaml:1:1 true\", \"aten::f: `y` is true\"},\n"
      "    {\"x.yaml:1:2 false\", \"aten::f: `i > 0` is false\"},\n    {\"x.yaml:1:2 true\", \"aten::f: `i > 0` is "
      "true\"},\n");
}

}  // namespace
}  // namespace onnxport::codegen::expression_test
