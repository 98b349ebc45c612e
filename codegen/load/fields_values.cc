// Reads the values of keys: expressions, and names with expressions.
#include <algorithm>
#include <memory>
#include <utility>

#include "codegen/load/expression.h"
#include "codegen/load/fields.h"
#include "codegen/load/lexer.h"
#include "fmt/format.h"

namespace onnxport::codegen {
namespace {

// A conditional that stands inside another one; null when there is none. `a if p else b if q else c` is read wrongly by
// most people; `cases:` shows the same as a list.
const Expr* NestedConditional(const Expr& expr, bool inside) {
  const bool is_conditional = expr.kind == ExprKind::kConditional;
  if (is_conditional && inside) return &expr;
  for (const ExprPtr& operand : expr.operands)
    if (const Expr* found = NestedConditional(*operand, inside || is_conditional)) return found;
  for (const auto& [name, value] : expr.named)
    if (const Expr* found = NestedConditional(*value, inside || is_conditional)) return found;
  return nullptr;
}

// `{group: groups, strides: 'repeat_to(stride, n)'}` as the value of a let.
ExprPtr ReadDict(const YamlNode& node, Diagnostics* diagnostics) {
  auto dict = std::make_shared<Expr>();
  dict->kind = ExprKind::kDict;
  dict->place = node.place;
  for (size_t i = 0; i < node.keys.size(); ++i) {
    const PlacedText& key = node.keys[i].text;
    if (!IsIdentifier(key.text())) {
      diagnostics->Error(node.keys[i].place, fmt::format("`{}` is not a name", key.text().substr(0, 80)));
      return nullptr;
    }
    ExprPtr value = ReadExpression(node.items[i], fmt::format("`{}`", key.text()), diagnostics);
    if (value == nullptr) return nullptr;
    dict->named.emplace_back(key.text(), std::move(value));
  }
  return dict;
}

struct Arm {
  ExprPtr when, value;
};

std::string InQuotes(const Clause& clause) { return fmt::format("`{}`", clause.key); }

}  // namespace

ExprPtr ReadExpression(const YamlNode& node, std::string_view what, Diagnostics* diagnostics) {
  if (node.kind == YamlKind::kText) {
    ExprPtr expr = ParseExpression(node.text, diagnostics, node.in_flow && !node.quoted);
    const Expr* nested = expr ? NestedConditional(*expr, false) : nullptr;
    if (nested != nullptr)
      diagnostics->Error(nested->place, "a conditional inside another one; use `cases:` in a `let` or a `def`");
    return expr;
  }
  const char* advice = node.kind == YamlKind::kList   ? "; quote a list: '[a, b]'"
                       : node.kind == YamlKind::kNull ? "; write None"
                                                      : "";
  diagnostics->Error(node.place, fmt::format("{} is an expression, here is {}{}", what, KindText(node), advice));
  return nullptr;
}

ExprPtr ReadValueCases(const YamlNode& node, Diagnostics* diagnostics) {
  std::vector<Arm> arms;
  const auto items = ReadList(node, "`cases`", diagnostics);
  for (size_t i = 0; i < items.size(); ++i) {
    const Fields fields(items[i], kOfValueCase, diagnostics);
    const YamlNode* when = fields.Find("when");
    const YamlNode* value = fields.Find("value");
    const bool is_last = i + 1 == items.size();
    if (is_last && when != nullptr) diagnostics->Error(when->place, "the last case of a value has no `when`");
    if (!is_last && when == nullptr)
      diagnostics->Error(items[i].place, "a case without `when` that is not the last: the others are never taken");
    arms.push_back({when ? ReadExpression(*when, "`when`", diagnostics) : nullptr,
                    value ? ReadExpression(*value, "`value`", diagnostics) : nullptr});
    if ((!is_last && !arms.back().when) || !arms.back().value) return nullptr;
  }
  if (arms.size() < 2) {
    if (node.kind == YamlKind::kList) diagnostics->Error(node.place, "`cases` of a value are two or more");
    return nullptr;
  }
  // From the last to the first: `[{when: p, value: a}, {when: q, value: b}, {value: c}]` becomes `a if p else (b if q
  // else c)`. These are the only conditionals that nest.
  ExprPtr result = arms.back().value;
  for (size_t i = arms.size() - 1; i-- > 0;) {
    auto conditional = std::make_shared<Expr>();
    conditional->kind = ExprKind::kConditional;
    conditional->place = arms[i].when->place;
    conditional->operands = {arms[i].value, arms[i].when, std::move(result)};
    result = std::move(conditional);
  }
  return result;
}

bool IsValueCases(const YamlNode& node) {
  return node.kind == YamlKind::kMap && node.keys.size() == 1 && node.keys[0].text.text() == "cases";
}

ExprPtr ReadValue(const YamlNode& node, std::string_view what, Diagnostics* diagnostics) {
  return IsValueCases(node) ? ReadValueCases(node.items[0], diagnostics) : ReadExpression(node, what, diagnostics);
}

std::vector<Let> ReadLets(const YamlNode& node, std::string_view what, Diagnostics* diagnostics) {
  std::vector<Let> lets;
  if (node.kind != YamlKind::kMap) {
    diagnostics->Error(node.place, fmt::format("{} is a map `{{name: expression}}`, here is {}", what, KindText(node)));
  }
  for (size_t i = 0; i < node.keys.size(); ++i) {
    Let let;
    let.place = node.keys[i].place;
    // `y, h: RNN(...)` names two results.
    for (const PlacedText& name : Split(node.keys[i].text, ',')) {
      if (!CheckNewName(name, diagnostics)) continue;
      if (std::count(let.names.begin(), let.names.end(), name.text()) > 0) {
        diagnostics->Error(name.At(0), fmt::format("`{}` repeats", name.text()));
      }
      let.names.push_back(name.text());
    }
    const YamlNode& value = node.items[i];
    // A map with the one key `cases` is a choice of values; any other is a dict of a node's arguments.
    let.value = value.kind == YamlKind::kMap && !IsValueCases(value)
                    ? ReadDict(value, diagnostics)
                    : ReadValue(value, fmt::format("`{}`", node.keys[i].text.text()), diagnostics);
    if (let.value == nullptr && value.in_flow && !value.quoted)
      break;  // the rest may be parts of a text that a comma cut
    if (let.value != nullptr) lets.push_back(std::move(let));
  }
  return lets;
}

void ReadClause(const YamlNode& node, const Clause& clause, std::optional<int>& opset, Diagnostics* diagnostics) {
  opset = ReadInt(node, InQuotes(clause), 1, kLargestOpset, diagnostics);
}

void ReadClause(const YamlNode& node, const Clause& clause, std::string& sentence, Diagnostics* diagnostics) {
  sentence = ReadSentence(node, InQuotes(clause), diagnostics);
}

void ReadClause(const YamlNode& node, const Clause& clause, bool& is_true, Diagnostics* diagnostics) {
  is_true = ReadTrue(node, InQuotes(clause), diagnostics);
}

void ReadClause(const YamlNode& node, const Clause& clause, ExprPtr& expr, Diagnostics* diagnostics) {
  expr = ReadExpression(node, InQuotes(clause), diagnostics);
}

void ReadClause(const YamlNode& node, const Clause& clause, std::vector<Let>& lets, Diagnostics* diagnostics) {
  lets = ReadLets(node, InQuotes(clause), diagnostics);
}

}  // namespace onnxport::codegen
