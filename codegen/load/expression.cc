#include "codegen/load/expression.h"

#include <algorithm>
#include <utility>

#include "codegen/load/lexer.h"
#include "codegen/load/names.h"
#include "codegen/load/parser.h"
#include "fmt/format.h"
#include "fmt/ranges.h"

namespace onnxport::codegen {
namespace {

// Runs a part of the grammar over the whole text; reports what it throws.
template <typename Parse>
// Connects the parser, which throws, with the loader, which goes on with the next key. It reports one mistake for each
// text, as later ones most often follow from the first.
auto Run(const PlacedText& text, Diagnostics* diagnostics, const char* hint, Parse parse)
    -> decltype(parse(std::declval<Parser&>())) {
  try {
    Parser parser(text);
    auto result = parse(parser);
    // `Relu(x) y` is no expression, though its beginning is one.
    parser.ExpectEnd();
    return result;
  } catch (const SyntaxError& error) {
    // The hint is for `{emit: Clip(x, 0, 6)}`: YAML ends the text at the first comma, and what the parser sees is
    // `Clip(x`.
    const bool at_end = error.position >= text.text().size();
    diagnostics->Error(text.At(error.position), error.message + (at_end ? hint : ""));
    return {};
  }
}

ExprPtr Constant(Parser& parser) {
  const size_t position = parser.position();
  ExprPtr value = parser.Expression();
  if (!IsConstant(*value))
    throw SyntaxError{position, "a constant is expected: a number, a text, None, True, False or a list of them"};
  return value;
}

void EnumTable(Parser& parser, Refine* refine) {
  parser.Expect("{");
  do {
    ExprPtr from = Constant(parser);
    parser.Expect(":");
    refine->table.emplace_back(std::move(from), Constant(parser));
  } while (parser.Accept(",") && !parser.Sees("}"));
  parser.Expect("}");
}

std::optional<Refine> RefineIn(Parser& parser) {
  Refine refine;
  refine.place = parser.place();
  size_t kind = 0;
  // The words come from model/spec.h, in the order of the enumeration, so that one list serves parser and messages.
  while (kind < kRefinements.size() && !parser.Sees(NameOf(static_cast<RefineKind>(kind)))) ++kind;
  if (kind == kRefinements.size())
    parser.Fail(fmt::format("unknown refinement; there are {}", fmt::join(kRefinements, ", ")));
  refine.kind = static_cast<RefineKind>(kind);
  parser.Expect(NameOf(refine.kind));
  if (refine.kind == RefineKind::kIgnore) return refine;
  parser.Expect("(");
  switch (refine.kind) {
    case RefineKind::kAxis:
    case RefineKind::kAxisList:
      refine.tensor = parser.Word("the argument whose rank counts");
      break;
    case RefineKind::kMust:
      refine.value = Constant(parser);
      break;
    case RefineKind::kEnum:
      EnumTable(parser, &refine);
      break;
    default:
      refine.value = parser.Expression();
  }
  parser.Expect(")");
  return refine;
}

}  // namespace

ExprPtr ParseExpression(const PlacedText& text, Diagnostics* diagnostics, bool plain_in_flow) {
  const char* hint =
      plain_in_flow ? " (inside `{...}` and `[...]` a comma ends a plain text: quote the expression)" : "";
  return Run(text, diagnostics, hint, [](Parser& parser) { return parser.Expression(); });
}

std::optional<Refine> ParseRefine(const PlacedText& text, Diagnostics* diagnostics) {
  return Run(text, diagnostics, "", RefineIn);
}

std::optional<Signature> ParseSignature(const PlacedText& text, Diagnostics* diagnostics) {
  return Run(text, diagnostics, "", [](Parser& parser) -> std::optional<Signature> {
    Signature signature;
    signature.name = parser.NewName();
    parser.Expect("(");
    if (!parser.Sees(")")) signature.params = parser.Parameters(&signature.given);
    parser.Expect(")");
    return signature;
  });
}

std::optional<Each> ParseEach(const PlacedText& text, Diagnostics* diagnostics) {
  return Run(text, diagnostics, "", [](Parser& parser) -> std::optional<Each> {
    Each each;
    each.targets = parser.Targets();
    parser.Expect("in");
    each.in = parser.Expression();
    return each;
  });
}

bool CheckNewName(const PlacedText& name, Diagnostics* diagnostics) {
  const std::string problem = NewNameProblem(name.text());
  if (!problem.empty()) diagnostics->Error(name.At(0), problem);
  return problem.empty();
}

bool IsConstant(const Expr& expr) {
  switch (expr.kind) {
    case ExprKind::kNone:
    case ExprKind::kBool:
    case ExprKind::kInt:
    case ExprKind::kFloat:
    case ExprKind::kString:
    case ExprKind::kDType:
      return true;
    case ExprKind::kList:
      return std::all_of(expr.operands.begin(), expr.operands.end(), [](const ExprPtr& e) { return IsConstant(*e); });
    default:
      return false;
  }
}

}  // namespace onnxport::codegen
