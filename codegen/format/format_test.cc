#include "codegen/format/format.h"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "gtest/gtest.h"

namespace onnxport::codegen {
namespace {

std::string Formatted(const std::string& text) {
  Diagnostics diagnostics;
  const auto formatted = FormatSpec("x.yaml", text, &diagnostics);
  EXPECT_EQ(diagnostics.ToText(), "");
  return formatted.value_or("");
}

const std::string kHead = "spec: 1\nfamily: x\n\nops:\n";

struct Rewrite {
  const char* name;
  const char* from;
  const char* to;
};

const Rewrite kRewrites[] = {
    {"block style, quotes where needed", "- {op: aten::neg, let: {x: '[1,2]', 'y,z': f(self)}, emit: 'g(x, y , z)'}\n",
     "#: aten::neg(Tensor self) -> Tensor\n- op: aten::neg\n  let:\n    x: '[1, 2]'\n    y, z: f(self)\n  emit: g(x, "
     "y, z)\n"},
    {"keys in their order", "- op: aten::no\n  emit: self\n  since: 9\n  require: a\n",
     "- op: aten::no\n  require: a\n  since: 9\n  emit: self\n"},
    {"comments stay with what they are about",
     "# Of the entry\n- op: aten::no\n  # Of emit\n  emit: self\n  since: 9  # Where\n# The last\n",
     "# Of the entry\n- op: aten::no\n  since: 9  # Where\n  # Of emit\n  emit: self\n\n# The last\n"},
    {"schemas are written anew", "#: aten::neg(Tensor old)\n- {op: aten::neg, emit: self}\n",
     "#: aten::neg(Tensor self) -> Tensor\n- op: aten::neg\n  emit: self\n"},
    {"spaces, words and quotes of expressions",
     "- {op: aten::no, emit: \"f( - x,y = not z, k=[i for i ,j in a  if True], **d)[ : -1 ]+'a'\"}\n",
     "- op: aten::no\n  emit: f(-x, y=not z, k=[i for i, j in a if True], **d)[:-1] + \"a\"\n"},
    {"results", "- {op: aten::no, emit: [x, y]}\n- {op: aten::no2, emit: [x, f(y)]}\n",
     "- op: aten::no\n  emit: [x, y]\n\n- op: aten::no2\n  emit:\n    - x\n    - f(y)\n"},
    {"results with names", "- {op: aten::no, emit: {b: 'f( x,y )', a: x}}\n",
     "- op: aten::no\n  emit:\n    b: f(x, y)\n    a: x\n"},
    {"cases of values and maps of words",
     "- {def: f(a), cases: [{value: 1, when: a}, {value: 2}]}\n- {op: aten::no, promote: {kind: float, of: [a, b]}, "
     "emit: f(a)}\n",
     "- def: f(a)\n  cases:\n    - when: a\n      value: 1\n    - value: 2\n\n- op: aten::no\n"
     "  promote: {kind: float, of: [a, b]}\n  emit: f(a)\n"},
    {"constants of each operator",
     "- op: {aten::no: {n: 1, how: '\"sum\"'}, aten::no2: {n: 2, how: None}}\n  emit: f(n)\n",
     "- op:\n    aten::no: {n: 1, how: '\"sum\"'}\n    aten::no2: {n: 2, how: None}\n  emit: f(n)\n"},
    {"long calls",
     "- op: aten::no\n  emit: Concat(first_argument_of_this, second_argument_of_this, third_argument_of_this, last, "
     "axis=1)\n",
     "- op: aten::no\n  emit: Concat(first_argument_of_this, second_argument_of_this, third_argument_of_this, last,\n"
     "               axis=1)\n"},
    {"long conditionals",
     "- op: aten::no\n  emit: first_of_the_values_is_long(x, y) if the_condition_is_long(x, y) else "
     "the_other_is_long(x, y)\n",
     "- op: aten::no\n  emit: first_of_the_values_is_long(x, y) if the_condition_is_long(x, y) else\n"
     "        the_other_is_long(x, y)\n"},
    {"calls as tests",
     "- op: [aten::add.Tensor, aten::add.Scalar]\n  emit: self\n  tests:\n"
     "    - add.Scalar( f32[2], 1,alpha = 2 ) with opset=[9,11],tol=0.001,why=\"w\"\n    - add(f32[2] in -1..1,f32[])\n"
     "    - each(f32[2], alpha=[1, [2]], x=[f32[2], i64[]], t='a')\n"
     "    - each(f32[2]  from 2.0 to -1, i64[3] in 0..1.50, y=[-inf,nan, pi,1e-05], z=int64_max)\n",
     "#: aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor\n"
     "#: aten::add.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor\n"
     "- op: [aten::add.Tensor, aten::add.Scalar]\n  emit: self\n  tests:\n"
     "    - add.Scalar(f32[2], 1, alpha=2) with opset=[9, 11], tol=0.001, why=\"w\"\n    - add(f32[2] in -1..1, "
     "f32[])\n"
     "    - add(f32[2], alpha=[1,[2]], x=[f32[2], i64[]], t=\"a\")\n"
     "    - add(f32[2] from 2 to -1, i64[3] in 0..1.5, y=[-inf,nan,pi,1e-5], z=int64_max)\n"},
    {"definitions: what a call must know comes first, results with names stand one below the other",
     "- {def: 'f(x, g(a,b))', emit: {one: 'g(x,x)', two: x}, what: signs, since: 9}\n"
     "- op: aten::no\n  def: {'h(a)': {emit: b, let: {b: Neg(a)}}, 'k(a)': a}\n  emit: f(x, h).two\n",
     "- def: f(x, g(a, b))\n  since: 9\n  what: signs\n  emit:\n    one: g(x, x)\n    two: x\n\n"
     "- op: aten::no\n  def:\n    h(a):\n      let:\n        b: Neg(a)\n      emit: b\n    k(a): a\n  emit: f(x, "
     "h).two\n"},
    {"a namespace in a trait", "- {op: aten::no_, functional: 'functional :: no( self,x)'}\n",
     "- op: aten::no_\n  functional: functional::no(self, x)\n"},
    {"what YAML needs quotes for", "- {op: aten::no, refuse: 'a: b'}\n- {op: aten::no2, refuse: 'plain'}\n",
     "- op: aten::no\n  refuse: 'a: b'\n\n- op: aten::no2\n  refuse: plain\n"},
};

TEST(Format, Rewrites) {
  for (const Rewrite& rewrite : kRewrites) {
    SCOPED_TRACE(rewrite.name);
    EXPECT_EQ(Formatted(kHead + rewrite.from), kHead + rewrite.to);
    EXPECT_EQ(Formatted(kHead + rewrite.to), kHead + rewrite.to);
  }
}

TEST(Format, FileWithMistakesIsLeft) {
  Diagnostics diagnostics;
  EXPECT_FALSE(FormatSpec("x.yaml", kHead + "- {op: aten::no, emit: 'f('}\n", &diagnostics));
  EXPECT_TRUE(diagnostics.has_errors());
}

// Without empty lines.
std::string Squeezed(const std::string& text) {
  std::istringstream lines(text);
  std::string squeezed;
  for (std::string line; std::getline(lines, line);)
    if (!line.empty()) squeezed += line + "\n";
  return squeezed;
}

TEST(Format, SpecsAreFormattedAndCanBeFormattedAgain) {
  int files = 0;
  for (const auto& file : std::filesystem::recursive_directory_iterator("spec/aten")) {
    if (!file.is_regular_file()) continue;
    SCOPED_TRACE(file.path());
    std::ostringstream text;
    text << std::ifstream(file.path()).rdbuf();
    Diagnostics diagnostics;
    const auto formatted = FormatSpec(file.path(), Squeezed(text.str()), &diagnostics);
    EXPECT_EQ(diagnostics.ToText(), "");
    EXPECT_TRUE(formatted == text.str()) << "./bazelw run //codegen -- --format";
    ++files;
  }
  EXPECT_GT(files, 20);
}

}  // namespace
}  // namespace onnxport::codegen
