#include "codegen/model/spec_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <numbers>
#include <string_view>

namespace onnxport::codegen {
namespace {

// -2 is one literal here, but it was written with a minus: `(-2) ** n` needs the parentheses, as `-2 ** n` is -(2 **
// n).
bool IsNegative(const Expr& expr) {
  return (expr.kind == ExprKind::kInt && expr.int_value < 0) ||
         (expr.kind == ExprKind::kFloat && std::signbit(expr.float_value));
}

Precedence PrecedenceOf(const Expr& expr) {
  switch (expr.kind) {
    case ExprKind::kConditional:
      return Precedence::kConditional;
    case ExprKind::kUnary:
    case ExprKind::kArithmetic:
    case ExprKind::kComparison:
    case ExprKind::kLogic:
      return InfoOf(expr.op).precedence;
    default:
      return IsNegative(expr) ? Precedence::kNegate : Precedence::kAtom;
  }
}

// In parentheses when it holds its operands together less than asked.
std::string Bound(const Expr& expr, Precedence least) {
  const std::string text = SpecText(expr);
  return PrecedenceOf(expr) < least ? "(" + text + ")" : text;
}

// `a - b - c` is `(a - b) - c`, `a ** b ** c` is `a ** (b ** c)`, and comparisons do not chain.
std::string Infix(const Expr& expr) {
  const auto& [op, text, precedence, unary] = InfoOf(expr.op);
  // Behind `**` a minus may stand bare: `a ** -b`.
  const bool power = op == Operator::kPower;
  const Precedence left = power || expr.kind == ExprKind::kComparison ? Tighter(precedence) : precedence;
  const Precedence right = power ? Precedence::kNegate : Tighter(precedence);
  return fmt::format("{} {} {}", Bound(*expr.operands[0], left), text, Bound(*expr.operands[1], right));
}

std::string Joined(const Expr& expr, std::string_view between_name_and_value) {
  std::string text;
  for (const ExprPtr& operand : expr.operands) text += (text.empty() ? "" : ", ") + SpecText(*operand);
  for (const auto& [name, value] : expr.named) {
    text += text.empty() ? "" : ", ";
    text += name + std::string(between_name_and_value) + SpecText(*value);
  }
  return text;
}

std::string Comprehension(const Expr& expr) {
  std::string text = fmt::format("[{} for {} in {}", SpecText(*expr.operands[0]), fmt::join(expr.names, ", "),
                                 Bound(*expr.operands[1], Precedence::kOr));
  if (expr.operands.size() > 2) text += " if " + Bound(*expr.operands[2], Precedence::kOr);
  return text + "]";
}

std::string SliceText(const Expr& expr) {
  const auto bound = [&](size_t i) {
    return expr.operands[i]->kind == ExprKind::kNone ? std::string() : SpecText(*expr.operands[i]);
  };
  return fmt::format("{}[{}:{}]", Bound(*expr.operands[0], Precedence::kAtom), bound(1), bound(2));
}

}  // namespace

std::string FloatText(double value) {
  const std::string text = fmt::format("{}", value);
  // "e" of 1e-05, "n" of nan, "i" of inf: those are floats already. 1.0 is printed "1" and would read back as an
  // integer.
  return text.find_first_of(".enai") == text.npos ? text + ".0" : text;
}

std::string SpecText(const Expr& expr) {
  switch (expr.kind) {
    case ExprKind::kNone:
      return "None";
    case ExprKind::kBool:
      return expr.bool_value ? "True" : "False";
    case ExprKind::kInt:
      return fmt::format("{}", expr.int_value);
    case ExprKind::kFloat:
      return expr.float_value == std::numbers::pi ? "pi" : FloatText(expr.float_value);
    case ExprKind::kString:
      return "\"" + expr.text + "\"";
    case ExprKind::kDType:
      return std::string(ir::Name(expr.dtype));
    case ExprKind::kOpset:
      return "opset";
    case ExprKind::kName:
      return expr.text;
    case ExprKind::kBuiltin:
      return fmt::format("{}({})", InfoOf(expr.builtin).name, Joined(expr, "="));
    case ExprKind::kNode:
    case ExprKind::kCall:
      return expr.text + "(" + Joined(expr, "=") + ")";
    case ExprKind::kList:
      return "[" + Joined(expr, "=") + "]";
    case ExprKind::kDict:
      return "{" + Joined(expr, ": ") + "}";
    case ExprKind::kComprehension:
      return Comprehension(expr);
    case ExprKind::kStar:
      return "*" + SpecText(*expr.operands[0]);
    case ExprKind::kDoubleStar:
      return "**" + SpecText(*expr.operands[0]);
    case ExprKind::kConditional:
      // Value and condition must be tighter than a conditional; the last part may be one: `a if p else b if q else c`.
      return fmt::format("{} if {} else {}", Bound(*expr.operands[0], Precedence::kOr),
                         Bound(*expr.operands[1], Precedence::kOr), SpecText(*expr.operands[2]));
    case ExprKind::kUnary:
      return (expr.op == Operator::kNot ? "not " : "-") + Bound(*expr.operands[0], InfoOf(expr.op).precedence);
    case ExprKind::kArithmetic:
    case ExprKind::kComparison:
    case ExprKind::kLogic:
      return Infix(expr);
    case ExprKind::kIndex:
      return fmt::format("{}[{}]", Bound(*expr.operands[0], Precedence::kAtom), SpecText(*expr.operands[1]));
    case ExprKind::kSlice:
      return SliceText(expr);
    case ExprKind::kField:
      return fmt::format("{}.{}", Bound(*expr.operands[0], Precedence::kAtom), expr.text);
  }
  return "";
}

}  // namespace onnxport::codegen
