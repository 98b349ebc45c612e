// Spec files that are wrong by mistake or on purpose: each error has its place and says what is wrong.
#include <string>

#include "codegen/load/load.h"
#include "fmt/format.h"
#include "gtest/gtest.h"

namespace onnxport::codegen::hostile_test {
namespace {

constexpr char kHeader[] = "spec: 1\nfamily: x\nops:\n";

struct Case {
  std::string text;  // of the whole file, or of what follows kHeader when it starts with "- "
  int line;          // 0: the file as a whole
  int column;
  std::string message;
};

std::string Repeat(std::string_view part, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += part;
  return text;
}

// "a0, a1, a2"
std::string Numbered(int count) {
  std::string text = "a0";
  for (int i = 1; i < count; ++i) text += fmt::format(", a{}", i);
  return text;
}

void ExpectError(const Case& c) {
  const std::string text = c.text.starts_with("- ") ? kHeader + c.text : c.text;
  Diagnostics diagnostics;
  LoadSpecFile("x.yaml", text, &diagnostics);
  const std::string place = c.line == 0 ? "x.yaml: " : fmt::format("x.yaml:{}:{}: ", c.line, c.column);
  bool found = false;
  const std::string shown = diagnostics.ToText();
  for (size_t at = shown.find(place + "error: "); at != std::string::npos; at = shown.find(place + "error: ", at + 1)) {
    found |= shown.substr(at, shown.find('\n', at) - at).find(c.message) != std::string::npos;
  }
  EXPECT_TRUE(found) << "expected " << place << "error: ..." << c.message << "\nin\n"
                     << text.substr(0, 300) << "\ngot\n"
                     << shown.substr(0, 1000);
}

void ExpectErrors(std::initializer_list<Case> cases) {
  for (const Case& c : cases) ExpectError(c);
}

TEST(Hostile, Bytes) {
  ExpectErrors({
      {"", 0, 0, "the file is empty"},
      {"# nothing\n", 0, 0, "the file is empty"},
      {std::string((1 << 20) + 1, ' '), 0, 0, "at most 1048576"},
      {"spec: 1\nfamily: \xFF\n", 2, 9, "byte 0xFF is not UTF-8"},
      {"spec: \xC0\xAF\n", 1, 7, "byte 0xC0 is not UTF-8"},
      {"spec: \xED\xA0\x80\n", 1, 7, "not UTF-8"},
      {"spec: \xF4\x90\x80\x80\n", 1, 7, "not UTF-8"},
      {"spec: \xE2\x82", 1, 7, "not UTF-8"},
      {"\xFF\xFE" + std::string("s\0p\0", 4), 1, 1, "byte 0xFF is not UTF-8"},
      {std::string("spec: 1\0", 8), 1, 8, "control character U+0000"},
      {"spec: 1\r\n", 1, 8, "a carriage return"},
      {"spec:\t1\n", 1, 6, "a tab"},
      {"spec: 1 # \x1B[2J\n", 1, 11, "control character U+001B"},
      {"spec: 1\x7F\n", 1, 8, "control character U+007F"},
      {"spec: 1 # \xC2\x85\n", 1, 11, "control character U+0085"},
      {"\xEF\xBB\xBFspec: 1\n", 1, 1, "invisible character U+FEFF"},
      {"spec: 1 # \xE2\x80\xAE\n", 1, 11, "invisible character U+202E"},
      {"spec: 1 # \xE2\x80\xA8\n", 1, 11, "invisible character U+2028"},
      {"spec: 1 # a\xE2\x80\x8B\n", 1, 12, "invisible character U+200B"},
      {"spec: \"a\\0b\"\n", 1, 9, "control character U+0000"},
      {"spec: \"a\\x1b\"\n", 1, 9, "control character U+001B"},
      {"spec: \"a\\tb\"\n", 1, 9, "a tab"},
  });
}

TEST(Hostile, YamlFeatures) {
  ExpectErrors({
      {"- &a {op: aten::f, emit: x}\n", 4, 3, "anchors"},
      {"- op: &a aten::f\n  emit: x\n", 4, 7, "anchors"},
      {"- op: aten::f\n  emit: *a\n", 5, 9, "anchor is not defined"},
      {"a: &a [*a]\n", 1, 4, "anchors"},
      {"- op: !!str aten::f\n", 4, 7, "tags"},
      {"- op: !x aten::f\n", 4, 7, "tags"},
      {"- !<tag:yaml.org,2002:map> {op: aten::f}\n", 4, 3, "tags"},
      {"- {op: aten::f, <<: {emit: x}}\n", 4, 17, "merge keys"},
      {"- {op: aten::f, '<<': {emit: x}}\n", 4, 17, "merge keys"},
      {"spec: 1\nfamily: x\nops: []\n---\nspec: 1\n", 4, 1, "a second document"},
      {"spec: 1\nfamily: x\nops: []\n...\nspec: 1\n", 5, 1, "a second document"},
      {"%YAML 1.1\n---\nspec: 1\n", 1, 1, "directives"},
      {"spec: 1\nops: []\n%TAG ! x\n", 3, 1, "directives"},
      {"- {op: aten::f, emit: x, emit: y}\n", 4, 26, "key `emit` repeats"},
      {"spec: 1\nspec: 1\n", 2, 1, "key `spec` repeats"},
      {"- {op: aten::f, let: {a: 1, 'a': 2}, emit: a}\n", 4, 29, "key `a` repeats"},
      {"- {op: aten::f, let: {off: 1}, emit: x}\n", 4, 23, "`off` cannot be a key"},
      {"- {op: aten::f, let: {On: 1}, emit: x}\n", 4, 23, "`On` cannot be a key"},
      {"- {op: aten::f, let: {yes: 1}, emit: x}\n", 4, 23, "`yes` cannot be a key"},
      {"- {op: aten::f, let: {NO: 1}, emit: x}\n", 4, 23, "`NO` cannot be a key"},
      {"- {op: aten::f, let: {true: 1}, emit: x}\n", 4, 23, "`true` cannot be a key"},
      {"- {op: aten::f, let: {False: 1}, emit: x}\n", 4, 23, "`False` cannot be a key"},
      {"- {op: aten::f, let: {null: 1}, emit: x}\n", 4, 23, "`null` cannot be a key"},
      {"- {op: aten::f, let: {~: 1}, emit: x}\n", 4, 23, "`~` cannot be a key"},
      {"- {op: aten::f, let: {: 1}, emit: x}\n", 4, 23, "a key is missing"},
      {"- {op: aten::f, let: {" + Repeat("a", 1100) + ": 1}, emit: x}\n", 4, 23, "a key is missing"},
      {"- {op: aten::f, let: {[a]: 1}, emit: x}\n", 4, 23, "a key must be a text"},
      {"- {op: aten::f, let: {? {a: 1} : 1}, emit: x}\n", 4, 25, "a key must be a text"},
      {"- op: aten::f\n   emit: x\n", 5, 8, "not YAML"},
      {"- {op: aten::f, emit: x\n", 4, 3, "never closed"},
      {"- {op: 'aten::f\n", 4, 3, "never closed"},
      {"- op: 'aten::f\n", 4, 7, "the quote is never closed"},
      {"- op: \"aten::f\\\"\n", 4, 7, "the quote is never closed"},
      {"- {op: \"\\q\"}\n", 4, 11, "not YAML"},
      {Repeat("[", 400) + Repeat("]", 400), 1, 17, "nested deeper than 16"},
      {Repeat("{a: ", 400) + Repeat("}", 400), 1, 65, "nested deeper than 16"},
      {Repeat("- ", 400), 4, 31, "nested deeper than 16"},
      {Repeat("[", 100'000), 1, 1, "never closed"},
      {Repeat("{", 100'000), 1, 1, "never closed"},
      {Repeat("[", 100'000) + Repeat("]", 100'000), 1, 17, "nested deeper than 16"},
      {Repeat("? ", 100'000), 1, 3, "a key must be a text"},
      {Repeat("x,", 1), 1, 1, "a spec file is a map"},
      {"[" + Repeat("x,", 60'000) + "]", 1, 100'000, "more than 50000 values"},
  });
}

TEST(Hostile, Shape) {
  ExpectErrors({
      {"[]\n", 1, 1, "a spec file is a map"},
      {"just text\n", 1, 1, "a spec file is a map"},
      {"text\n\nof lines\n", 1, 1, "here is `text`"},
      {"family: x\nops: []\n", 1, 1, "needs the key `spec`"},
      {"spec: 1\nops: []\n", 1, 1, "needs the key `family`"},
      {"spec: 1\nfamily: x\n", 1, 1, "needs the key `ops`"},
      {"spec: 2\nfamily: x\nops: []\n", 1, 7, "from 1 to 1, here is `2`"},
      {"spec: 01\nfamily: x\nops: []\n", 1, 7, "here is `01`"},
      {"spec: '1'\nfamily: x\nops: []\n", 1, 7, "here is `1`"},
      {"spec: 1\nfamily: other\nops: []\n", 2, 9, "the file is named `x`"},
      {"spec: 1\nfamily: [x]\nops: []\n", 2, 9, "is a text, here is a list"},
      {"spec: 1\nfamily: x\nops: {}\n", 3, 6, "`ops` is a list, here is a map"},
      {"spec: 1\nfamily: x\nops:\nop: []\n", 4, 1, "`op` belongs to an entry or an item with traits"},
      {"- aten::f\n", 4, 3, "an entry is a map"},
      {"- {emit: x}\n", 4, 3, "needs the key `op`"},
      {"- {op: aten::f}\n", 4, 3, "an entry needs `emit`"},
      {"- {op: [" + Repeat("aten::f,", 101) + "], emit: x}\n", 4, 8, "101 operators in one entry; at most 100"},
      {"- {op: [], emit: x}\n", 4, 8, "`op` is an empty list"},
      {"- {op: aten::f, emti: x}\n", 4, 17, "did you mean `emit`?"},
      {"- {op: aten::f, emit: x, list: y}\n", 4, 26, "`list` beside `emit`"},
      {"- {op: aten::f, emit: x, cases: [{emit: y}]}\n", 4, 17, "`emit` beside `cases`"},
      {"- {op: aten::f, cases: []}\n", 4, 24, "empty list"},
      {"- {op: aten::f, cases: {emit: x}}\n", 4, 24, "`cases` is a list"},
      {"- {op: aten::f, cases: [{when: x}]}\n", 4, 25, "a case needs"},
      {"- {op: aten::f, cases: [{emit: x, hook: f}]}\n", 4, 35, "`hook` beside `emit`: one of them"},
      {"- {op: aten::f, cases: [{emit: x, override: true}]}\n", 4, 35, "`override` belongs to an entry"},
      {"- {op: aten::f, when: x, emit: x}\n", 4, 17, "`when` belongs to a case"},
      {"- {op: aten::f, emit: x, loop: {each: i in n}}\n", 4, 32, "`loop` needs `next` or `scan`"},
      {"- {op: aten::f, emit: x, loop: {next: {a: b}}}\n", 4, 32, "`loop` needs `each: i in count`, or `while`"},
      {"- {op: aten::f, emit: x, loop: {'each': 'i, j in n', scan: {a: b}}}\n", 4, 32, "names one thing"},
      {"- {op: aten::f, emit: x, loop: {each: i in n, collect: {a: b}}}\n", 4, 47, "a `loop` has `scan`"},
      {"- {op: aten::f, if: a, else: c}\n", 4, 3, "needs the key `then`"},
      {"- {op: aten::f, if: a, then: [b, c], else: d}\n", 4, 44, "`then` has 2 results, `else` has 1"},
      {"- {op: aten::f, emit: x, then: b}\n", 4, 26, "`then` without `if`"},
      {"- {op: aten::f, map: x in xs}\n", 4, 3, "needs the key `emit`"},
      {"- {op: aten::f, map: 'x, y in xs', emit: x}\n", 4, 22, "`map` names one thing"},
      {"- {op: aten::f, sequence: x, list: y}\n", 4, 17, "`sequence` beside `list`"},
      {"- {op: aten::f, emit:}\n", 4, 22, "an expression, here is nothing"},
      {"- {op: aten::f, emit: []}\n", 4, 23, "`emit` is an empty list"},
      {"- {op: aten::f, list: {a: b}}\n", 4, 23, "an expression, here is a map"},
      {"- {op: aten::f, let: [a], emit: x}\n", 4, 22, "`let` is a map"},
      {"- {op: aten::f, let: {a: [1, 2]}, emit: x}\n", 4, 26, "quote a list"},
      {"- {op: aten::f, fold: {each: i in n}, emit: x}\n", 4, 23, "needs `next` or `collect`"},
      {"- {op: aten::f, fold: {next: {x: y}}, emit: x}\n", 4, 23, "needs the key `each`"},
      {"- {op: aten::f, fold: {each: n, next: {x: y}}, emit: x}\n", 4, 31, "expected `in`"},
      {"- {op: aten::f, since: 13, until: 9, emit: x}\n", 4, 35, "`until` 9 is before `since` 13"},
      {"- {op: aten::f, since: 1e1, emit: x}\n", 4, 24, "here is `1e1`"},
      {"- {op: aten::f, since: 0x0D, emit: x}\n", 4, 24, "a whole number"},
      {"- {op: aten::f, since: 99999999999, emit: x}\n", 4, 24, "a whole number"},
      {"- {op: aten::f, promote: [a], emit: x}\n", 4, 26, "`promote` is a map"},
      {"- {op: aten::f, promote: {of: [a], kind: flaot}, emit: x}\n", 4, 42, "did you mean `float`?"},
      {"- {op: aten::f, compute_in: {int: float}, emit: x}\n", 4, 35, "no dtype `float`"},
      {"- {op: aten::f, compute_in: {ints: float32}, emit: x}\n", 4, 30, "did you mean `int`?"},
      {"- {op: aten::f, args: {a: axes(x)}, emit: x}\n", 4, 27, "unknown refinement"},
      {"- {op: [aten::f, aten::f], emit: x}\n", 4, 18, "`aten::f` repeats"},
      {"- {def: f(a), emit: a, op2: x}\n", 4, 24, "a definition has no key `op2`"},
      {"- {def: 'f(" + Repeat("a, ", 100'000) + "a)', emit: a}\n", 4, 15, "`a` repeats"},
      {"- {def: 'f(" + Numbered(100'000) + ")', emit: a}\n", 4, 322, "more than 64 names"},
      {"- {def: f, emit: a}\n", 4, 10, "expected `(`"},
      {"- {op: aten::f, def: {'g(a)': a, 'g(b)': b}, emit: x}\n", 4, 34, "definition `g` repeats"},
  });
}

TEST(Hostile, PlacesInExpressions) {
  ExpectErrors({
      {"- op: aten::f\n  emit: Relu(self) $ 1\n", 5, 20, "unexpected `$`"},
      {"- op: aten::f\n  emit: 'Relu(self) $ 1'\n", 5, 21, "unexpected `$`"},
      {"- op: aten::f\n  emit: \"Relu(self) $ 1\"\n", 5, 21, "unexpected `$`"},
      {"- op: aten::f\n  emit: >-\n    Relu(self)\n    $ 1\n", 7, 5, "unexpected `$`"},
      {"- op: aten::f\n  emit: |\n    Relu(self)\n    + $\n", 7, 7, "unexpected `$`"},
      {"- op: aten::f\n  emit: a +\n    b + $\n", 6, 9, "unexpected `$`"},
      {"- {op: aten::f, emit: 'f(''a'', $)'}\n", 4, 33, "unexpected `$`"},
      {"- {op: aten::f, emit: f(a, b)}\n", 4, 26, "quote the expression"},
      {"- {op: aten::f, let: {'a, 1b': x}, emit: x}\n", 4, 27, "`1b` is not a name"},
      {"- {op: aten::f, let: {'a, a': x}, emit: x}\n", 4, 27, "`a` repeats"},
      {"- {op: aten::f, let: {k: {a: b, c: '1 +'}}, emit: x}\n", 4, 40, "expected a value"},
  });
}

// Nothing may reach generated C++ but names, numbers and plain texts.
TEST(Hostile, Injection) {
  ExpectErrors({
      {"- {op: 'aten::f\"; system(\"x\"); //', emit: x}\n", 4, 8, "is no operator"},
      {"- {op: 'aten::f */', emit: x}\n", 4, 8, "is no operator"},
      {"- {op: 'aten::f.g.h', emit: x}\n", 4, 8, "is no operator"},
      {"- {op: 'f', emit: x}\n", 4, 8, "is no operator"},
      {"- {op: aten::f, hook: 'system(\"x\")'}\n", 4, 23, "is no C++ function"},
      {"- {op: aten::f, hook: 'a::b; c'}\n", 4, 23, "is no C++ function"},
      {"- {op: aten::f, hook: 'delete'}\n", 4, 23, "is no C++ function"},
      {"- {op: aten::f, hook: '::a'}\n", 4, 23, "is no C++ function"},
      {"- {op: aten::f, hook: \"a\\n#include <x>\"}\n", 4, 25, "line end"},
      {"- {op: aten::f, refuse: 'a\\\"; x'}\n", 4, 27, "has a `\\`"},
      {"- {op: aten::f, refuse: \"a\\nb\"}\n", 4, 27, "line end"},
      {"- {op: aten::f, refuse: " + std::string(301, 'a') + "}\n", 4, 325, "at most 300 bytes"},
      {"- {op: aten::f, let: {'x; y': 1}, emit: x}\n", 4, 24, "is not a name"},
      {"- {op: aten::f, let: {new: 1}, emit: x}\n", 4, 23, "a word of C++"},
      {"- {op: aten::f, let: {_Reserved: 1}, emit: x}\n", 4, 23, "C++'s own"},
      {"- {op: aten::f, let: {k: {'a;b': 1}}, emit: x}\n", 4, 27, "is not a name"},
      {"- {op: aten::f, emit: '\"a\\\" + system(1)'}\n", 4, 26, "printable ASCII"},
      {"- {op: aten::f, emit: \"'a\\nb'\"}\n", 4, 26, "printable ASCII"},
      {"- {op: aten::f, emit: 'f(x) // y /* z */'}\n", 4, 35, "`*` stands before"},
      {"- {op: aten::f, emit: 'R\"(x)\"'}\n", 4, 25, "expected an operator"},
      {"- {op: aten::f, args: {'a b': ignore}, emit: x}\n", 4, 24, "not the name of an argument"},
      {"- {op: aten::f, promote: {of: ['a b']}, emit: x}\n", 4, 32, "is not a name"},
      {"spec: 1\nfamily: '../x'\nops: []\n", 2, 9, "the file is named"},
  });
}

TEST(Hostile, TestValues) {
  const auto error = [](const std::string& value, int column, const std::string& message) {
    ExpectError({"- op: aten::f\n  emit: x\n  tests:\n  - f(" + value + ")\n", 7, column, message});
  };
  error("f33[2]", 7, "no dtype `f33`");
  error("float32[2]", 7, "no dtype `float32`");
  error("f32[2", 12, "expected `,` or `]`");
  error("f32[-1]", 11, "expected a size");
  error("f32[x]", 11, "expected a size");
  error("f32[99999999999999999999]", 11, "expected a size");
  error("f32[9999999999]", 11, "more than 4194304 elements");
  error("f32[4096,4096]", 16, "more than 4194304 elements");
  error("f32[1,1,1,1,1,1,1,1,1]", 28, "more than 8 dimensions");
  error("f32[2] in 1", 18, "expected bounds");
  error("f32[2] in 2..", 20, "expected bounds");
  error("f32[2] in 0..inf", 20, "expected bounds");
  error("f32[2] out", 14, "expected the end, bounds");
  error("f32[2] of [1]", 17, "a list of 2 values");
  error("i64[1] of [0.5]", 17, "values of i64");
  error("bool[1] of [1]", 18, "values of bool");
  error("[[[[[[1]]]]]]", 12, "nested too deep");
  error("1 + x", 9, "a test value is");
  error("'a\"b'", 9, "printable ASCII");
}

// A test is a call; what else YAML offers is refused.
TEST(Hostile, TestsThatAreNoCalls) {
  for (const std::string test : {"self: f32[2]", "{self: 'f32[2]', opset: 9}", "[f32]", "null", "just text"})
    ExpectError({"- op: aten::f\n  emit: x\n  tests:\n  - " + test + "\n", 7, 5, "a test is a call: `add(f32[2]"});
}

}  // namespace
}  // namespace onnxport::codegen::hostile_test
