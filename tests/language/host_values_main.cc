// host_values_main: runs every operator of the language on every two sample values and prints one line for each. The
// fields are separated by tabs: the expression, the generator's result while it specializes ("-": it leaves it),
// whether the checker finds a mistake, and the runtime's result.
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/check/evaluator.h"
#include "codegen/load/expression.h"
#include "codegen/model/spec_text.h"
#include "codegen/specialize/literals.h"
#include "fmt/format.h"
#include "runtime/testing/emitted_graph.h"
#include "tests/language/interpreter.h"

namespace onnxport::language {
namespace {

using codegen::ExprKind;
using codegen::ExprPtr;

constexpr int kOpset = 18;

constexpr std::string_view kSamples[] = {
    "None",
    "True",
    "False",
    "0",
    "1",
    "-1",
    "2",
    "-7",
    "3",
    "62",
    "63",
    "4611686018427387905",
    "9007199254740993",
    "-9007199254740993",
    "9223372036854775807",
    "-9223372036854775808",
    "0.0",
    "-0.0",
    "0.1",
    "0.5",
    "-2.5",
    "3.0",
    "9007199254740992.0",
    "-9223372036854775808.0",
    "9223372036854775808.0",
    "1e300",
    "1E-310",
    "inf",
    "-inf",
    "nan",
    "\"\"",
    "\"a\"",
    "\"tan\"",
    "\"tanh\"",
    "[]",
    "[1]",
    "[True]",
    "[0.0, None]",
    "[[1], \"a\"]",
    "[2, 9007199254740993]",
};

ExprPtr Parse(const std::string& text) {
  codegen::Diagnostics diagnostics;
  const codegen::Place place{std::make_shared<codegen::SourceFile>(codegen::SourceFile{"x.yaml", text}), 1, 1};
  ExprPtr expr = ParseExpression(codegen::PlacedText(text, place), &diagnostics);
  if (!expr || diagnostics.has_errors()) throw std::runtime_error(diagnostics.ToText());
  return expr;
}

std::string Specialized(const codegen::Expr& expr) {
  const bool computes =
      expr.kind == ExprKind::kUnary || expr.kind == ExprKind::kArithmetic || expr.kind == ExprKind::kComparison;
  try {
    const ExprPtr known = computes ? codegen::ComputeLiterals(expr) : nullptr;
    return known ? codegen::SpecText(*known) : "-";
  } catch (const Refusal& refusal) {
    return std::string("refused: ") + refusal.what();
  }
}

bool IsMistake(const ExprPtr& expr) {
  codegen::Issues issues;
  const std::vector<codegen::Def> none;
  codegen::Evaluator evaluator({.opset = kOpset, .compute_in = nullptr, .issues = &issues, .uncovered = nullptr}, none,
                               none);
  codegen::Environment names;
  evaluator.Evaluate(expr, names);
  return !issues.empty();
}

std::string Computed(const codegen::Expr& expr, lowering::Context* context) {
  try {
    return Evaluate(expr, {}, context).ToString();
  } catch (const Refusal& refusal) {
    return std::string("refused: ") + refusal.what();
  }
}

void Print(const std::string& text, lowering::Context* context) {
  const ExprPtr expr = Parse(text);
  std::cout << fmt::format("{}\t{}\t{}\t{}\n", text, Specialized(*expr), IsMistake(expr) ? "mistake" : "fine",
                           Computed(*expr, context));
}

void Main() {
  lowering::TestGraph graph(kOpset);
  for (const codegen::OperatorInfo& info : codegen::kOperators)
    for (const std::string_view a : kSamples)
      if (info.unary)
        Print(fmt::format("{} ({})", info.text, a), &graph.context);
      else
        for (const std::string_view b : kSamples) Print(fmt::format("({}) {} ({})", a, info.text, b), &graph.context);
  for (const std::string_view a : kSamples) Print(fmt::format("1 if ({}) else 2", a), &graph.context);
}

}  // namespace
}  // namespace onnxport::language

int main() { onnxport::language::Main(); }
