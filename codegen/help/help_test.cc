// Explain and Complete at a place, which `^` marks: the cursor stands where it is taken out.
#include "codegen/help/help.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "codegen/declare/declare.h"
#include "codegen/load/load.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace onnxport::codegen::help_test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::Not;
using testing::StartsWith;

Libraries TestLibraries() {
  Diagnostics diagnostics;
  const char* sums =
      "# How much it is.\nspec: 1\nfamily: sums\nops:\n# Twice as much.\n- def: twice(x)\n  emit: x + x\n";
  const char* signs = "spec: 1\nfamily: signs\nops:\n- def: minus(x)\n  emit: -x\n";
  return Libraries({*LoadSpecFile("spec/lib/sums.yaml", sums, &diagnostics),
                    *LoadSpecFile("spec/lib/signs.yaml", signs, &diagnostics)},
                   &diagnostics);
}

const std::string kHeader = R"(spec: 1
family: x
import: [sums]

ops:
)";

// Before and after it stand items with mistakes.
std::string FileWith(const std::string& item) {
  return kHeader + "- op: aten::relu\n  emit: Relu(self\n" + item + "- op: aten::nothing_like_it\n  emti: [\n";
}

struct At {
  std::string text;
  int line;
  int column;
};

At Marked(std::string text) {
  const size_t at = text.find('^');
  if (at == std::string::npos) throw std::runtime_error("no `^`");
  text.erase(at, 1);
  const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<ptrdiff_t>(at), '\n');
  const size_t begin = text.rfind('\n', at == 0 ? 0 : at - 1);
  return {text, static_cast<int>(line), static_cast<int>(at - (begin == std::string::npos ? 0 : begin + 1)) + 1};
}

std::string ExplainIn(const std::string& item) {
  const At at = Marked(FileWith(item));
  return Explain({"x.yaml", at.text}, TestLibraries(), at.line, at.column);
}

std::vector<std::string> NamesIn(const std::string& item) {
  const At at = Marked(FileWith(item));
  std::vector<std::string> names;
  for (const Completion& completion : Complete({"x.yaml", at.text}, TestLibraries(), at.line, at.column)) {
    names.push_back(completion.name);
    EXPECT_FALSE(completion.what.empty()) << completion.name;
  }
  return names;
}

std::string Softmax(const std::string& line, const std::string& marked) {
  std::string item = R"(- op: aten::softmax.int
  args:
    dim: axis(self)
  let:
    x: cast(self, dtype)
    y: twice(x)
  cases:
    - when: opset >= 13
      emit: Softmax(y, axis=dim)
    - emit: Flatten(x, axis=dim)
)";
  const size_t at = item.find(line);
  if (at == std::string::npos) throw std::runtime_error(line);
  return item.replace(at, line.size(), marked);
}

TEST(Explain, KeysOfTheLanguage) {
  EXPECT_EQ(ExplainIn(Softmax("  args:", "  a^rgs:")),
            "key `args`: what an argument is turned into, or must be; see below\n");
  EXPECT_EQ(ExplainIn(Softmax("- when", "- wh^en")), "key `when`: the case is taken when it holds; absent: always\n");
  EXPECT_EQ(
      ExplainIn("- op: aten::sum\n  promote: {of: [self], ki^nd: float}\n  emit: self\n"),
      "key `kind`: `float`: integers become float32 first. `bool`: the dtype in which two operands are compared\n");
}

TEST(Explain, ArgumentsWithTheirTypeAndKinds) {
  const std::string text = ExplainIn(Softmax("cast(self", "cast(se^lf"));
  EXPECT_THAT(text, HasSubstr("self: argument `Tensor self` of aten::softmax.int\n"));
  EXPECT_THAT(text, HasSubstr("opset 7 to "));
  EXPECT_THAT(text, HasSubstr(": a tensor of {"));
  // Refined: no more what the schema says.
  EXPECT_THAT(ExplainIn(Softmax("axis=dim)\n    -", "axis=d^im)\n    -")), HasSubstr(": an int\n"));
}

TEST(Explain, TheKindAtThePlaceAndNotElsewhere) {
  const std::string entry =
      "- op: aten::relu\n  cases:\n    - when: opset >= 14\n      emit: Relu(self)\n"
      "    - when: is_int(self)\n      emit: cast(Relu(cast(MARK, float32)), int64)\n    - emit: Relu(OTHER)\n";
  const auto at = [&](const std::string& mark, const std::string& other) {
    std::string text = entry;
    text.replace(text.find("MARK"), 4, mark);
    text.replace(text.find("OTHER"), 5, other);
    return ExplainIn(text);
  };
  EXPECT_THAT(at("s^elf", "self"), HasSubstr("opset 7 to 13: a tensor of {uint8, int8, int16, int32, int64}"));
  EXPECT_THAT(at("self", "s^elf"), Not(HasSubstr("int64")));
}

TEST(Explain, ResultsByTheirNames) {
  const std::string entry = "- op: aten::topk\n  emit:\n    MARK\n";
  const auto at = [&](const std::string& mark) {
    std::string text = entry;
    return text.replace(text.find("MARK"), 4, mark);
  };
  EXPECT_EQ(ExplainIn(at("ind^ices: k")), "indices: result `Tensor indices` of aten::topk\n");
  EXPECT_THAT(ExplainIn(at("indices: k^")), StartsWith("k: argument `SymInt k` of aten::topk\n"));
  EXPECT_THAT(ExplainIn(at("- k^")), StartsWith("k: argument `SymInt k` of aten::topk\n"));
  EXPECT_THAT(NamesIn(at("values: k\n    ^")), ElementsAre("indices"));
  EXPECT_THAT(NamesIn("- op: aten::topk\n  emit: {in^}\n"), ElementsAre("indices"));
  EXPECT_THAT(NamesIn(at("values: larg^")), ElementsAre("largest"));
  EXPECT_THAT(NamesIn(at("- larg^")), ElementsAre("largest"));
}

TEST(Explain, LetsAndDefinitions) {
  EXPECT_THAT(ExplainIn(Softmax("twice(x)", "twice(x^)")), HasSubstr("x: let at line 12: `cast(self, dtype)`\n"));
  EXPECT_THAT(ExplainIn(Softmax("    y: ", "    ^y: ")), HasSubstr("y: let at line 13: `twice(x)`\n  opset 13 to "));
  EXPECT_EQ(ExplainIn(Softmax("twice(x)", "tw^ice(x)")),
            "twice: definition `twice(x)` at spec/lib/sums.yaml:6: Twice as much.\n");
}

// The header has mistakes, too: an unknown library.
const std::string kImports =
    "spec: 1\nfamily: x\nimport: [LIBRARY, suns]\nops:\n- op: aten::relu\n  emit: CALL(self)\n";

At MarkedImport(const std::string& library, const std::string& call) {
  std::string text = kImports;
  text.replace(text.find("LIBRARY"), 7, library);
  return Marked(text.replace(text.find("CALL"), 4, call));
}

TEST(Explain, Libraries) {
  const auto at = [](const std::string& library, const std::string& call) {
    const At place = MarkedImport(library, call);
    return Explain({"x.yaml", place.text}, TestLibraries(), place.line, place.column);
  };
  EXPECT_EQ(at("su^ms", "twice"), "sums: library spec/lib/sums.yaml: How much it is.\n");
  EXPECT_EQ(at("sig^ns", "twice"), "signs: library spec/lib/signs.yaml\n");
  EXPECT_EQ(at("signs", "twi^ce"), "twice: defined in spec/lib/sums.yaml, which this file does not import\n");
  EXPECT_THAT(at("sums", "twice(sel^f)+twice"), HasSubstr("opset 7 to "));
}

TEST(Complete, Libraries) {
  const auto at = [](const std::string& library, const std::string& call) {
    const At place = MarkedImport(library, call);
    std::vector<std::string> names;
    for (const Completion& one : Complete({"x.yaml", place.text}, TestLibraries(), place.line, place.column))
      names.push_back(one.name);
    return names;
  };
  EXPECT_THAT(at("s^", "twice"), ElementsAre("sums", "signs"));
  EXPECT_THAT(at("signs", "mi^"), ElementsAre("minus", "min"));
  EXPECT_THAT(at("sums", "minu^"), ElementsAre());
}

TEST(Explain, FunctionsOperatorsAndWords) {
  EXPECT_EQ(
      ExplainIn(Softmax("x: cast(", "x: ca^st(")),
      "function cast(x, to): to a dtype, or to the dtype of a tensor; None changes nothing. A list: each element\n");
  const std::string flatten = ExplainIn(Softmax("Flatten", "^Flatten"));
  EXPECT_THAT(flatten, HasSubstr("ONNX operator Flatten\n  opset 7 to 8: Flatten(input: T, axis: int?) -> output: T"));
  EXPECT_THAT(ExplainIn(Softmax("Softmax(y, axis=", "Softmax(y, ax^is=")),
              StartsWith("axis: argument of Softmax\n  opset 7 to 28: attribute, int?\n"));
  EXPECT_EQ(ExplainIn(Softmax("opset >=", "ops^et >=")), "opset: the opset of the model, an int\n");
  EXPECT_THAT(ExplainIn(Softmax("aten::softmax.int", "aten::soft^max.int")),
              HasSubstr("aten::softmax.int(Tensor self, int dim"));
  EXPECT_EQ(ExplainIn(Softmax("axis(self)", "ax^is(self)")),
            "`axis(tensor)`: an axis of that argument, counted from the front\n");
  EXPECT_EQ(ExplainIn("- op: aten::select.int\n  alias: ele^ment(dim, index)\n"),
            "`element(axis, index)`: one index of an axis, which is removed; several results are one index each\n");
}

TEST(Explain, NothingWhereNothingStands) {
  EXPECT_EQ(ExplainIn(Softmax("  cases:", "  cases:   ^")), "");
  EXPECT_EQ(Explain({"x.yaml", ""}, Libraries(), 3, 4), "");
}

TEST(Complete, Keys) {
  EXPECT_THAT(NamesIn("- op: aten::relu\n  emit: self\n  te^\n"), ElementsAre("tests"));
  EXPECT_THAT(NamesIn("- op: aten::relu\n  emit: self\n  ^\n"), Not(Contains("emit")));  // it is there
  EXPECT_THAT(NamesIn("- op: aten::relu\n  cases:\n    - w^\n"), ElementsAre("when"));
  EXPECT_THAT(NamesIn("- ^\n"), ElementsAre("op", "def", "schema"));
  EXPECT_THAT(NamesIn("- op: aten::sum\n  compute_in: {half: float32, ^}\n  emit: self\n"),
              ElementsAre("int", "bool", "double", "lossy"));
  EXPECT_THAT(NamesIn("- op: aten::relu\n  fold:\n    each: i in [1]\n    ^\n"),
              ElementsAre("init", "let", "next", "collect"));
  EXPECT_THAT(NamesIn("- schema: acme.Foo\n  a^\n"), ElementsAre("attributes"));
}

TEST(Complete, NamesInAnExpressionThatIsBeingWritten) {
  const auto names = NamesIn(Softmax("    y: twice(x)", "    y: twice(^"));
  EXPECT_THAT(names, IsSupersetOf({"self", "dim", "x", "twice", "rank", "Relu", "float32", "opset", "if"}));
  EXPECT_THAT(NamesIn(Softmax("    y: twice(x)", "    y: twice(x) + Redu^")),
              IsSupersetOf({"ReduceSum", "ReduceMean", "ReduceL1"}));
  EXPECT_THAT(NamesIn(Softmax("    y: twice(x)", "    y: twice(x) + Redu^")), Not(Contains("Relu")));
  EXPECT_THAT(NamesIn(Softmax("Flatten(x, axis=dim)", "Flatten(x, a^")), Contains("axis"));
  // A value that goes on in the next line.
  EXPECT_THAT(NamesIn(Softmax("Flatten(x, axis=dim)", "Flatten(x,\n        a^")), Contains("axis"));
  // Elements of a list.
  EXPECT_THAT(NamesIn("- op: aten::sum\n  emit:\n    - se^\n"), ElementsAre("self"));
}

TEST(Complete, LetsOfACaseAreItsOwn) {
  const std::string entry =
      "- op: aten::relu\n  cases:\n    - when: opset >= 9\n      let:\n        mine: self\n      emit: A\n    - emit: "
      "B\n";
  const auto at = [&](const char* place) {
    std::string text = entry;
    return NamesIn(text.replace(text.find(place), 1, "mi^"));
  };
  EXPECT_THAT(at("A\n"), Contains("mine"));
  EXPECT_THAT(at("B\n"), Not(Contains("mine")));
}

TEST(Complete, WordsOfPlaces) {
  EXPECT_THAT(NamesIn("- op: aten::select.int\n  alias: e^\n"), ElementsAre("element", "expanded"));
  EXPECT_THAT(NamesIn("- op: aten::select.int\n  layout: ^\n"), ElementsAre("contiguous", "as_inputs", "other"));
  EXPECT_THAT(NamesIn("- op: aten::softmax.int\n  args:\n    ^\n  emit: self\n"), ElementsAre("self", "dim", "dtype"));
  EXPECT_THAT(NamesIn("- op: aten::softmax.int\n  args: {dim: axis(self), ^}\n"), ElementsAre("self", "dtype"));
  EXPECT_THAT(NamesIn("- op: aten::softmax.int\n  args: {dim: ax^}\n"), ElementsAre("axis", "axis_list"));
  EXPECT_THAT(NamesIn("- op: aten::softmax.i^\n"), ElementsAre("aten::softmax.int"));
  EXPECT_THAT(NamesIn("- op: aten::sum\n  promote: {of: [s^]}\n"), ElementsAre("self"));
  EXPECT_THAT(NamesIn("- op: aten::sum\n  promote: {of: [self], kind: ^}\n"), ElementsAre("default", "float", "bool"));
  EXPECT_THAT(NamesIn("- op: aten::sum\n  compute_in: {half: float3^}\n"), ElementsAre("float32"));
  EXPECT_THAT(NamesIn("- op: aten::softmax.int\n  tests:\n    - s^\n"), ElementsAre("softmax", "softmax.int"));
  EXPECT_THAT(NamesIn("- op: aten::softmax.int\n  tests:\n    - softmax(f32[2], d^\n"), ElementsAre("dim", "dtype"));
  EXPECT_THAT(NamesIn("- op: aten::softmax.int\n  tests:\n    - softmax(f32[2], 0) with t^\n"),
              ElementsAre("tol", "training"));
  EXPECT_THAT(NamesIn("- op: aten::relu\n  refuse: because ^\n"), ElementsAre());
}

TEST(Complete, NodesThatAreDeclared) {
  Declarations declarations;
  declarations.nodes.push_back(
      {.name = "acme.Widen", .types = {}, .inputs = {}, .attributes = {}, .outputs = {}, .place = "acme.yaml:3"});
  Declare(declarations);
  EXPECT_THAT(NamesIn("- op: aten::relu\n  emit: acme.^\n"), ElementsAre("acme.Widen"));
}

TEST(Location, IsAFileALineAndAColumn) {
  const Location at = ParseLocation("/a:b/c.yaml:12:3");
  EXPECT_EQ(at.path, "/a:b/c.yaml");
  EXPECT_EQ(at.line, 12);
  EXPECT_EQ(at.column, 3);
  for (const char* wrong : {"", "c.yaml", "c.yaml:1", "c.yaml:1:", "c.yaml:a:1", "c.yaml:0:1", ":1:1", "c.yaml:1:2x"})
    EXPECT_THROW(ParseLocation(wrong), std::runtime_error) << wrong;
}

}  // namespace
}  // namespace onnxport::codegen::help_test
