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

}  // namespace

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
  for (const Clause& clause : kClauses)
    if (IsNeeded(clause, owner)) Require(clause.key);
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

}  // namespace onnxport::codegen
