#include "codegen/load/body.h"

#include <algorithm>
#include <string>
#include <utility>

#include "codegen/load/expression.h"
#include "codegen/load/lexer.h"
#include "codegen/load/names.h"
#include "fmt/format.h"

namespace onnxport::codegen {
namespace {

constexpr std::string_view kCaseKeys[] = {"when", "since", "until", "let", "emit", "list", "refuse", "widen"};
constexpr std::string_view kFoldKeys[] = {"each", "init", "let", "next", "collect"};
constexpr std::string_view kWidenKeys[] = {"int", "half", "bool", "double"};
constexpr int kNewestOpset = 99;  // the generator knows the real range

// `hooks::index_put`: identifiers joined by `::`.
bool IsFunctionName(std::string_view name) {
  while (true) {
    const size_t colons = name.find("::");
    const std::string_view part = name.substr(0, colons);
    if (!IsIdentifier(part) || IsCppKeyword(part)) return false;
    if (colons == std::string_view::npos) return true;
    name.remove_prefix(colons + 2);
  }
}

}  // namespace

void ReadOpsets(const Fields& fields, std::optional<int>* since, std::optional<int>* until, Diagnostics* diagnostics) {
  const YamlNode* first = fields.Find("since");
  const YamlNode* last = fields.Find("until");
  if (first != nullptr) *since = ReadInt(*first, "`since`", 1, kNewestOpset, diagnostics);
  if (last != nullptr) *until = ReadInt(*last, "`until`", 1, kNewestOpset, diagnostics);
  if (*since && *until && **since > **until)
    diagnostics->Error(last->place, fmt::format("`until` {} is before `since` {}", **until, **since));
}

std::vector<Let> LetsAt(const Fields& fields, std::string_view key, Diagnostics* diagnostics) {
  const YamlNode* node = fields.Find(key);
  return node == nullptr ? std::vector<Let>() : ReadLets(*node, fmt::format("`{}`", key), diagnostics);
}

Fold ReadFold(const YamlNode& node, Diagnostics* diagnostics) {
  const Fields fields(node, "`fold`", kFoldKeys, diagnostics);
  Fold fold;
  fold.place = node.place;
  if (const YamlNode* each = fields.Require("each")) {
    const PlacedText* text = ReadText(*each, "`each`", diagnostics);
    if (auto parsed = text ? ParseEach(*text, diagnostics) : std::nullopt) {
      fold.each = std::move(parsed->targets);
      fold.in = std::move(parsed->in);
    }
  }
  fold.init = LetsAt(fields, "init", diagnostics);
  fold.lets = LetsAt(fields, "let", diagnostics);
  fold.next = LetsAt(fields, "next", diagnostics);
  fold.collect = LetsAt(fields, "collect", diagnostics);
  if (node.kind == YamlKind::kMap && !fields.Find("next") && !fields.Find("collect")) {
    diagnostics->Error(node.place, "`fold` needs `next` or `collect`");
  }
  return fold;
}

WidenRule ReadWiden(const YamlNode& node, Diagnostics* diagnostics) {
  const Fields fields(node, "`widen`", kWidenKeys, diagnostics);
  WidenRule rule;
  rule.place = node.place;
  for (std::string_view key : kWidenKeys) {
    const YamlNode* value = fields.Find(key);
    const PlacedText* text = value ? ReadText(*value, "a dtype", diagnostics) : nullptr;
    if (text == nullptr) continue;
    if (!IsDTypeWord(text->text()))
      diagnostics->Error(value->place,
                         fmt::format("no dtype `{}`; write float32, int64 ...", text->text().substr(0, 40)));
    rule.to[std::string(key)] = text->text();
  }
  return rule;
}

Body ReadBody(const Fields& fields, const Place& place, Diagnostics* diagnostics) {
  Body body;
  body.place = place;
  const YamlNode* value = nullptr;
  for (size_t i = 0; i < kBodyKeys.size(); ++i) {
    const YamlNode* node = fields.Find(kBodyKeys[i]);
    if (node == nullptr) continue;
    if (value != nullptr)
      diagnostics->Error(fields.Key(kBodyKeys[i])->place, fmt::format("`{}` beside `{}`: one of them", kBodyKeys[i],
                                                                      kBodyKeys[static_cast<size_t>(body.kind)]));
    value = node;
    body.kind = static_cast<Body::Kind>(i);
    body.place = fields.Key(kBodyKeys[i])->place;
  }
  if (value == nullptr) return body;
  switch (body.kind) {
    case Body::Kind::kEmit:
      for (const YamlNode* item : ReadOneOrMore(*value, "`emit`", diagnostics)) {
        body.emit.push_back(ReadExpression(*item, "`emit`", diagnostics));
      }
      break;
    case Body::Kind::kList:
      body.emit.push_back(ReadExpression(*value, "`list`", diagnostics));
      break;
    case Body::Kind::kRefuse:
      body.text = ReadSentence(*value, "`refuse`", diagnostics);
      break;
    case Body::Kind::kHook:
      if (const PlacedText* text = ReadText(*value, "`hook`", diagnostics)) {
        body.text = text->text();
        if (!IsFunctionName(body.text))
          diagnostics->Error(value->place, fmt::format("`{}` is no C++ function; names are written `hooks::index_put`",
                                                       body.text.substr(0, 80)));
      }
      break;
  }
  return body;
}

bool HasBody(const Fields& fields) {
  return std::any_of(kBodyKeys.begin(), kBodyKeys.end(), [&](auto key) { return fields.Find(key) != nullptr; });
}

Case ReadCase(const YamlNode& node, Diagnostics* diagnostics) {
  const int errors = diagnostics->error_count();
  const Fields fields(node, "a case", kCaseKeys, diagnostics);
  const bool keys_are_known = diagnostics->error_count() == errors;
  Case result;
  result.place = node.place;
  if (const YamlNode* when = fields.Find("when")) result.when = ReadExpression(*when, "`when`", diagnostics);
  ReadOpsets(fields, &result.since, &result.until, diagnostics);
  result.lets = LetsAt(fields, "let", diagnostics);
  result.body = ReadBody(fields, node.place, diagnostics);
  if (keys_are_known && !HasBody(fields)) diagnostics->Error(node.place, "a case needs `emit`, `list` or `refuse`");
  if (const YamlNode* widen = fields.Find("widen")) result.widen = ReadWiden(*widen, diagnostics);
  return result;
}

}  // namespace onnxport::codegen
