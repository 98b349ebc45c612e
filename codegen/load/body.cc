#include "codegen/load/body.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "codegen/load/expression.h"
#include "codegen/load/lexer.h"
#include "codegen/load/names.h"
#include "codegen/model/cpp_keywords.h"
#include "fmt/format.h"

namespace onnxport::codegen {
namespace {

// `hooks::index_put`: identifiers joined by `::`. Strict, as the name is written into C++ as it stands: "f(); g" would
// be code.
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
  if (first != nullptr) *since = ReadInt(*first, "`since`", 1, kLargestOpset, diagnostics);
  if (last != nullptr) *until = ReadInt(*last, "`until`", 1, kLargestOpset, diagnostics);
  if (*since && *until && **since > **until)
    diagnostics->Error(last->place, fmt::format("`until` {} is before `since` {}", **until, **since));
}

std::vector<Let> LetsAt(const Fields& fields, std::string_view key, Diagnostics* diagnostics) {
  const YamlNode* node = fields.Find(key);
  return node == nullptr ? std::vector<Let>() : ReadLets(*node, fmt::format("`{}`", key), diagnostics);
}

namespace {

void ReadEach(const YamlNode& node, Repetition* repetition, Diagnostics* diagnostics) {
  const PlacedText* text = ReadText(node, "`each`", diagnostics);
  if (auto parsed = text ? ParseEach(*text, diagnostics) : std::nullopt) {
    repetition->each = std::move(parsed->targets);
    repetition->in = std::move(parsed->in);
  }
}

Repetition ReadFold(const YamlNode& node, Diagnostics* diagnostics) {
  const Fields fields(node, kOfFold, diagnostics);
  Repetition fold;
  fold.place = node.place;
  if (const YamlNode* each = fields.Require("each")) ReadEach(*each, &fold, diagnostics);
  // `carry` and `scan` of a loop, `init` and `collect` of a fold go into the same members: one is unrolled, the other
  // becomes a node, and the rest of the generator asks `kind` only where that matters.
  fold.init = LetsAt(fields, "init", diagnostics);
  fold.lets = LetsAt(fields, "let", diagnostics);
  fold.next = LetsAt(fields, "next", diagnostics);
  fold.collect = LetsAt(fields, "collect", diagnostics);
  if (node.kind == YamlKind::kMap && !fields.Find("next") && !fields.Find("collect")) {
    diagnostics->Error(node.place, "`fold` needs `next` or `collect`");
  }
  return fold;
}

Repetition ReadLoop(const YamlNode& node, Diagnostics* diagnostics) {
  const Fields fields(node, kOfLoop, diagnostics);
  Repetition loop;
  loop.kind = Repetition::Kind::kLoop;
  loop.place = node.place;
  if (const YamlNode* each = fields.Find("each")) ReadEach(*each, &loop, diagnostics);
  if (loop.each.size() > 1) {
    diagnostics->Error(node.place, "`each` of a loop names one thing, the number of the iteration: `i in count`");
  }
  if (const YamlNode* go_on = fields.Find("while")) loop.go_on = ReadExpression(*go_on, "`while`", diagnostics);
  loop.init = LetsAt(fields, "carry", diagnostics);
  loop.lets = LetsAt(fields, "let", diagnostics);
  loop.next = LetsAt(fields, "next", diagnostics);
  loop.collect = LetsAt(fields, "scan", diagnostics);
  if (node.kind != YamlKind::kMap) return loop;
  // Without a count and without a condition it would never end.
  if (!fields.Find("each") && !fields.Find("while"))
    diagnostics->Error(node.place, "`loop` needs `each: i in count`, or `while`");
  if (!fields.Find("next") && !fields.Find("scan")) diagnostics->Error(node.place, "`loop` needs `next` or `scan`");
  return loop;
}

}  // namespace

std::optional<Repetition> ReadRepetition(const Fields& fields, Diagnostics* diagnostics) {
  const YamlNode* fold = fields.Find("fold");
  const YamlNode* loop = fields.Find("loop");
  if (fold && loop) diagnostics->Error(loop->place, "`loop` beside `fold`: one of them");
  if (loop) return ReadLoop(*loop, diagnostics);
  return fold ? std::optional(ReadFold(*fold, diagnostics)) : std::nullopt;
}

ComputeIn ReadComputeIn(const YamlNode& node, Diagnostics* diagnostics) {
  const Fields fields(node, kOfComputeIn, diagnostics);
  ComputeIn rule;
  rule.place = node.place;
  if (const YamlNode* lossy = fields.Find("lossy")) rule.lossy = ReadSentence(*lossy, "`lossy`", diagnostics);
  for (const std::string_view key : KeysOf(kOfComputeIn)) {
    const YamlNode* value = key == "lossy" ? nullptr : fields.Find(key);
    const PlacedText* text = value ? ReadText(*value, "a dtype", diagnostics) : nullptr;
    if (text == nullptr) continue;
    if (!IsDTypeWord(text->text()))
      diagnostics->Error(value->place,
                         fmt::format("no dtype `{}`; write float32, int64 ...", text->text().substr(0, 40)));
    rule.to[std::string(key)] = text->text();
  }
  return rule;
}

namespace {

void ReadResults(const YamlNode& node, std::string_view what, Body* body, Diagnostics* diagnostics) {
  for (const YamlNode* item : ReadOneOrMore(node, what, diagnostics)) {
    body->emit.push_back(ReadExpression(*item, what, diagnostics));
  }
}

// `if: condition`, `then: results`, `else: results`
void ReadBranches(const Fields& fields, const YamlNode& condition, Body* body, Diagnostics* diagnostics) {
  // One flat list: the condition, the results of `then`, as many of `else`. So whoever walks over all expressions of a
  // body needs no case for `if`.
  body->emit.push_back(ReadExpression(condition, "`if`", diagnostics));
  const YamlNode* then = fields.Require("then");
  const YamlNode* otherwise = fields.Require("else");
  if (then) ReadResults(*then, "`then`", body, diagnostics);
  const size_t results = body->emit.size() - 1;
  if (otherwise) ReadResults(*otherwise, "`else`", body, diagnostics);
  if (then && otherwise && body->emit.size() != 1 + 2 * results)
    diagnostics->Error(otherwise->place,
                       fmt::format("`then` has {} results, `else` has {}", results, body->emit.size() - 1 - results));
}

// `map: x in list`, `emit: expression` -> `[expression for x in list]`
void ReadMap(const Fields& fields, const YamlNode& each, Body* body, Diagnostics* diagnostics) {
  const PlacedText* text = ReadText(each, "`map`", diagnostics);
  auto parsed = text ? ParseEach(*text, diagnostics) : std::nullopt;
  const YamlNode* emit = fields.Require("emit");
  ExprPtr element = emit ? ReadExpression(*emit, "`emit`", diagnostics) : nullptr;
  if (!parsed || !element) return;
  if (parsed->targets.size() > 1) diagnostics->Error(each.place, "`map` names one thing: `x in list`");
  auto map = std::make_shared<Expr>();
  map->kind = ExprKind::kComprehension;
  map->place = each.place;
  map->operands = {std::move(element), std::move(parsed->in)};
  map->names = std::move(parsed->targets);
  body->emit.push_back(std::move(map));
}

const YamlNode* FindBody(const Fields& fields, Body* body, Diagnostics* diagnostics) {
  const YamlNode* value = nullptr;
  for (size_t i = 0; i < kBodyKeys.size(); ++i) {
    const YamlNode* node = fields.Find(kBodyKeys[i]);
    if (node == nullptr) continue;
    // `map: x in xs` with `emit: f(x)`: "emit" comes first in kBodyKeys, so it was taken for the body; `map` takes it
    // over.
    const bool emit_of_map = kBodyKeys[i] == "map" && body->kind == Body::Kind::kEmit;
    if (value != nullptr && !emit_of_map)
      diagnostics->Error(fields.Key(kBodyKeys[i])->place, fmt::format("`{}` beside `{}`: one of them", kBodyKeys[i],
                                                                      kBodyKeys[static_cast<size_t>(body->kind)]));
    value = node;
    // kBodyKeys is in the order of the enumeration.
    body->kind = static_cast<Body::Kind>(i);
    body->place = fields.Key(kBodyKeys[i])->place;
  }
  for (const std::string_view key : {"then", "else"}) {
    if (fields.Find(key) && body->kind != Body::Kind::kIf)
      diagnostics->Error(fields.Key(key)->place, fmt::format("`{}` without `if`", key));
  }
  return value;
}

}  // namespace

Body ReadBody(const Fields& fields, const Place& place, Diagnostics* diagnostics) {
  Body body;
  body.place = place;
  const YamlNode* value = FindBody(fields, &body, diagnostics);
  if (value == nullptr) return body;
  switch (body.kind) {
    case Body::Kind::kEmit:
      ReadResults(*value, "`emit`", &body, diagnostics);
      break;
    case Body::Kind::kList:
      body.emit.push_back(ReadExpression(*value, "`list`", diagnostics));
      break;
    case Body::Kind::kSequence:
      body.emit.push_back(ReadExpression(*value, "`sequence`", diagnostics));
      break;
    case Body::Kind::kIf:
      ReadBranches(fields, *value, &body, diagnostics);
      break;
    case Body::Kind::kMap:
      ReadMap(fields, *value, &body, diagnostics);
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
  const Fields fields(node, kOfCase, diagnostics);
  // After an unknown key (`emti`) it would be no help to hear that `emit` is missing, too.
  const bool keys_are_known = diagnostics->error_count() == errors;
  Case result;
  result.place = node.place;
  if (const YamlNode* when = fields.Find("when")) result.when = ReadExpression(*when, "`when`", diagnostics);
  ReadOpsets(fields, &result.since, &result.until, diagnostics);
  result.lets = LetsAt(fields, "let", diagnostics);
  result.body = ReadBody(fields, node.place, diagnostics);
  if (keys_are_known && !HasBody(fields))
    diagnostics->Error(node.place, "a case needs `emit`, `list`, `sequence`, `map`, `if` or `refuse`");
  const YamlNode* compute_in = fields.Find("compute_in");
  if (compute_in != nullptr) result.compute_in = ReadComputeIn(*compute_in, diagnostics);
  return result;
}

}  // namespace onnxport::codegen
