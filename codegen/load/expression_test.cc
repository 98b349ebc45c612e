#include "codegen/load/expression.h"

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "gtest/gtest.h"

namespace onnxport::codegen::expression_test {
namespace {

PlacedText At(const std::string& text) {
  return PlacedText(text, Place{std::make_shared<SourceFile>(SourceFile{"x.yaml", text}), 1, 1});
}

std::string Lisp(const Expr& e);

std::string Joined(const Expr& e) {
  std::string text;
  for (const ExprPtr& operand : e.operands) text += " " + Lisp(*operand);
  for (const auto& [name, value] : e.named) text += " " + name + "=" + Lisp(*value);
  return text;
}

// The tree in brackets, so that grouping shows.
std::string Lisp(const Expr& e) {
  switch (e.kind) {
    case ExprKind::kNone:
      return "None";
    case ExprKind::kBool:
      return e.bool_value ? "True" : "False";
    case ExprKind::kInt:
      return fmt::format("{}", e.int_value);
    case ExprKind::kFloat:
      return fmt::format("{}f", e.float_value);
    case ExprKind::kString:
      return "'" + e.text + "'";
    case ExprKind::kName:
      return e.text;
    case ExprKind::kDType:
      return std::string(ir::Name(e.dtype));
    case ExprKind::kOpset:
      return "opset";
    case ExprKind::kNode:
      return "(node " + e.text + Joined(e) + ")";
    case ExprKind::kBuiltin:
      return fmt::format("(builtin {}{})", InfoOf(e.builtin).name, Joined(e));
    case ExprKind::kCall:
      return "(call " + e.text + Joined(e) + ")";
    case ExprKind::kList:
      return "[" + Joined(e) + " ]";
    case ExprKind::kDict:
      return "{" + Joined(e) + " }";
    case ExprKind::kComprehension:
      return fmt::format("(for {}{})", fmt::join(e.names, ","), Joined(e));
    case ExprKind::kStar:
      return "(*" + Joined(e) + ")";
    case ExprKind::kDoubleStar:
      return "(**" + Joined(e) + ")";
    case ExprKind::kConditional:
      return "(if" + Joined(e) + ")";
    case ExprKind::kField:
      return "(field " + e.text + Joined(e) + ")";
    case ExprKind::kUnary:
    case ExprKind::kArithmetic:
    case ExprKind::kComparison:
    case ExprKind::kLogic:
      return fmt::format("({}{})", InfoOf(e.op).text, Joined(e));
    case ExprKind::kIndex:
      return "(index" + Joined(e) + ")";
    case ExprKind::kSlice:
      return "(slice" + Joined(e) + ")";
  }
  return "?";
}

struct Case {
  std::string text, tree;
};
const Case kCases[] = {
    // literals
    {"None", "None"},
    {"True", "True"},
    {"False", "False"},
    {"none", "none"},  // names, as arguments may have them
    {"true or lambda", "(or true lambda)"},
    {"12", "12"},
    {"-12", "-12"},
    {"0", "0"},
    {"9223372036854775807", "9223372036854775807"},
    {"-9223372036854775808", "-9223372036854775808"},
    {"1.5", "1.5f"},
    {"1.", "1f"},
    {".5", "0.5f"},
    {"1e-5", "1e-05f"},
    {"-inf", "-inff"},
    {"inf", "inff"},
    {"nan", "nanf"},
    {"\"a'b\"", "'a'b'"},
    {"'none'", "'none'"},
    {"''", "''"},
    // words with a meaning of their own
    {"float32", "float32"},
    {"opset", "opset"},
    {"pi", "3.141592653589793f"},
    // precedence
    {"a + b * c", "(+ a (* b c))"},
    {"a * b + c", "(+ (* a b) c)"},
    {"a - b - c", "(- (- a b) c)"},
    {"a // b % c / d", "(/ (% (// a b) c) d)"},
    {"-a ** b", "(- (** a b))"},
    {"a ** -b", "(** a (- b))"},
    {"a ** b ** c", "(** a (** b c))"},
    {"-2 ** 2", "(- (** 2 2))"},
    {"2 ** -1", "(** 2 -1)"},
    {"- -1", "(- -1)"},
    {"a - 1", "(- a 1)"},
    {"a -1", "(- a 1)"},
    {"-x[0]", "(- (index x 0))"},
    {"(a + b) * c", "(* (+ a b) c)"},
    {"not a and b", "(and (not a) b)"},
    {"not a == b", "(not (== a b))"},
    {"a or b and c", "(or a (and b c))"},
    {"a and b or c", "(or (and a b) c)"},
    {"not not a", "(not (not a))"},
    {"a + 1 < b * 2", "(< (+ a 1) (* b 2))"},
    {"a in [1, 2]", "(in a [ 1 2 ])"},
    {"a not in b", "(not in a b)"},
    {"not a in b", "(not (in a b))"},
    {"a == 1 and b != 2 or c >= 3", "(or (and (== a 1) (!= b 2)) (>= c 3))"},
    {"a if b else c", "(if a b c)"},
    {"a if b else c if d else e", "(if a b (if c d e))"},
    {"1 + a if b or c else d", "(if (+ 1 a) (or b c) d)"},
    {"(a if b else c) + 1", "(+ (if a b c) 1)"},
    // calls
    {"f()", "(call f)"},
    {"Relu(self)", "(node Relu self)"},
    {"Clip(x, min=a, max=None)", "(node Clip x min=a max=None)"},
    {"com.microsoft.Gelu(x)", "(node com.microsoft.Gelu x)"},
    {"Concat(*[a, b], axis=0)", "(node Concat (* [ a b ]) axis=0)"},
    {"Conv(v, w, **k)", "(node Conv v w (** k))"},
    {"Conv(v, group=1, **k)", "(node Conv v (** k) group=1)"},
    {"rank(x)", "(builtin rank x)"},
    {"f(a, b,)", "(call f a b)"},
    {"f(g(h(x)))", "(call f (call g (call h x)))"},
    {"f(not a)", "(call f (not a))"},
    {"domain(\"com.microsoft\")", "(builtin domain 'com.microsoft')"},
    // lists, dicts, comprehensions
    {"[]", "[ ]"},
    {"[1, *a, 2,]", "[ 1 (* a) 2 ]"},
    {"[0] * n + [1]", "(+ (* [ 0 ] n) [ 1 ])"},
    {"{}", "{ }"},
    {"{group: g, pads: [1]}", "{ group=g pads=[ 1 ] }"},
    {"[f(i) for i in range(n)]", "(for i (call f i) (builtin range n))"},
    {"[a for i, j in z if i > j]", "(for i,j a z (> i j))"},
    {"[a if b else c for i in x]", "(for i (if a b c) x)"},
    {"[[i, j] for i in x]", "(for i [ i j ] x)"},
    // subscripts
    {"a[0]", "(index a 0)"},
    {"r.x", "(field x r)"},
    {"f(a).x[0]", "(index (field x (call f a)) 0)"},
    {"a.b.Op(x).y", "(field y (node a.b.Op x))"},
    {"a[-1][2]", "(index (index a -1) 2)"},
    {"a[1:]", "(slice a 1 None)"},
    {"a[:2]", "(slice a None 2)"},
    {"a[i:j]", "(slice a i j)"},
    {"a[:]", "(slice a None None)"},
    {"dims(x)[2:]", "(slice (builtin dims x) 2 None)"},
    {"[1, 2][0]", "(index [ 1 2 ] 0)"},
    // white space
    {" a+b ", "(+ a b)"},
    {"f(\n  a,\n  b\n)", "(call f a b)"},
};

TEST(Expression, Trees) {
  for (const Case& c : kCases) {
    Diagnostics diagnostics;
    const ExprPtr expr = ParseExpression(At(c.text), &diagnostics);
    ASSERT_NE(expr, nullptr) << c.text << "\n" << diagnostics.ToText();
    EXPECT_EQ(Lisp(*expr), c.tree) << c.text;
  }
}

struct ErrorCase {
  std::string text;
  int column;
  std::string message;
};
const ErrorCase kErrors[] = {
    {"", 1, "expected a value, found the end"},
    {"a +", 4, "expected a value, found the end"},
    {"a b", 3, "expected an operator or the end, found `b`"},
    {"f(a b)", 5, "expected `,` or `)`, found `b`"},
    {"f(a", 4, "expected `,` or `)`, found the end"},
    {"f(a=1, a=2)", 8, "argument `a` repeats"},
    {"f(a=1, 2)", 8, "a positional argument after a named one"},
    {"f(**1)", 5, "the name of a dict"},
    {"f(**None)", 5, "the name of a dict"},
    {"(a, b)", 3, "write a list"},
    {"[a for 1 in x]", 8, "expected a name, found `1`"},
    {"[a for for in x]", 8, "means something else"},
    {"[a for i, i in x]", 11, "`i` repeats"},
    {"[a for i in x for j in y]", 15, "one `for`"},
    {"f(x for x in y)", 5, "a comprehension stands in a list"},
    {"[*a for a in b]", 5, "has no `*`"},
    {"*a", 1, "stands before an argument"},
    {"a < b < c", 7, "comparisons do not chain"},
    {"a not in b in c", 12, "comparisons do not chain"},
    {"a is None", 3, "found `is`"},
    {"a && b", 3, "write `and`"},
    {"a || b", 3, "write `or`"},
    {"!a", 1, "write `not`"},
    {"a ? b", 3, "write `a if condition else b`"},
    {"a; b", 2, "has no `;`"},
    {"a = b", 3, "found `=`"},
    {"x.", 3, "expected the name of a result"},
    {"f(x).(y)", 6, "expected the name of a result"},
    {"f(x)(y)", 5, "only a name can be called"},
    {"None(x)", 5, "`None` is not a function"},
    {"a if b", 7, "expected `else`, found the end"},
    {"a[1, 2]", 4, "one index at a time"},
    {"a[1:2:3]", 6, "a slice has no step"},
    {"a[]", 3, "expected a value, found `]`"},
    {"{a: 1, a: 2}", 8, "key `a` repeats"},
    {"{1: 2}", 2, "a name as key"},
    {"12a", 3, "`a` right after the number 12"},
    {"1.2.3", 4, "`.` right after the number 1.2"},
    {"0x10", 2, "right after the number 0"},
    {"007", 1, "leading zero"},
    {"1_000", 2, "right after the number"},
    {"9223372036854775808", 1, "out of range"},
    {"a - 9223372036854775808", 5, "out of range"},
    {"99999999999999999999999", 1, "out of range"},
    {"1e999", 1, "out of range"},
    {"+1", 1, "leading `+`"},
    {"'abc", 1, "no closing quote"},
    {"'a\\n'", 3, "printable ASCII"},
    {"'a\"b'", 3, "printable ASCII"},
    {"\xC3\xA9", 1, "only ASCII"},
    {"a $ b", 3, "unexpected `$`"},
    {"__import__(\"os\") #", 18, "unexpected `#`"},
    {std::string(65, 'a'), 1, "a name of 65 characters"},
    {std::string(60, '(') + "1" + std::string(60, ')'), 51, "nested deeper than 50"},
    {std::string(5000, '-') + "1", 51, "nested deeper than 50"},
    {std::string(5000, '['), 51, "nested deeper than 50"},
};

TEST(Expression, Errors) {
  for (const ErrorCase& c : kErrors) {
    Diagnostics diagnostics;
    EXPECT_EQ(ParseExpression(At(c.text), &diagnostics), nullptr) << c.text;
    const std::string text = diagnostics.ToText();
    EXPECT_TRUE(text.starts_with(fmt::format("x.yaml:1:{}: error: ", c.column))) << c.text << "\n" << text;
    EXPECT_NE(text.substr(0, text.find('\n')).find(c.message), std::string::npos) << c.text << "\n" << text;
  }
}

TEST(Expression, LongOnesAreRefused) {
  std::string sum = "a";
  for (int i = 0; i < 2000; ++i) sum += "+a";
  std::string nots;
  for (int i = 0; i < 2000; ++i) nots += "not ";
  for (const std::string& text : {sum, nots + "a"}) {
    Diagnostics diagnostics;
    EXPECT_EQ(ParseExpression(At(text), &diagnostics), nullptr);
    EXPECT_NE(diagnostics.ToText().find("name parts of it in `let`"), std::string::npos);
  }
}

TEST(Expression, PlacesOfNodes) {
  Diagnostics diagnostics;
  const ExprPtr expr = ParseExpression(At("Relu(a) + b[0]"), &diagnostics);
  ASSERT_NE(expr, nullptr);
  EXPECT_EQ(expr->place.column, 9);                            // the operator
  EXPECT_EQ(expr->operands[0]->place.column, 1);               // the call
  EXPECT_EQ(expr->operands[0]->operands[0]->place.column, 6);  // its argument
  EXPECT_EQ(expr->operands[1]->place.column, 11);              // what is indexed
}

TEST(Refine, Kinds) {
  struct {
    std::string text;
    RefineKind kind;
  } cases[] = {{"axis(self)", RefineKind::kAxis},       {"axis_list(self)", RefineKind::kAxisList},
               {"must(0.0)", RefineKind::kMust},        {"must([0, 1])", RefineKind::kMust},
               {"must(None)", RefineKind::kMust},       {"ignore", RefineKind::kIgnore},
               {"repeat_to(2)", RefineKind::kRepeatTo}, {"enum({0: \"none\", 1: \"sum\"})", RefineKind::kEnum}};
  for (const auto& c : cases) {
    Diagnostics diagnostics;
    const auto refine = ParseRefine(At(c.text), &diagnostics);
    ASSERT_TRUE(refine) << diagnostics.ToText();
    EXPECT_EQ(refine->kind, c.kind) << c.text;
  }
  Diagnostics diagnostics;
  const auto refine = ParseRefine(At("enum({0: \"none\", -1: \"sum\"})"), &diagnostics);
  ASSERT_EQ(refine->table.size(), 2u);
  EXPECT_EQ(refine->table[1].first->int_value, -1);
  EXPECT_EQ(refine->table[1].second->text, "sum");
}

TEST(Refine, Errors) {
  const ErrorCase cases[] = {{"axes(self)", 1, "unknown refinement"},
                             {"axis", 5, "expected `(`"},
                             {"axis(1)", 6, "the argument whose rank counts"},
                             {"must(x)", 6, "a constant is expected"},
                             {"must(f(1))", 6, "a constant is expected"},
                             {"ignore(x)", 7, "expected an operator or the end"},
                             {"enum({})", 7, "expected a value"},
                             {"enum(0)", 6, "expected `{`"},
                             {"repeat_to()", 11, "expected a value"}};
  for (const ErrorCase& c : cases) {
    Diagnostics diagnostics;
    EXPECT_FALSE(ParseRefine(At(c.text), &diagnostics)) << c.text;
    const std::string text = diagnostics.ToText();
    EXPECT_TRUE(text.starts_with(fmt::format("x.yaml:1:{}: error: ", c.column))) << c.text << "\n" << text;
    EXPECT_NE(text.find(c.message), std::string::npos) << text;
  }
}

TEST(Signature, Forms) {
  Diagnostics diagnostics;
  const auto conv = ParseSignature(At("conv(x, w)"), &diagnostics);
  ASSERT_TRUE(conv);
  EXPECT_EQ(conv->name, "conv");
  EXPECT_EQ(conv->params, (std::vector<std::string>{"x", "w"}));
  EXPECT_TRUE(ParseSignature(At("pi_half()"), &diagnostics)->params.empty());
  for (const char* text : {"conv", "conv(", "conv(x, x)", "conv(1)", "new(x)", "f(None)", "f(x) + 1", "f(x=1)"}) {
    Diagnostics errors;
    EXPECT_FALSE(ParseSignature(At(text), &errors)) << text;
    EXPECT_TRUE(errors.has_errors()) << text;
  }
}

TEST(NewName, Rules) {
  struct {
    std::string name;
    bool good;
  } cases[] = {{"x", true},
               {"n", true},
               {"y", true},
               {"kernel_shape", true},
               {"H", true},
               {"", false},
               {"1x", false},
               {"a-b", false},
               {"a b", false},
               {"_x", false},
               {"a__b", false},
               {"int", false},
               {"new", false},
               {"None", false},
               {"true", false},
               {"none", false},
               {"lambda", false},
               {"if", false},
               {"float32", false},
               {"opset", false},
               {"inf", false},
               {"x;y", false},
               {std::string(65, 'a'), false}};
  for (const auto& c : cases) {
    Diagnostics diagnostics;
    EXPECT_EQ(CheckNewName(At(c.name), &diagnostics), c.good) << c.name;
    EXPECT_EQ(diagnostics.has_errors(), !c.good) << c.name;
  }
}

}  // namespace
}  // namespace onnxport::codegen::expression_test
