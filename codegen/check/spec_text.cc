#include "codegen/check/spec_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <string_view>

namespace onnxport::codegen {
namespace {

// Python's binding strength, weakest first.
int Strength(const Expr& expr) {
  static const std::map<std::string_view, int> kBinary = {
      {"or", 2},     {"and", 3}, {"==", 5}, {"!=", 5}, {"<", 5}, {"<=", 5}, {">", 5}, {">=", 5}, {"in", 5},
      {"not in", 5}, {"+", 6},   {"-", 6},  {"*", 7},  {"/", 7}, {"//", 7}, {"%", 7}, {"**", 9},
  };
  switch (expr.kind) {
    case ExprKind::kConditional:
      return 1;
    case ExprKind::kUnary:
      return expr.text == "not" ? 4 : 8;
    case ExprKind::kBinary:
      return kBinary.at(expr.text);
    default:
      return 10;
  }
}

std::string Bound(const Expr& expr, int strength) {
  const std::string text = SpecText(expr);
  return Strength(expr) < strength ? "(" + text + ")" : text;
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
                                 SpecText(*expr.operands[1]));
  if (expr.operands.size() > 2) text += " if " + SpecText(*expr.operands[2]);
  return text + "]";
}

std::string SliceText(const Expr& expr) {
  const auto bound = [&](size_t i) {
    return expr.operands[i]->kind == ExprKind::kNone ? std::string() : SpecText(*expr.operands[i]);
  };
  return fmt::format("{}[{}:{}]", Bound(*expr.operands[0], 10), bound(1), bound(2));
}

}  // namespace

std::string FloatText(double value) {
  const std::string text = fmt::format("{}", value);
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
      return FloatText(expr.float_value);
    case ExprKind::kString:
      return "\"" + expr.text + "\"";
    case ExprKind::kName:
      return expr.text;
    case ExprKind::kCall:
      return expr.text + "(" + Joined(expr, "=") + ")";
    case ExprKind::kList:
      return "[" + Joined(expr, "=") + "]";
    case ExprKind::kDict:
      return "{" + Joined(expr, ": ") + "}";
    case ExprKind::kComprehension:
      return Comprehension(expr);
    case ExprKind::kStar:
      return "*" + Bound(*expr.operands[0], 2);
    case ExprKind::kDoubleStar:
      return "**" + SpecText(*expr.operands[0]);
    case ExprKind::kConditional:
      return fmt::format("{} if {} else {}", Bound(*expr.operands[0], 2), Bound(*expr.operands[1], 2),
                         Bound(*expr.operands[2], 1));
    case ExprKind::kUnary:
      return (expr.text == "not" ? "not " : "-") + Bound(*expr.operands[0], Strength(expr));
    case ExprKind::kBinary:
      return fmt::format("{} {} {}", Bound(*expr.operands[0], Strength(expr)), expr.text,
                         Bound(*expr.operands[1], Strength(expr) + 1));
    case ExprKind::kIndex:
      return fmt::format("{}[{}]", Bound(*expr.operands[0], 10), SpecText(*expr.operands[1]));
    case ExprKind::kSlice:
      return SliceText(expr);
  }
  return "";
}

}  // namespace onnxport::codegen
