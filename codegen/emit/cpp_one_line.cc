#include "codegen/emit/cpp_one_line.h"

#include <algorithm>
#include <map>
#include <string_view>

namespace onnxport::codegen::cpp {
namespace {

using Kind = Node::Kind;

// How strongly operators bind, as C++ ranks them.
enum Strength { kWeakest = 0, kTernary, kOr, kAnd, kEqual, kRelation, kSum, kProduct, kPrefix, kPrimary };

int StrengthOf(const Node& node) {
  // "=" is the assignment of a carried value in a fold; specs have none.
  static const std::map<std::string_view, int> kInfix = {
      {"||", kOr},       {"&&", kAnd},     {"==", kEqual},    {"!=", kEqual}, {"<", kRelation},
      {"<=", kRelation}, {">", kRelation}, {">=", kRelation}, {"+", kSum},    {"-", kSum},
      {"*", kProduct},   {"/", kProduct},  {"%", kProduct},   {"=", kWeakest}};
  if (node.kind == Kind::kConditional) return kTernary;
  if (node.kind == Kind::kPrefix) return kPrefix;
  return node.kind == Kind::kInfix ? kInfix.at(node.text) : kPrimary;
}

// The weakest binding with which an operand may stand without parentheses. Compilers want more parentheses than the
// language: `(a && b) || c`, `(a == b) == c`.
int LeastStrength(const Node& parent, size_t operand) {
  const int strength = StrengthOf(parent);
  switch (parent.kind) {
    case Kind::kInfix:
      if (strength == kOr || strength == kAnd)
        return operand == 0 && strength == kAnd ? kAnd : strength + (operand > 0);
      // Both sides in parentheses when they compare, too: `(a == b) == c`.
      if (strength == kEqual || strength == kRelation) return kSum;
      // On the right one more: `a - (b - c)`.
      return strength + (operand > 0 && strength != kWeakest);
    case Kind::kConditional:
      return operand < 2 ? kOr : kTernary;
    case Kind::kPrefix:
    case Kind::kMember:
      return kPrimary;
    case Kind::kCall:
    case Kind::kIndex:
      return operand == 0 ? kPrimary : kWeakest;
    default:
      return kWeakest;
  }
}

std::optional<std::string> OneLineList(const Node& node, size_t first) {
  std::string list;
  for (size_t i = first; i < node.operands.size(); ++i) {
    const auto item = OneLineOperand(node, i);
    if (!item) return std::nullopt;
    list += (i > first ? ", " : "") + *item;
  }
  return list;
}

std::optional<std::string> OneLineLambda(const Node& node) {
  if (node.body.size() != 1 || node.body[0].kind != Statement::Kind::kReturn) return std::nullopt;
  const auto value = OneLine(*node.body[0].value);
  return value ? std::optional(Header(node) + " return " + *value + "; }") : std::nullopt;
}

}  // namespace

bool NeedsParentheses(const Node& parent, size_t operand) {
  const Node& child = *parent.operands[operand];
  const bool mixed = parent.text == "||" && child.text == "&&" && child.kind == Kind::kInfix;
  return mixed || StrengthOf(child) < LeastStrength(parent, operand);
}

std::string TextOf(const Parameter& parameter) {
  return parameter.name.empty() ? parameter.type : parameter.type + " " + parameter.name;
}

std::string Header(const Node& lambda) {
  std::string header = "[&]";
  if (!lambda.parameters.empty() || !lambda.text.empty()) {
    std::string parameters;
    for (const Parameter& parameter : lambda.parameters)
      parameters += (parameters.empty() ? "" : ", ") + TextOf(parameter);
    header += "(" + parameters + ")";
  }
  if (!lambda.text.empty()) header += " -> " + lambda.text;
  return header + " {";
}

std::optional<std::string> OneLineOperand(const Node& parent, size_t operand) {
  auto text = OneLine(*parent.operands[operand]);
  if (text && NeedsParentheses(parent, operand)) text = "(" + *text + ")";
  return text;
}

std::optional<std::string> OneLine(const Node& node) {
  if (node.kind == Kind::kAtom) return node.text;
  if (node.kind == Kind::kLambda) return OneLineLambda(node);
  const auto list = OneLineList(node, node.kind == Kind::kCall ? 1 : 0);
  const auto at = [&](size_t i) { return OneLineOperand(node, i).value_or(""); };
  if (!list) return std::nullopt;
  switch (node.kind) {
    case Kind::kCall:
      return at(0) + "(" + *list + ")";
    case Kind::kMember:
      return at(0) + "." + node.text;
    case Kind::kBraces:
      return node.text + "{" + *list + "}";
    case Kind::kField:
      return "." + node.text + " = " + at(0);
    case Kind::kInfix:
      return at(0) + " " + node.text + " " + at(1);
    case Kind::kPrefix:
      return node.text + at(0);
    case Kind::kConditional:
      return at(0) + " ? " + at(1) + " : " + at(2);
    case Kind::kIndex:
      return at(0) + "[" + at(1) + "]";
    case Kind::kAtom:
    case Kind::kLambda:
      break;
  }
  return std::nullopt;
}

// An estimate from below: the widest piece that cannot be broken, with the brackets around it.
size_t LeastColumns(const Node& node) {
  if (node.kind == Kind::kAtom) return node.text.size();
  if (node.kind == Kind::kLambda) return Header(node).size();
  size_t widest = 0;
  for (size_t i = node.kind == Kind::kCall ? 1 : 0; i < node.operands.size(); ++i)
    widest = std::max(widest, LeastColumns(*node.operands[i]) + node.text.size() + 2);
  if (node.kind == Kind::kCall) widest += OneLine(*node.operands[0]).value_or("").size();
  return widest;
}

}  // namespace onnxport::codegen::cpp
