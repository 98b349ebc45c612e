// Compares the checker with the runtime: every function and every operator of the language on sample values. The kind
// of the answer is among the checker's; the runtime refuses expressions that the checker calls an error.
#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "codegen/check/evaluator.h"
#include "codegen/load/expression_for_test.h"
#include "fmt/format.h"
#include "fmt/ranges.h"
#include "runtime/testing/emitted_graph.h"
#include "tests/language/interpreter.h"

namespace onnxport::language {
namespace {

using codegen::Environment;
using codegen::ExprPtr;
using codegen::Kind;
using lowering::DType;
using lowering::TestGraph;
using lowering::Val;
using lowering::Vals;

constexpr int kOpset = 18;

// ---- samples ----

struct Sample {
  std::string name;
  Val value;
  Kind kind;
};

bool IsSize(const Val& value, TestGraph* graph) {
  const ir::Value& type = graph->value(value);
  return type.dtype == DType::kInt64 && type.dims && type.dims->empty();
}

Kind KindOf(const Val& value, TestGraph* graph) {
  if (value.is_none()) return codegen::Of(Kind::kNone);
  if (value.is_bool()) return codegen::Of(Kind::kBool);
  if (value.is_int()) return codegen::Of(Kind::kInt);
  if (value.is_float()) return codegen::Of(Kind::kFloat);
  if (value.is_text()) return codegen::Of(Kind::kText);
  if (value.is_dtype()) return codegen::Of(Kind::kDType);
  if (value.is_tensor())
    return IsSize(value, graph) ? codegen::Of(Kind::kSize) : codegen::TensorKind({graph->value(value).dtype});
  std::vector<Kind> items;
  for (const Val& item : value.AsList()) items.push_back(KindOf(item, graph));
  return codegen::ItemsOf(std::move(items));
}

std::vector<Val> HostSamples() {
  const double inf = std::numeric_limits<double>::infinity();
  return {Val(),
          true,
          0,
          1,
          -7,
          0.5,
          -2.5,
          2.0,
          inf,
          std::numeric_limits<double>::quiet_NaN(),
          "tanh",
          "inf",
          std::numeric_limits<int64_t>::max(),
          DType::kFloat32,
          DType::kInt64,
          DType::kBool,
          DType::kComplex64};
}

std::vector<Val> Tensors(TestGraph* graph) {
  return {graph->Input("f32", DType::kFloat32, {"2", "s0"}),  graph->Input("f16", DType::kFloat16, {"2", "3"}),
          graph->Input("i64", DType::kInt64, {"s0"}),         graph->Input("b", DType::kBool, {"2", "3"}),
          graph->Input("parts", DType::kFloat32, {"3", "2"}), graph->Input("c64", DType::kComplex64, {"2", "3"})};
}

std::vector<Sample> Samples(TestGraph* graph) {
  std::vector<Val> values = HostSamples();
  const std::vector<Val> tensors = Tensors(graph);
  values.insert(values.end(), tensors.begin(), tensors.end());
  const Val size = dim(tensors[0], 1);
  const Vals lists = {Val(Vals{}),
                      Val(Vals{0}),
                      Val(Vals{1, 0, 2}),
                      Val(Vals{0.5, 1}),
                      Val(Vals{size, 4}),
                      Val(Vals{"a", "b"}),
                      Val(Vals{Val(), 1}),
                      Val(Vals{tensors[0], tensors[2]}),
                      Val(Vals{Val(Vals{1, 2}), Val(Vals{3})})};
  values.push_back(size);
  values.insert(values.end(), lists.begin(), lists.end());
  std::vector<Sample> samples;
  for (const Val& value : values) samples.push_back({value.ToString(), value, KindOf(value, graph)});
  return samples;
}

// ---- agreement ----

// Returns whether the kind allows a value. A number computed from known tensors may leave them.
bool Fits(const Val& value, const Kind& kind, TestGraph* graph) {
  if (kind.bits == Kind::kAnything) return true;
  const Kind is = KindOf(value, graph);
  if (value.is_list()) {
    if ((kind.bits & Kind::kList) == 0) return false;
    const Vals& items = value.AsList();
    for (size_t i = 0; i < items.size(); ++i) {
      if (!kind.items.empty() && items.size() != kind.items.size()) return false;
      if (!Fits(items[i], kind.items.empty() ? kind.Element() : kind.items[i], graph)) return false;
    }
    return true;
  }
  const bool tensor = value.is_tensor() && (kind.bits & Kind::kTensor) && kind.dtypes.Has(graph->value(value).dtype);
  const bool known = value.is_int() && (kind.bits & Kind::kTensor) && kind.dtypes.Has(DType::kInt64);
  return tensor || known || (kind.bits & is.bits) != 0;
}

struct Outcome {
  std::optional<Val> value;
  std::string refusal;
};

Outcome OutcomeOf(const ExprPtr& expr, const Names& names, lowering::Context* context) {
  try {
    return {Evaluate(*expr, names, context), {}};
  } catch (const Refusal& refusal) {
    return {std::nullopt, refusal.what()};
  }
}

struct Answer {
  Kind kind;
  std::string mistakes;
};

Answer Check(const ExprPtr& expr, const std::vector<std::pair<std::string, Kind>>& names) {
  codegen::Issues issues;
  const std::vector<codegen::Def> no_defs;
  codegen::Evaluator evaluator({.opset = kOpset, .compute_in = nullptr, .issues = &issues, .uncovered = nullptr},
                               no_defs, no_defs);
  Environment environment;
  for (const auto& [name, kind] : names) environment.Define(name, {.kind = kind, .let = nullptr, .item = -1});
  Answer answer{evaluator.Evaluate(expr, environment), {}};
  codegen::Diagnostics diagnostics;
  issues.Report({kOpset}, &diagnostics);
  answer.mistakes = diagnostics.ToText();
  return answer;
}

class Language : public testing::Test {
 protected:
  Language() { Reset(); }

  // Graphs grow with every node.
  void Reset() {
    samples_.clear();
    graph_ = std::make_unique<TestGraph>(kOpset);
    samples_ = Samples(graph_.get());
  }

  // `text` is over the names a, b, c.
  void Agree(const std::string& text, const ExprPtr& expr, const std::vector<const Sample*>& values) {
    static constexpr const char* kNames[] = {"a", "b", "c"};
    Names names;
    std::vector<std::pair<std::string, Kind>> kinds;
    std::string where = text;
    for (size_t i = 0; i < values.size(); ++i) {
      names[kNames[i]] = values[i]->value;
      kinds.emplace_back(kNames[i], values[i]->kind);
      where += fmt::format(", {} = {}", kNames[i], values[i]->name);
    }
    const Answer answer = Check(expr, kinds);
    const Outcome outcome = OutcomeOf(expr, names, &graph_->context);
    if (!outcome.value) return;
    const bool never_equal = expr->Is(codegen::Operator::kEqual) || expr->Is(codegen::Operator::kNotEqual);
    if (never_equal && !answer.mistakes.empty())
      EXPECT_EQ(outcome.value->AsBool(), expr->Is(codegen::Operator::kNotEqual)) << where;
    else
      EXPECT_EQ(answer.mistakes, "") << where << "\n  the runtime computes " << outcome.value->ToString();
    EXPECT_TRUE(Fits(*outcome.value, answer.kind, graph_.get()))
        << where << "\n  is " << outcome.value->ToString() << ", the checker says " << codegen::ToText(answer.kind)
        << " " << answer.kind.dtypes.ToString();
  }

  void AgreeOnAll(const std::string& text, int count) {
    const ExprPtr expr = codegen::ParseForTest(text);
    Reset();
    for (size_t i = 0; i < samples_.size(); ++i)
      for (size_t j = 0; j < (count > 1 ? samples_.size() : 1); ++j)
        for (size_t k = 0; k < (count > 2 ? samples_.size() : 1); k += 5) {
          const std::vector<const Sample*> values = {&samples_[i], &samples_[j], &samples_[k]};
          Agree(text, expr, {values.begin(), values.begin() + count});
          if (graph_->graph.body.nodes.size() > 500) Reset();
        }
  }

  std::unique_ptr<TestGraph> graph_;
  std::vector<Sample> samples_;
};

TEST_F(Language, FunctionsAgree) {
  for (const lowering::BuiltinInfo& builtin : lowering::kBuiltins) {
    for (int count = builtin.min_args(); count <= builtin.max_args(); ++count) {
      const std::vector<std::string> names = {"a", "b", "c"};
      AgreeOnAll(fmt::format("{}({})", builtin.name, fmt::join(names.begin(), names.begin() + count, ", ")), count);
    }
  }
}

TEST_F(Language, OperatorsAgree) {
  for (const codegen::OperatorInfo& info : codegen::kOperators)
    info.unary ? AgreeOnAll(fmt::format("{} a", info.text), 1) : AgreeOnAll(fmt::format("a {} b", info.text), 2);
}

TEST_F(Language, OtherFormsAgree) {
  for (const char* text : {"[a, b]", "a[b]", "a[0]", "a[-1]"}) AgreeOnAll(text, 2);
  for (const char* text : {"a[b:c]", "a if b else c"}) AgreeOnAll(text, 3);
}

// ---- values ----

struct Computed {
  const char* text;
  const char* python;  // what Python prints; "refused" for its exceptions, for complex numbers and ints beyond 64 bits
};

const Computed kComputed[] = {
    {"7 // 2", "3"},
    {"-7 // 2", "-4"},
    {"7 // -2", "-4"},
    {"1.0 // 0.1", "9.0"},
    {"-7.5 // 2", "-4.0"},
    {"inf // 2", "nan"},
    {"-1 // inf", "-1.0"},
    {"1 // 0", "refused"},
    {"1 // 0.0", "refused"},
    {"7 % -3", "-2"},
    {"-7 % 3", "2"},
    {"-1.0 % 1", "0.0"},
    {"1.0 % -1", "-0.0"},
    {"5.5 % -2", "-0.5"},
    {"1 % inf", "1.0"},
    {"-1 % inf", "inf"},
    {"1 % 0", "refused"},
    {"2 ** 62", "4611686018427387904"},
    {"2 ** 63", "refused"},
    {"2 ** -1", "0.5"},
    {"0 ** -1", "refused"},
    {"0.0 ** -1", "refused"},
    {"(-8) ** 0.5", "refused"},
    {"10.0 ** 400", "refused"},
    {"nan ** 0", "1.0"},
    {"True + True", "2"},
    {"True / 2", "0.5"},
    {"-True", "-1"},
    {"9223372036854775807 + 1", "refused"},
    {"-9223372036854775807 - 2", "refused"},
    {"3037000500 * 3037000500", "refused"},
    {"9007199254740993 == 9007199254740992.0", "False"},
    {"9007199254740993 > 9007199254740992.0", "True"},
    {"9223372036854775807 < 9223372036854775808.0", "True"},
    {"1 == 1.0", "True"},
    {"True == 1", "True"},
    {"nan == nan", "False"},
    {"nan != nan", "True"},
    {"nan < 1", "False"},
    {"nan <= 1", "False"},
    {"nan >= 1", "False"},
    {"1 <= nan", "False"},
    {"inf > 9223372036854775807", "True"},
    {"0.0 == -0.0", "True"},
    {"None == None", "True"},
    {"None == 0", "False"},
    {"\"a\" < \"b\"", "True"},
    {"\"tan\" in \"tanh\"", "True"},
    {"\"ab\" + \"c\"", "\"abc\""},
    {"1 in [True]", "True"},
    {"[1, 2] == [1.0, 2]", "True"},
    {"[1] + [2, 3]", "[1, 2, 3]"},
    {"[0] * 3", "[0, 0, 0]"},
    {"[1, 2, 3][-2:]", "[2, 3]"},
    {"0 or 5", "5"},
    {"0 and 5", "0"},
    {"[] or None", "None"},
    {"abs(-2.5)", "2.5"},
    {"abs(-9223372036854775808)", "refused"},
    {"int(-2.7)", "-2"},
    {"int(inf)", "refused"},
    {"int(nan)", "refused"},
    {"float(\"-inf\")", "-inf"},
    {"float(3)", "3.0"},
    {"floor(-2.5)", "-3"},
    {"ceil(-2.5)", "-2"},
    {"sqrt(-1)", "refused"},
    {"min(1, 1.0)", "1"},
    {"max(1, 1.0)", "1"},
    {"max(nan, 1)", "nan"},
    {"min(nan, 1)", "nan"},
    {"max(1, nan)", "1"},
    {"max([2, 7, 3])", "7"},
    {"min([])", "refused"},
    {"sum([])", "0"},
    {"sum([True, 2])", "3"},
    {"product([2, 0.5])", "1.0"},
    {"range(3, 0, -1)", "[3, 2, 1]"},
    {"range(0, 3, 0)", "refused"},
    {"len(\"abc\")", "3"},
    {"split_text(\"ij,,jk\", \",\")[2]", "\"jk\""},
    {"len(split_text(\"ij,,jk\", \",\"))", "3"},
    {"len(split_text(\"\", \",\"))", "1"},
    {"split_text(\"a->b\", \"->\")[0] + split_text(\"a->b\", \"->\")[1]", "\"ab\""},
    {"split_text(\"a\", \"\")", "refused"},
    {"codes(\"aZ .\")", "[97, 90, 32, 46]"},
    {"codes(\"\")", "[]"},
    {"sorted([3, 1, 2])", "[1, 2, 3]"},
    {"reversed([3, 1])", "[1, 3]"},
    {"zip([1, 2], [3])", "[[1, 3]]"},
    {"enumerate([5])", "[[0, 5]]"},
    {"all([])", "True"},
    {"any([0, None])", "False"},
    {"repeat_to(2, 3)", "[2, 2, 2]"},
    {"swap([1, 2, 3], 0, -1)", "[3, 2, 1]"},
    {"inverse_perm([2, 0, 1])", "[1, 2, 0]"},
    {"without([1, 2, 1], 1)", "[2]"},
    {"move_last([1, 2, 3], 1)", "[2, 3, 1]"},
    {"axis(-1, 3)", "2"},
    {"axis(3, 3)", "refused"},
    {"cast(2.7, int64)", "2"},
    {"cast([1, None], float32)", "[1.0, None]"},
    {"cast(0.5, bool)", "True"},
    {"finfo_max(float16)", "65504.0"},
    {"iinfo_min(int8)", "-128"},
};

TEST_F(Language, ComputesWhatPythonPrints) {
  for (const Computed& c : kComputed) {
    const Outcome outcome = OutcomeOf(codegen::ParseForTest(c.text), {}, &graph_->context);
    EXPECT_EQ(outcome.value ? outcome.value->ToString() : "refused", c.python) << c.text << "  " << outcome.refusal;
  }
}

}  // namespace
}  // namespace onnxport::language
