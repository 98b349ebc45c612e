#include "runtime/sources/torchscript/syntax/parser.h"

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "gtest/gtest.h"
#include "runtime/base/error.h"
#include "runtime/sources/torchscript/syntax/literals.h"
#include "runtime/sources/torchscript/syntax/type.h"

namespace onnxport::torchscript {
namespace {

// A copy would have another address, by which the interpreter knows what it found out of an expression.
static_assert(!std::is_copy_constructible_v<Expr> && !std::is_copy_assignable_v<Expr>);
static_assert(std::is_nothrow_move_constructible_v<Expr>);

// The one statement of a function, as text.
std::string Again(const std::string& body) {
  const Definitions definitions = Parse("def f(x):\n  " + body + "\n", "m", nullptr);
  const std::string text = ToText(definitions.functions.at(0));
  EXPECT_EQ(ToText(Parse(text, "m", nullptr).functions.at(0)), text);
  return text.substr(text.find('\n') + 3, text.size() - text.find('\n') - 4);
}

std::string ErrorOf(const std::string& text) {
  try {
    Parse(text, "m.n", nullptr);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kBadInput);
    EXPECT_EQ(Number(error.report().diagnostics().front().code), "E0306");
    return error.what();
  }
  return "";
}

TEST(Parser, Statements) {
  const struct {
    std::string source;
    std::string text;  // empty: as the source
  } kCases[] = {
      {"return x", ""},
      {"return", "return None"},
      {"y = (x).forward(a, b, )", "y = x.forward(a, b)"},
      {"a, b = x, y", "a, b = (x, y)"},
      {"k, v, = _10[_11]", "k, v = _10[_11]"},
      {"k, = x", ""},
      {"k = x,", "k = (x,)"},
      {"y : Optional[Tensor] = x", ""},
      {"s.buf = torch.add_(buf, 1)", ""},
      {"y = {\"a\": 1, \"b\": [1, 2, ], }", "y = {\"a\": 1, \"b\": [1, 2]}"},
      {"y = ((x))", "y = x"},
      {"y = ()", ""},
      {"y = getattr(x, \"0\").weight", ""},
      {"y = getattr(x, \"weight\")", "y = x.weight"},
      {"y = torch.ones([2, 1], dtype=None, device=torch.device(\"cpu\"), )",
       "y = torch.ones([2, 1], dtype=None, device=torch.device(\"cpu\"))"},
      {"y = torch.random_(x, from=0)", ""},
      {"y = f(dtype=6)", ""},
      {"y = [1,\n      2,  # why\n  3]", "y = [1, 2, 3]"},
      {"y = -x", "y = -(x)"},
      {"y = -9223372036854775808", ""},
      {"y = 9223372036854775807", ""},
      {"y = (inf, -inf, nan, -0., 1., 1.0000000000000001e-05, 1e+20)", "y = (inf, -inf, nan, -0., 1., 1e-05, 1e+20)"},
      {"y = 1.+2.j", "y = complex(1., 2.)"},
      {"y = -1e-05-2.5j", "y = complex(-1e-05, -2.5)"},
      {"y = x[..., 0]", ""},
      {"if c:\n    pass\n  else:\n    y = x", "if c:\n    pass\n  else:\n    y = x"},
      {"if c:\n    pass\n  elif d:\n    y = x\n  else:\n    y = z",
       "if c:\n    pass\n  else:\n    if d:\n      y = x\n    else:\n      y = z"},
      {"while torch.lt(i, 3):\n    i = torch.add(i, 1)", ""},
      {"for i in range(n):\n\n    # nothing\n    print(i)", "for i in range(n):\n    print(i)"},
      {"for k, v in x:\n    pass", ""},
      {"with o as q:\n    pass", ""},
      {"with o:\n    pass", ""},
      {"def __forked():\n    return s.f(3)", ""},
      {"assert c, \"no\"", "if c:\n    pass\n  else:\n    ops.prim.RaiseException(\"no\")"},
      {"raise Exception(\"bad\")", "ops.prim.RaiseException(\"bad\")"},
      {"del d[1]", "torch.Delete(d, 1)"},
      {"d[1] = x", "torch._set_item(d, 1, x)"},
      {"y = annotate(Dict[str, List[int]], {})", ""},
  };
  for (const auto& row : kCases) EXPECT_EQ(Again(row.source), row.text.empty() ? row.source : row.text);
}

TEST(Parser, Classes) {
  const Definitions definitions = Parse(R"(import __torch__
op_version_set = 1
class M(Module):
  __parameters__ = ["weight", "0", ]
  __buffers__ = ["b", ]
  __annotations__ = []
  __annotations__["0"] = __torch__.Linear
  __forward_hooks__ = []
  weight : Tensor
  groups : Final[int] = 1
  def forward(self: __torch__.M,
    x: Tensor,
    k: Optional[int]=None) -> Tuple[Tensor, int]:
    return (x, 1)
  def g(self: __torch__.M) -> NoneType:
    return None
class P(NamedTuple):
  a : Tensor
  b : int = 3
class Color(Enum):
  RED = 1
  GREEN = "g"
class I(ModuleInterface):
  def f(self, x: Tensor) -> Tensor:
    pass
class O:
  x : int
class Empty(Module):
def free(x: Tensor) -> Tensor:
  return x
)",
                                        "__torch__.a", nullptr);
  ASSERT_EQ(definitions.classes.size(), 6u);
  const Class& module = definitions.classes[0];
  EXPECT_EQ(module.qualified_name, "__torch__.a.M");
  EXPECT_EQ(module.parameters, (std::vector<std::string>{"weight", "0"}));
  EXPECT_EQ(module.buffers, (std::vector<std::string>{"b"}));
  ASSERT_EQ(module.fields.size(), 3u);
  EXPECT_EQ(module.fields[0].name, "0");
  EXPECT_EQ(ToString(ToType(module.fields[0].type)), "__torch__.Linear");
  EXPECT_EQ(ToString(ToType(module.fields[2].type)), "int");
  EXPECT_EQ(module.fields[2].value->integer, 1);
  ASSERT_NE(module.FindMethod("g"), nullptr);
  EXPECT_EQ(module.FindMethod("absent"), nullptr);
  EXPECT_EQ(module.FindMethod("forward")->qualified_name, "__torch__.a.M.forward");
  EXPECT_EQ(ToText(*module.FindMethod("forward")),
            "def forward(self: __torch__.M, x: Tensor, k: Optional[int]=None) -> Tuple[Tensor, int]:\n"
            "  return (x, 1)\n");
  const ClassKind kKinds[] = {ClassKind::kModule,    ClassKind::kNamedTuple, ClassKind::kEnum,
                              ClassKind::kInterface, ClassKind::kClass,      ClassKind::kModule};
  for (size_t i = 0; i < definitions.classes.size(); ++i) EXPECT_EQ(definitions.classes[i].kind, kKinds[i]) << i;
  EXPECT_EQ(definitions.classes[2].fields[1].value->text, "g");
  EXPECT_EQ(definitions.classes[2].fields[1].type.kind, ExprKind::kNone);
  EXPECT_EQ(definitions.functions.at(0).qualified_name, "__torch__.a.free");
}

// A module may be a file of any name.
TEST(Parser, NamesOfModules) {
  const Definitions definitions = Parse(
      "class M(Module):\n"
      "  s : List[__torch__.my-net.Sub]\n"
      "  def f(self: __torch__.my-net.M, x: __torch__.a+b.c%d.N) -> __torch__.e-2.B:\n"
      "    return __torch__.my-net.g(x, -1)\n",
      "__torch__.my-net", nullptr);
  const Class& module = definitions.classes.at(0);
  EXPECT_EQ(module.qualified_name, "__torch__.my-net.M");
  EXPECT_EQ(ToString(ToType(module.fields.at(0).type)), "List[__torch__.my-net.Sub]");
  const Function& method = *module.FindMethod("f");
  EXPECT_EQ(ToString(ToType(*method.params.at(0).type)), "__torch__.my-net.M");
  EXPECT_EQ(ToString(ToType(*method.params.at(1).type)), "__torch__.a+b.c%d.N");
  EXPECT_EQ(ToString(ToType(*method.return_type)), "__torch__.e-2.B");
  EXPECT_NE(ToText(method).find("g(x, -1)"), std::string::npos);
}

TEST(Parser, MinusBelongsToNamesOfModulesOnly) {
  EXPECT_THROW(Parse("def f(x):\n  return x.a-b\n", "m", nullptr), Error);
}

TEST(Parser, Offsets) {
  const std::string text = "def f(x):\n  y = torch.add(x, 1)\n  return y\n";
  const Definitions definitions = Parse(text, "m", nullptr);
  const Function& function = definitions.functions.at(0);
  EXPECT_EQ(text.substr(function.body[0].offset, 1), "y");
  EXPECT_EQ(text.substr(function.body[0].value.offset, 5), "torch");
  EXPECT_EQ(text.substr(function.body[0].value.operands[2].offset, 1), "1");
  EXPECT_EQ(text.substr(function.body[1].offset, 6), "return");
}

TEST(Parser, Types) {
  for (const std::string text : {"Tensor", "Optional[Tensor]", "Dict[str, List[int]]", "Tuple[()]", "Tuple[int]",
                                 "Tuple[Tuple[int, str], Optional[__torch__.a.B]]", "NoneType", "Union[int, str]"}) {
    const Definitions definitions = Parse("def f(x: " + text + "):\n  pass\n", "m", nullptr);
    const Type type = ToType(*definitions.functions.at(0).params.at(0).type);
    EXPECT_EQ(ToString(type), text);
  }
  Expr number;
  number.kind = ExprKind::kInt;
  EXPECT_THROW(ToType(number), Error);
  for (const std::string text : {"Optional", "List", "Dict", "Dict[str]", "Dict[str, int, int]", "Optional[int, str]",
                                 "List[int, int]", "Tensor[int]", "Tuple[Optional]", "Final", "Final[int, int]"}) {
    const Definitions definitions = Parse("def f(x: " + text + "):\n  pass\n", "m", nullptr);
    EXPECT_THROW(ToType(*definitions.functions.at(0).params.at(0).type), Error) << text;
  }
}

TEST(Parser, Errors) {
  const std::string deep(kMaxNesting + 10, '(');
  std::string chain = "x", blocks;
  for (int i = 0; i < kMaxNesting + 10; ++i) {
    chain += ".a";
    blocks += std::string(i + 1, ' ') + "if x:\n";
  }
  std::string elifs = "  if x:\n    pass\n";
  for (int i = 0; i < kMaxNesting + 10; ++i) elifs += "  elif x:\n    pass\n";
  const struct {
    std::string text;
    std::string error;
  } kCases[] = {
      {"import a", "expected the end of the line, found the end of the file"},
      {"import", "expected the end of the line, found the end of the file"},
      {"op_version_set = 1", "expected the end of the line, found the end of the file"},
      {"x = 1\n", "code of m.n, line 1: expected `class` or `def`, found `x`"},
      {"def f(x):\n  y = a + b\n", "line 2: `+` is not in the language of serialized TorchScript"},
      {"def f(x):\n  y = \xc3\xa9\n", "line 2: `a control or non-ASCII byte` is not"},
      {"def f(x):\n\ty = 1\n", "line 2: `a control or non-ASCII byte` is not"},
      {"def f(x):\n  y = 9223372036854775808\n", "line 2: `9223372036854775808` is no 64-bit number"},
      {"def f(x):\n  y = 1.2.3\n", "line 2: `1.2.3` is no 64-bit number"},
      {"def f(x):\n  y = 1x\n", "a letter follows a number"},
      {"def f(x):\n  y = \"\\q\"\n", "an escape that is not known"},
      {"def f(x):\n  y = \"\\777\"\n", "an escape that is not known"},
      {"def f(x):\n  y = \"abc\n", "the string does not end on its line"},
      {"def f(x):\n  y = \"abc\\", "the string does not end on its line"},
      {"def f(x):\n  y = (1, 2\n", "the file ends inside brackets"},
      {"def f(x):\n  y = (1 2)\n", "expected `)`, found `2`"},
      {"def f(x):\n  f(a=1, 2)\n", "expected a named argument, found `2`"},
      {"def f(x):\n    pass\n  pass\n", "line 3: the indentation fits no outer block"},
      {"def f(x):\npass\n", "expected an indented block, found `pass`"},
      {"def f(x):\n  pass", "expected the end of the line, found the end of the file"},
      {"def f(x):\n  1 = x\n", "only names and attributes can be assigned to"},
      {"def f(x):\n  del x\n", "expected an element `x[i]`"},
      {"def f(x):\n  def g(y):\n    pass\n", "a function inside a function has no parameters"},
      {"def f(x):\n  pass\ndef f(x):\n  pass\n", "line 3: `m.n.f` is defined twice"},
      {"class C(Foo):\n  pass\n", "`Foo` is no base class"},
      {"class C:\n  __parameters__ = 3\n", "expected a list of names"},
      {"def f(x):\n  y = x[]\n", "expected an index"},
      {"def f(x):\n  return " + deep + "\n", "nested deeper than 200"},
      {"def f(x):\n  return " + chain + "\n", "nested deeper than 200"},
      {"def f(x):\n" + blocks, "nest"},
      {"def f(x):\n" + elifs, "nested deeper than 200"},
  };
  for (const auto& row : kCases) {
    EXPECT_NE(ErrorOf(row.text).find(row.error), std::string::npos) << row.text.substr(0, 80) << "\n"
                                                                    << ErrorOf(row.text);
  }
}

// Damaged text gives a tree or an Error, nothing else.
TEST(Parser, Mutations) {
  const std::string text =
      "class M(Module):\n  __parameters__ = [\"w\", ]\n  w : Optional[Tensor]\n  def f(self: M,\n    x: Tensor) -> "
      "int:\n"
      "    for i in range(3):\n      k, v, = x[-1]\n      if torch.gt(i, 1.5):\n        y = {1: \"a\\n\\001\"}\n"
      "      else:\n        pass\n    return (x).g(y, dtype=6, )\n";
  std::mt19937 random(7);
  int trees = 0, errors = 0;
  for (int round = 0; round < 4000; ++round) {
    std::string damaged = text;
    for (int i = 0; i < 1 + round % 3; ++i) {
      const size_t at = random() % damaged.size();
      switch (random() % 4) {
        case 0:
          damaged[at] = static_cast<char>(random() % 256);
          break;
        case 1:
          damaged.erase(at, random() % 9);
          break;
        case 2:
          damaged.insert(at, damaged.substr(random() % damaged.size(), random() % 9));
          break;
        default:
          damaged.resize(at + 1);
      }
    }
    try {
      const Definitions definitions = Parse(damaged, "m", nullptr);
      for (const Class& type : definitions.classes) {
        for (const Function& method : type.methods) ToText(method);
      }
      ++trees;
    } catch (const Error&) {
      ++errors;
    }
  }
  EXPECT_GT(trees, 100);
  EXPECT_GT(errors, 1000);
}

TEST(Literals, Strings) {
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  EXPECT_EQ(ReadString(Quote(all)), all);
  EXPECT_EQ(Quote("a\"'\n\x01"), "\"a\\\"'\\n\\001\"");
  EXPECT_EQ(ReadString("'\\x41\\'\\7\\0018'"),
            "A'\x07\x01"
            "8");
  EXPECT_EQ(ReadString("\"\\x4\""), std::nullopt);
  EXPECT_EQ(ReadString("\"\\\""), std::nullopt);
}

TEST(Literals, Floats) {
  for (const double value : {0.1, 1e-5, 1e300, 5e-324, 3.0, -2.5, 1e22, std::numeric_limits<double>::infinity()}) {
    const std::string text = FloatText(std::abs(value));
    EXPECT_EQ(ReadNumber(text, std::signbit(value))->number, value) << text;
  }
  EXPECT_TRUE(std::isnan(ReadNumber("nan", false)->number));
  EXPECT_TRUE(std::signbit(ReadNumber("0.", true)->number));
  EXPECT_EQ(ReadNumber("1e999", false)->number, std::numeric_limits<double>::infinity());
  EXPECT_EQ(ReadNumber("1e-999", false)->number, 0);
  EXPECT_EQ(ReadNumber("1E-999", false)->number, 0);
  EXPECT_EQ(ReadNumber("1E5", false)->kind, ExprKind::kFloat);
  EXPECT_EQ(ReadNumber("1E5", false)->number, 1e5);
  EXPECT_EQ(ReadNumber("1.+2.E-05j", false)->operands[2].number, 2e-5);
}

}  // namespace
}  // namespace onnxport::torchscript
