#include "codegen/emit/cpp_printer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>

namespace onnxport::codegen::cpp::cpp_printer_test {
namespace {

Expr X(std::string_view name) { return Name(name); }
std::string Line(const Expr& expr) { return ToText({Return(expr)}, 0); }

TEST(Printer, PutsParenthesesWhereTheyAreNeeded) {
  const Expr a = X("a"), b = X("b"), c = X("c");
  EXPECT_EQ(Line(Infix("*", Infix("+", a, b), c)), "return (a + b) * c;\n");
  EXPECT_EQ(Line(Infix("-", a, Infix("-", b, c))), "return a - (b - c);\n");
  EXPECT_EQ(Line(Infix("-", Infix("-", a, b), c)), "return a - b - c;\n");
  EXPECT_EQ(Line(Infix("||", a, Infix("&&", b, c))), "return a || (b && c);\n");
  EXPECT_EQ(Line(Infix("==", Infix("==", a, b), c)), "return (a == b) == c;\n");
  EXPECT_EQ(Line(Prefix("!", Infix("&&", a, b))), "return !(a && b);\n");
  EXPECT_EQ(Line(Prefix("-", Int(-1))), "return -(-1);\n");
  EXPECT_EQ(Line(Method(Infix("+", a, b), "AsList", {})), "return (a + b).AsList();\n");
  EXPECT_EQ(Line(Index(Int(-1), a)), "return (-1)[a];\n");
  EXPECT_EQ(Line(Conditional(a, b, Conditional(b, a, c))), "return a ? b : b ? a : c;\n");
  EXPECT_EQ(Line(Infix("+", Conditional(a, b, c), c)), "return (a ? b : c) + c;\n");
}

TEST(Printer, WritesLiterals) {
  EXPECT_EQ(Line(Text("a \"b\" \\ \n\xC3")), "return \"a \\\"b\\\" \\\\ \\012\\303\";\n");
  EXPECT_EQ(Line(Int(INT64_MIN)), "return INT64_MIN;\n");
  EXPECT_EQ(Line(Float(-0.0)), "return -0.0;\n");
}

TEST(Printer, LambdasLoseTheParametersThatTheyDoNotMention) {
  EXPECT_EQ(Line(Lambda({{"const Val&", "x"}, {"const Val&", "y"}}, "Val", {Return(X("y"))})),
            "return [&](const Val&, const Val& y) -> Val { return y; };\n");
  EXPECT_EQ(Line(Thunk(X("x"))), "return [&] { return x; };\n");
}

Expr Long(const std::string& name) { return Call(name + std::string(30, 'x'), {X("argument"), X("another")}); }

TEST(Printer, BreaksListsAtCommas) {
  EXPECT_EQ(Line(Call("f", {Long("a"), Long("b"), Long("c")})),
            "return f(axxxxxxxxxxxxxxxxxxxxxxxxxxxxxx(argument, another), "
            "bxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx(argument, another),\n"
            "         cxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx(argument, another));\n");
}

TEST(Printer, ALambdaAtTheEndOpensABlock) {
  EXPECT_EQ(ToText({Variable("Lazy", "x", Call("g", {Thunk(Call("f", {Long("a"), Long("b"), X("c")}))}))}, 2),
            "  Lazy x = g([&] {\n"
            "    return f(axxxxxxxxxxxxxxxxxxxxxxxxxxxxxx(argument, another), "
            "bxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx(argument, another), c);\n"
            "  });\n");
}

TEST(Printer, ALambdaOfSeveralStatementsIsIndentedAsTheStatement) {
  const Expr lambda = Lambda({{"const Val&", "x"}}, "Val", {Variable("const Val", "y", X("x")), Return(X("y"))});
  EXPECT_EQ(ToText({Variable("const auto", "f", lambda)}, 2),
            "  const auto f = [&](const Val& x) -> Val {\n    const Val y = x;\n    return y;\n  };\n");
}

TEST(Printer, EachArmOfAConditionalHasALine) {
  EXPECT_EQ(Line(Conditional(X("k"), Long("a"), Conditional(X("l"), Long("b"), Long("c")))),
            "return k ? axxxxxxxxxxxxxxxxxxxxxxxxxxxxxx(argument, another)\n"
            "       : l ? bxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx(argument, another)\n"
            "       : cxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx(argument, another);\n");
}

TEST(Printer, StaysWithinTheColumns) {
  Expr deep = X("x");
  for (int i = 0; i < 5; ++i) deep = Call("function_" + std::to_string(i), {deep, Long("a"), Infix("+", deep, deep)});
  std::istringstream lines(ToText({Variable("const Val", "y", deep)}, 2));
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 120u) << line;
}

TEST(Printer, BreaksLongTextsAtSpaces) {
  std::string text = "word";
  for (int i = 0; i < 30; ++i) text += " word";
  const std::string code = Line(Call("f", {Braces({Text(text)})}));
  std::istringstream lines(code);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 120u) << line;
  EXPECT_EQ(std::ranges::count(code, '"'), 4) << code;
  EXPECT_NE(code.find(" word \"\n    \"word "), std::string::npos) << code;
}

TEST(Printer, ACallThatCannotBeginInALineStandsInTheNext) {
  const Expr left = Call("f", {Long("a"), Long("b"), Long("c"), X(std::string(62, 'l'))});
  std::istringstream lines(Line(Infix("*", left, Call("constant", {Long("d")}))));
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 120u) << line;
}

TEST(Printer, Functions) {
  const Function function = MakeFunction("Vals", "f", {{"Context&", "c"}, {"const Val&", "x"}},
                                         {If(X("x"), {Return(Braces({X("x")}))}), Return(Object("Vals", {}))});
  EXPECT_EQ(ToText(function),
            "Vals f(Context&, const Val& x) {\n  if (x) {\n    return {x};\n  }\n  return Vals{};\n}\n");
}

}  // namespace
}  // namespace onnxport::codegen::cpp::cpp_printer_test
