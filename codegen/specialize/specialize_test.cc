#include "codegen/specialize/specialize.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "codegen/load/load.h"
#include "codegen/model/spec_text.h"
#include "codegen/specialize/argument_words.h"
#include "codegen/specialize/bind.h"

namespace onnxport::codegen {
namespace {

// The entry of a spec with one, specialized for one of its names.
SpecializedEntry Specialized(const std::string& entry, int opset, size_t name = 0) {
  Diagnostics diagnostics;
  static std::optional<SpecFile> spec;
  spec = LoadSpecFile("spec/aten/f.yaml", "spec: 1\nfamily: f\nops:\n" + entry, &diagnostics);
  EXPECT_TRUE(spec && !spec->ops.empty()) << diagnostics.ToText();
  return SpecializeEntry(spec->ops[0], *ir::FindAtenSchema(spec->ops[0].names[name]), opset);
}

std::string EmitText(const SpecializedEntry& specialized, size_t index = 0) {
  return SpecText(*specialized.mapping.cases[index].body.emit[0]);
}

struct Condition {
  const char* when;
  int opset;
  const char* left;  // of the condition; "" always, "-" never
};

class Conditions : public testing::TestWithParam<Condition> {};

TEST_P(Conditions, AreDecidedAsFarAsTheyCanBe) {
  const std::string entry = std::string("- {op: aten::relu, cases: [{when: '") + GetParam().when + "', emit: self}]}\n";
  const SpecializedEntry specialized = Specialized(entry, GetParam().opset);
  if (std::string("-") == GetParam().left) {
    EXPECT_TRUE(specialized.mapping.cases.empty());
    return;
  }
  ASSERT_EQ(specialized.mapping.cases.size(), 1u);
  const ExprPtr& when = specialized.mapping.cases[0].when;
  EXPECT_EQ(when ? SpecText(*when) : "", GetParam().left);
}

INSTANTIATE_TEST_SUITE_P(
    All, Conditions,
    testing::Values(Condition{"opset >= 13", 13, ""}, Condition{"opset >= 13", 12, "-"},
                    Condition{"is_int(self) and opset >= 12", 12, "is_int(self)"},
                    Condition{"is_int(self) and opset >= 12", 11, "-"},
                    Condition{"is_int(self) or opset >= 12", 12, ""},
                    Condition{"is_int(self) or opset >= 12", 11, "is_int(self)"}, Condition{"not opset < 12", 11, "-"},
                    Condition{"opset >= 20 and domain(\"com.microsoft\")", 20, "domain(\"com.microsoft\")"},
                    Condition{"rank(self) == (1 if opset > 9 else 2)", 9, "rank(self) == 2"}));

TEST(SpecializeEntry, ResultsWithNamesStandInTheSchemasOrder) {
  const auto texts = [](const std::string& entry) {
    std::string text;
    const SpecializedEntry specialized = Specialized(entry, 18);
    EXPECT_TRUE(specialized.mapping.cases[0].body.names.empty());
    for (const ExprPtr& value : specialized.mapping.cases[0].body.emit) text += SpecText(*value) + " ";
    return text;
  };
  EXPECT_EQ(texts("- {op: aten::topk, emit: {indices: k, values: self}}\n"), "self k ");
  EXPECT_EQ(texts("- {op: aten::topk, emit: {indices: k}}\n"), "None k ");
  EXPECT_EQ(texts("- {op: aten::topk, if: dim, then: {indices: k, values: self}, else: {values: a, indices: b}}\n"),
            "dim self k a b ");
  EXPECT_EQ(texts("- {op: aten::native_dropout, emit: {result1: p}}\n"), "None p ");
}

TEST(SpecializeEntry, AnArgumentOfAnotherOverloadIsNone) {
  const std::string entry =
      "- op: [aten::split.Tensor, aten::split_with_sizes]\n"
      "  emit: 'split_sizes if present(split_sizes) else [split_size]'\n";
  EXPECT_EQ(EmitText(Specialized(entry, 13, 0)), "[split_size]");
  EXPECT_EQ(EmitText(Specialized(entry, 13, 1)), "split_sizes");
}

TEST(SpecializeEntry, DictsAndLiteralLetsGoWhereTheyAreUsed) {
  const std::string entry =
      "- op: aten::relu\n"
      "  let: {recent: opset >= 13, n: rank(self), k: {axis: n, other: 1 if recent else 2}}\n"
      "  emit: 'Softmax(self, **k)'\n";
  const SpecializedEntry specialized = Specialized(entry, 13);
  ASSERT_EQ(specialized.mapping.lets.size(), 1u);
  EXPECT_EQ(EmitText(specialized), "Softmax(self, axis=n, other=1)");
}

OpEntry EntryOf(const std::string& entry) {
  Diagnostics diagnostics;
  const auto spec = LoadSpecFile("spec/aten/f.yaml", "spec: 1\nfamily: f\nops:\n" + entry, &diagnostics);
  EXPECT_TRUE(spec && !spec->ops.empty()) << entry << diagnostics.ToText();
  return spec && !spec->ops.empty() ? spec->ops[0] : OpEntry();
}

TEST(ArgumentWords, AreTheArgumentWhereTheOperatorHasIt) {
  const struct {
    const char* op;
    const char* written;
    const char* meant;
  } kRows[] = {{"aten::nan_to_num", "Where(x(nan), nan, -inf)", "Where(x(nan), nan, -inf)"},
               {"aten::relu", "nan", "nan"},
               {"aten::ord", "string", "string"},
               {"aten::nan_to_num", "1.0", "1.0"}};
  for (const auto& row : kRows) {
    OpEntry entry = EntryOf(std::string("- {op: ") + row.op + ", emit: '" + row.written + "'}\n");
    TakeArgumentWords(&entry);
    EXPECT_EQ(SpecText(*entry.cases[0].body.emit[0]), row.meant);
  }
  OpEntry with =
      EntryOf("- {op: aten::nan_to_num, def: {f(x): nan}, let: {a: nan}, args: {nan: must(nan)}, emit: nan}\n");
  TakeArgumentWords(&with);
  for (const ExprPtr& expr : {with.defs[0].cases[0].body.emit[0], with.lets[0].value, with.cases[0].body.emit[0]})
    EXPECT_EQ(expr->kind, ExprKind::kName);
  EXPECT_EQ(with.args[0].second.value->kind, ExprKind::kFloat);  // what it must be is a constant
  OpEntry without = EntryOf("- {op: aten::relu, emit: nan}\n");
  TakeArgumentWords(&without);
  EXPECT_EQ(without.cases[0].body.emit[0]->kind, ExprKind::kFloat);
}

// Every argument that a schema has can be said.
TEST(ArgumentWords, NoArgumentIsSomethingElse) {
  std::ifstream schemas("spec/aten_schemas.txt");
  int seen = 0;
  for (std::string line; std::getline(schemas, line);) {
    std::string error;
    const auto schema = ir::ParseAtenSchema(line, &error);
    if (!schema || schema->arguments.empty()) continue;
    std::string list;
    for (const ir::AtenArgument& argument : schema->arguments) list += (list.empty() ? "" : ", ") + argument.name;
    OpEntry entry = EntryOf("- {op: '" + schema->name.text() + "', list: '[" + list + "]'}\n");
    if (entry.cases.empty()) continue;
    TakeArgumentWords(&entry);
    for (const ExprPtr& item : entry.cases[0].body.emit[0]->operands)
      EXPECT_EQ(item->kind, ExprKind::kName) << schema->name.text() << ": " << SpecText(*item);
    ++seen;
  }
  EXPECT_GT(seen, 2000);
}

TEST(SpecializeEntry, CasesAfterOneThatAlwaysMatchesAreGone) {
  const std::string entry = "- {op: aten::relu, cases: [{since: 13, emit: self}, {emit: Relu(self)}]}\n";
  EXPECT_EQ(Specialized(entry, 13).case_numbers, std::vector<int>{1});
  EXPECT_EQ(Specialized(entry, 12).case_numbers, std::vector<int>{2});
}

SpecFile Bound(const std::string& items) {
  Diagnostics diagnostics;
  const auto spec = LoadSpecFile("spec/aten/f.yaml", "spec: 1\nfamily: f\nops:\n" + items, &diagnostics);
  EXPECT_TRUE(spec) << diagnostics.ToText();
  return BindDefinitions(*spec);
}

std::vector<std::string> TextsOf(const std::vector<Def>& defs) {
  std::vector<std::string> texts;
  for (const Def& def : defs)
    texts.push_back(def.name + "(" + def.params[0] + "): " + SpecText(*def.cases[0].body.emit[0]));
  return texts;
}

constexpr char kGiven[] =
    "- {def: 'both(x, f(t), g(t))', emit: f(g(x))}\n- {def: a(x), emit: Abs(x)}\n- {def: b_c(x), emit: Exp(x)}\n"
    "- {def: a_b(x), emit: Neg(x)}\n- {def: c(x), emit: Log(x)}\n";

TEST(BindDefinitions, MakesACopyForWhatIsGiven) {
  // The first and the last have one name before it is made another one.
  const SpecFile bound = Bound(
      std::string(kGiven) + "- {op: aten::relu, emit: 'both(self, a, b_c) + both(self, a_b, c) + both(self, a, c)'}\n");
  EXPECT_EQ(TextsOf(bound.defs),
            (std::vector<std::string>{"a(x): Abs(x)", "b_c(x): Exp(x)", "a_b(x): Neg(x)", "c(x): Log(x)",
                                      "both_with_a(x): a(b_c(x))", "both_with_a_b(x): a_b(c(x))",
                                      "both_with_a_2(x): a(c(x))"}));
  EXPECT_EQ(SpecText(*bound.ops[0].cases[0].body.emit[0]),
            "both_with_a(self) + both_with_a_b(self) + both_with_a_2(self)");
}

TEST(BindDefinitions, ACopyForAnEntrysDefinitionHidesNoName) {
  const SpecFile bound = Bound(std::string(kGiven) +
                               "- op: aten::relu\n  let: {x: Neg(self)}\n  def: {own(t): t + x}\n"
                               "  emit: both(x, own, a)\n");
  EXPECT_EQ(TextsOf(bound.ops[0].defs), (std::vector<std::string>{"own(t): t + x", "both_with_own(x_2): own(a(x_2))"}));
  EXPECT_EQ(bound.defs.size(), 4u);
}

}  // namespace
}  // namespace onnxport::codegen
