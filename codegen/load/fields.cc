#include "codegen/load/fields.h"

#include <algorithm>
#include <charconv>
#include <memory>
#include <utility>

#include "codegen/load/expression.h"
#include "codegen/load/lexer.h"
#include "fmt/format.h"
#include "fmt/ranges.h"

namespace onnxport::codegen {
namespace {

constexpr size_t kLongestSentence = 300;

// "`each` belongs to `fold` or `loop`"; empty for what no map has.
std::string BelongsElsewhere(std::string_view key) {
  std::vector<std::string_view> owners;
  std::string_view hint;
  for (const auto& [owner, word] : kOwnerWords) {
    const Clause* clause = FindClause(owner, key);
    if (!clause || (!owners.empty() && owners.back() == word)) continue;
    owners.push_back(word);
    hint = hint.empty() ? clause->hint : hint;
  }
  if (owners.empty()) return {};
  const std::string_view last = owners.back();
  owners.pop_back();
  return fmt::format("`{}` belongs to {}{}{}{}{}", key, fmt::join(owners, ", "), owners.empty() ? "" : " or ", last,
                     hint.empty() ? "" : "; ", hint);
}

std::string UnknownKey(std::string_view key, Owner owner) {
  if (key == "result") return "`result` is not in the language: results get their types from the operator schemas";
  // Before the nearest name: to somebody who writes `while` in a case, "did you mean `value`?" would be wrong.
  if (std::string message = BelongsElsewhere(key); !message.empty()) return message;
  std::vector<std::string_view> known = KeysOf(owner);
  const std::string nearest = DidYouMean(key, known);
  std::sort(known.begin(), known.end());
  return fmt::format("{} has no key `{}`{} (keys: {})", WordOf(owner),
                     key.substr(0, std::min<size_t>(key.find('\n'), 80)), nearest, fmt::join(known, ", "));
}

std::string KindText(const YamlNode& node) {
  switch (node.kind) {
    case YamlKind::kText: {
      const std::string& text = node.text.text();
      return fmt::format("`{}`", text.substr(0, std::min<size_t>(text.find('\n'), 40)));
    }
    case YamlKind::kNull:
      return "null";
    case YamlKind::kEmpty:
      return "nothing";
    case YamlKind::kList:
      return "a list";
    default:
      return "a map";
  }
}

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

}  // namespace

Fields::Fields(const YamlNode& map, Owner owner, Diagnostics* diagnostics)
    : map_(map), what_(WordOf(owner)), diagnostics_(diagnostics) {
  if (map.kind != YamlKind::kMap) {
    diagnostics->Error(map.place, fmt::format("{} is a map of keys and values, here is {}", what_, KindText(map)));
  }
  std::string last;
  for (const YamlNode& key : map.keys) {
    if (FindClause(owner, key.text.text())) continue;
    std::string message = UnknownKey(key.text.text(), owner);
    // A key that stands there twice is reported by yaml.cc as well; once is enough here.
    if (message != last) diagnostics->Error(key.place, message);
    last = std::move(message);
  }
}

const YamlNode* Fields::Find(std::string_view key) const {
  for (size_t i = 0; i < map_.keys.size(); ++i) {
    if (map_.keys[i].text.text() == key) return &map_.items[i];
  }
  return nullptr;
}

const YamlNode* Fields::Key(std::string_view key) const {
  for (const YamlNode& node : map_.keys) {
    if (node.text.text() == key) return &node;
  }
  return nullptr;
}

const YamlNode* Fields::Require(std::string_view key) const {
  const YamlNode* node = Find(key);
  if (node == nullptr && map_.kind == YamlKind::kMap) {
    diagnostics_->Error(map_.place, fmt::format("{} needs the key `{}`", what_, key));
  }
  return node;
}

const PlacedText* ReadText(const YamlNode& node, std::string_view what, Diagnostics* diagnostics) {
  if (node.kind != YamlKind::kText || node.text.text().empty()) {
    diagnostics->Error(node.place, fmt::format("{} is a text, here is {}", what, KindText(node)));
    return nullptr;
  }
  const size_t line_end = node.text.text().find('\n');
  if (line_end != std::string::npos) {
    diagnostics->Error(node.text.At(line_end), fmt::format("{} has a line end in it", what));
    return nullptr;
  }
  return &node.text;
}

std::string ReadSentence(const YamlNode& node, std::string_view what, Diagnostics* diagnostics) {
  const PlacedText* text = ReadText(node, what, diagnostics);
  if (text == nullptr) return {};
  // The sentence is put into a literal of C++ and into Markdown.
  const size_t backslash = text->text().find('\\');
  if (backslash != std::string::npos) {
    diagnostics->Error(text->At(backslash), fmt::format("{} has a `\\` in it", what));
    return {};
  }
  if (text->text().size() > kLongestSentence) {
    diagnostics->Error(text->At(kLongestSentence), fmt::format("{} has at most {} bytes", what, kLongestSentence));
    return {};
  }
  return text->text();
}

std::optional<int> ReadInt(const YamlNode& node, std::string_view what, int min, int max, Diagnostics* diagnostics) {
  int value = 0;
  // "13" in quotes is a text to every other reader of YAML.
  bool valid = node.kind == YamlKind::kText && !node.quoted;
  if (valid) {
    const std::string& text = node.text.text();
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    // YAML 1.1 reads 010 as 8.
    const bool leading_zero = text.size() > 1 && text[0] == '0';
    valid = code == std::errc() && end == text.data() + text.size() && !leading_zero && value >= min && value <= max;
  }
  if (valid) return value;
  diagnostics->Error(node.place,
                     fmt::format("{} is a whole number from {} to {}, here is {}", what, min, max, KindText(node)));
  return std::nullopt;
}

bool ReadTrue(const YamlNode& node, std::string_view what, Diagnostics* diagnostics) {
  const PlacedText* text = ReadText(node, what, diagnostics);
  const bool is_true = text != nullptr && text->text() == "true";
  if (text != nullptr && !is_true) diagnostics->Error(node.place, fmt::format("{} is `true`, or is left out", what));
  return is_true;
}

std::vector<const YamlNode*> ReadOneOrMore(const YamlNode& node, std::string_view what, Diagnostics* diagnostics) {
  if (node.kind != YamlKind::kList) return {&node};
  if (node.items.empty()) diagnostics->Error(node.place, fmt::format("{} is an empty list", what));
  std::vector<const YamlNode*> items;
  for (const YamlNode& item : node.items) items.push_back(&item);
  return items;
}

std::span<const YamlNode> ReadList(const YamlNode& node, std::string_view what, Diagnostics* diagnostics) {
  if (node.kind == YamlKind::kList) return node.items;
  diagnostics->Error(node.place, fmt::format("{} is a list, here is {}", what, KindText(node)));
  return {};
}

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

namespace {

struct Arm {
  ExprPtr when, value;
};

}  // namespace

ExprPtr ReadValueCases(const YamlNode& node, Diagnostics* diagnostics) {
  std::vector<Arm> arms;
  const auto items = ReadList(node, "`cases`", diagnostics);
  for (size_t i = 0; i < items.size(); ++i) {
    const Fields fields(items[i], kOfValueCase, diagnostics);
    const YamlNode* when = fields.Find("when");
    const YamlNode* value = fields.Require("value");
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

}  // namespace onnxport::codegen
