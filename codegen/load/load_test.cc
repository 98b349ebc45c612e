#include "codegen/load/load.h"

#include <cmath>
#include <limits>

#include "codegen/model/spec_text.h"
#include "gtest/gtest.h"

namespace onnxport::codegen::load_test {
namespace {

SpecFile Load(const std::string& ops) {
  Diagnostics diagnostics;
  auto spec = LoadSpecFile("spec/aten/norm.yaml", "spec: 1\nfamily: norm\nops:\n" + ops, &diagnostics);
  EXPECT_EQ(diagnostics.ToText(), "");
  return spec.value_or(SpecFile());
}

OpEntry LoadOne(const std::string& entry) {
  const SpecFile spec = Load(entry);
  EXPECT_EQ(spec.ops.size(), 1u);
  return spec.ops.empty() ? OpEntry() : spec.ops[0];
}

TEST(Load, OneLineEntry) {
  const OpEntry e = LoadOne("- {op: aten::leaky_relu, emit: 'LeakyRelu(self, alpha=negative_slope)'}\n");
  EXPECT_EQ(e.names, (std::vector<std::string>{"aten::leaky_relu"}));
  EXPECT_EQ(e.place.line, 4);
  EXPECT_EQ(e.name_places[0].column, 8);
  ASSERT_EQ(e.cases.size(), 1u);
  ASSERT_EQ(e.cases[0].body.emit.size(), 1u);
  EXPECT_EQ(e.cases[0].body.emit[0]->text, "LeakyRelu");
  EXPECT_EQ(e.cases[0].when, nullptr);
}

TEST(Load, Cases) {
  const OpEntry e = LoadOne(R"(
- op: [aten::relu, aten::relu6]
  since: 8
  cases:
    - {when: is_int(self) and opset >= 12, until: 20, emit: 'Max(self, 0)'}
    - {when: opset < 9, refuse: no floats}
    - let: {x: 'cast(self, float32)'}
      list: Split(x)
      compute_in: {bool: int64}
  compute_in: {int: float32, half: float32}
)");
  EXPECT_EQ(e.names.size(), 2u);
  EXPECT_EQ(e.since, 8);
  EXPECT_EQ(e.until, std::nullopt);
  ASSERT_EQ(e.cases.size(), 3u);
  EXPECT_EQ(e.cases[0].until, 20);
  EXPECT_TRUE(e.cases[0].when->Is(Operator::kAnd));
  EXPECT_EQ(e.cases[0].compute_in.to.size(), 2u);  // the entry's
  EXPECT_EQ(e.cases[1].body.kind, Body::Kind::kRefuse);
  EXPECT_EQ(e.cases[1].body.text, "no floats");
  EXPECT_EQ(e.cases[2].body.kind, Body::Kind::kList);
  EXPECT_EQ(e.cases[2].lets[0].names[0], "x");
  EXPECT_EQ(e.cases[2].compute_in.to, (std::map<std::string, std::string>{{"bool", "int64"}}));
}

TEST(Load, SeveralResults) {
  const OpEntry e = LoadOne("- {op: aten::f, emit: [a, 'g(a, b)']}\n");
  ASSERT_EQ(e.cases[0].body.emit.size(), 2u);
  EXPECT_EQ(e.cases[0].body.emit[1]->operands.size(), 2u);
  EXPECT_TRUE(e.cases[0].body.names.empty());
}

TEST(Load, ResultsByTheirNames) {
  const OpEntry e = LoadOne(R"(
- op: aten::f
  cases:
    - emit: {values: a, indices: b}
    - if: c
      then: {values: a, indices: b}
      else: {indices: d, values: e}
)");
  const auto texts = [](const std::vector<ExprPtr>& values) {
    std::string text;
    for (const ExprPtr& value : values) text += SpecText(*value) + " ";
    return text;
  };
  ASSERT_EQ(e.cases[0].body.names.size(), 2u);
  EXPECT_EQ(e.cases[0].body.names[1].name, "indices");
  EXPECT_EQ(e.cases[0].body.names[1].place.line, 7);
  EXPECT_EQ(e.cases[0].body.names[1].place.column, 25);
  EXPECT_EQ(texts(e.cases[0].body.emit), "a b ");
  EXPECT_EQ(e.cases[1].body.names.size(), 2u);
  EXPECT_EQ(texts(e.cases[1].body.emit), "c a b e d ");  // `else` in the order of `then`
}

TEST(Load, EveryKeyOfAnEntry) {
  const OpEntry e = LoadOne(R"(
- op: aten::f
  limits: any order
  args: {dim: axis(self), mode: 'enum({0: "sum"})', train: must(False)}
  promote: {of: [self, other], kind: float}
  require: rank(self) == 1 and mode == "sum"
  until: 20
  let: {'y, h': 'F(x, outputs=2)', k: {axis: 1, pads: 'repeat_to(p, 2)'}, one: 1, off_value: None}
  def: {'rep(t, g)': t * g}
  fold:
    each: i, t in enumerate(xs)
    init: {x: self}
    let: {z: x + t}
    next: {x: z}
    collect: {all_x: z}
  emit: x
)");
  EXPECT_EQ(e.limits, "any order");
  ASSERT_EQ(e.args.size(), 3u);
  EXPECT_EQ(e.args[0].first, "dim");
  EXPECT_EQ(e.args[0].second.tensor, "self");
  EXPECT_EQ(e.args[0].second.place.column, 10);
  EXPECT_EQ(e.promote->of, (std::vector<std::string>{"self", "other"}));
  EXPECT_EQ(e.promote->kind, PromoteKind::kFloat);
  EXPECT_EQ(e.require_text, "rank(self) == 1 and mode == \"sum\"");
  ASSERT_EQ(e.lets.size(), 4u);
  EXPECT_EQ(e.lets[0].names, (std::vector<std::string>{"y", "h"}));
  EXPECT_EQ(e.lets[1].value->kind, ExprKind::kDict);
  EXPECT_EQ(e.lets[1].value->named[1].first, "pads");
  EXPECT_EQ(e.lets[2].value->int_value, 1);
  EXPECT_EQ(e.lets[3].value->kind, ExprKind::kNone);
  EXPECT_EQ(e.defs[0].name, "rep");
  EXPECT_EQ(e.defs[0].params.size(), 2u);
  ASSERT_TRUE(e.repetition);
  EXPECT_EQ(e.repetition->each, (std::vector<std::string>{"i", "t"}));
  EXPECT_EQ(
      e.repetition->init.size() + e.repetition->lets.size() + e.repetition->next.size() + e.repetition->collect.size(),
      4u);
}

TEST(Load, HookAndDefinition) {
  const SpecFile spec = Load(R"(
- {op: aten::index_put, hook: 'hooks::index_put'}
- def: conv(x, w)
  let: {n: rank(w) - 2}
  emit: Conv(x, w)
)");
  EXPECT_EQ(spec.family, "norm");
  EXPECT_EQ(spec.ops[0].cases[0].body.kind, Body::Kind::kHook);
  EXPECT_EQ(spec.ops[0].cases[0].body.text, "hooks::index_put");
  ASSERT_EQ(spec.defs.size(), 1u);
  EXPECT_EQ(spec.defs[0].name, "conv");
  EXPECT_EQ(spec.defs[0].lets[0].names[0], "n");
  EXPECT_EQ(spec.defs[0].cases[0].body.emit[0]->text, "Conv");
}

TEST(Load, Tests) {
  const OpEntry e = LoadOne(R"(
- op: [aten::f, aten::f.Tensor, aten::g.Scalar]
  emit: x
  tests:
    - f.Tensor(f32[2,3] in -1..1, bool[2, 0], f32[2,2] of [1, nan, -0.0, -inf])
    - g(1e-5, dtype=float32) with opset=9, why="w"
    - each(f32[2])
)");
  ASSERT_EQ(e.tests.size(), 3u);
  const TestCase& t = e.tests[0];
  EXPECT_EQ(t.operators, std::vector<std::string>{"aten::f.Tensor"});
  ASSERT_EQ(t.args.size(), 3u);
  EXPECT_EQ(t.args[1].second.shape, (std::vector<int64_t>{2, 0}));
  const std::vector<ExprPtr>& contents = t.args[2].second.contents;
  ASSERT_EQ(contents.size(), 4u);
  EXPECT_EQ(contents[0]->int_value, 1);
  EXPECT_TRUE(std::signbit(contents[2]->float_value));
  EXPECT_EQ(contents[3]->float_value, -std::numeric_limits<double>::infinity());
  EXPECT_EQ(e.tests[1].opsets, std::vector<int>{9});
  EXPECT_EQ(e.tests[2].operators, e.names);
}

TEST(Load, CasesOfValues) {
  const SpecFile spec = Load(R"(
- def: f(a)
  cases:
    - {when: a == 1, value: 10}
    - {when: a == 2, value: 20}
    - value: 30
- op: aten::x
  let:
    y:
      cases:
        - {when: b, value: f(c)}
        - value: d
  def:
    g(z):
      cases:
        - {when: z, value: 1}
        - value: 2
  emit: y
)");
  EXPECT_EQ(SpecText(*spec.defs[0].cases[0].body.emit[0]), "10 if a == 1 else 20 if a == 2 else 30");
  EXPECT_EQ(SpecText(*spec.ops[0].lets[0].value), "f(c) if b else d");
  EXPECT_EQ(SpecText(*spec.ops[0].defs[0].cases[0].body.emit[0]), "1 if z else 2");
}

TEST(Load, ConstantsOfEachOperator) {
  const OpEntry e = LoadOne(R"(
- op:
    aten::a: {n: 1, how: '"sum"'}
    aten::b: {how: '"max"', n: 2}
  emit: f(n, how)
)");
  EXPECT_EQ(e.names, (std::vector<std::string>{"aten::a", "aten::b"}));
  ASSERT_EQ(e.constants.size(), 2u);
  EXPECT_EQ(e.constants[1].at("n")->int_value, 2);
  EXPECT_EQ(e.constants[1].at("how")->text, "max");
}

TEST(Load, ArgumentsByName) {
  const SpecFile spec = Load(R"(
- def: f(a, b, c)
  emit: a + b + c
- def: g(x)
  emit: f(1, c=x, b=2)
- op: aten::x
  def: {'h(p, q)': p - q}
  emit: h(q=f(c=1, b=2, a=3), p=4)
)");
  EXPECT_EQ(SpecText(*spec.defs[1].cases[0].body.emit[0]), "f(1, 2, x)");
  EXPECT_EQ(SpecText(*spec.ops[0].cases[0].body.emit[0]), "h(4, f(3, 2, 1))");
}

struct Mistake {
  const char* ops;
  const char* message;
};

TEST(Load, MistakesInCasesConstantsAndNames) {
  const Mistake mistakes[] = {
      {"- {def: f(a), cases: [{value: 1}]}\n", "`cases` of a value are two or more"},
      {"- {def: f(a), cases: [{value: 1}, {value: 2}]}\n", "a case without `when` that is not the last"},
      {"- {def: f(a), cases: [{when: a, value: 1}, {when: a, value: 2}]}\n", "the last case of a value has no `when`"},
      {"- {def: f(a), emit: 1, cases: [{when: a, value: 1}, {value: 2}]}\n", "`cases` beside `emit`"},
      {"- {def: f(a), cases: [{when: a, emit: 1}, {value: 2}]}\n",
       "`emit` belongs to an entry, a definition or a case"},
      {"- {op: {aten::a: {n: 1}}, emit: n}\n", "constants of a single operator: make them `let`"},
      {"- {op: {aten::a: {n: 1}, aten::b: {m: 1}}, emit: n}\n", "every operator of an entry has the same constants"},
      {"- {op: {aten::a: {n: x}, aten::b: {n: 1}}, emit: n}\n", "a constant is expected"},
      {"- {op: {aten::a: 1, aten::b: 2}, emit: n}\n", "an operator's constants are a map"},
      {"- {op: {aten::a: {n: 1}, aten::b: {n: 2}}, writes: nothing}\n", "an operator's name is a text, here is a map"},
      {"- {op: aten::a, emit: 'x if a else y if b else z'}\n", "a conditional inside another one; use `cases:`"},
      {"- {op: aten::a, emit: 'x if a else f([y if b else z])'}\n", "a conditional inside another one; use `cases:`"},
      {"- {def: f(a), emit: a}\n- {op: aten::a, emit: 'f(b=1)'}\n", "`f` has no parameter `b`"},
      {"- {def: f(a), emit: a}\n- {op: aten::a, emit: 'f(1, a=1)'}\n", "`a` of `f` is given twice"},
      {"- {def: 'f(a, b)', emit: a}\n- {op: aten::a, emit: 'f(b=1)'}\n", "`f` needs `a`"},
  };
  for (const Mistake& mistake : mistakes) {
    Diagnostics diagnostics;
    LoadSpecFile("x.yaml", std::string("spec: 1\nfamily: x\nops:\n") + mistake.ops, &diagnostics);
    EXPECT_NE(diagnostics.ToText().find(mistake.message), std::string::npos) << mistake.ops << diagnostics.ToText();
  }
}

TEST(Load, EntriesWithMistakesAreLeftOutAndAllMistakesAreReported) {
  Diagnostics diagnostics;
  const auto spec = LoadSpecFile("a/x.yaml",
                                 "spec: 1\nfamily: x\nops:\n"
                                 "- {op: aten::a, emit: 'f('}\n"
                                 "- {op: aten::b, emit: x}\n"
                                 "- {op: aten::c, emitt: x}\n",
                                 &diagnostics);
  ASSERT_TRUE(spec);
  ASSERT_EQ(spec->ops.size(), 1u);
  EXPECT_EQ(spec->ops[0].names[0], "aten::b");
  EXPECT_EQ(diagnostics.error_count(), 2) << diagnostics.ToText();
}

TEST(Load, NothingWhenAllOfTheFileIsInDoubt) {
  for (const char* text : {"spec: 2\nfamily: x\nops: []\n", "spec: 1\nfamily: y\nops: []\n",
                           "spec: 1\nfamily: x\nops: [{def: 'f(a)', emit: 'a +'}]\n", ""}) {
    Diagnostics diagnostics;
    EXPECT_FALSE(LoadSpecFile("x.yaml", text, &diagnostics)) << text;
    EXPECT_TRUE(diagnostics.has_errors()) << text;
  }
}

}  // namespace
}  // namespace onnxport::codegen::load_test
