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

void CheckOpsets(const Fields& fields, const std::optional<int>& since, const std::optional<int>& until,
                 Diagnostics* diagnostics) {
  if (since && until && *since > *until)
    diagnostics->Error(fields.Find("until")->place, fmt::format("`until` {} is before `since` {}", *until, *since));
}

ComputeIn ReadComputeIn(const YamlNode& node, Diagnostics* diagnostics) {
  const Fields fields(node, kOfComputeIn, diagnostics);
  ComputeIn rule;
  rule.place = node.place;
  const auto read_dtype = [&](const YamlNode& value, const Clause& clause, std::map<std::string, std::string>& to) {
    const PlacedText* text = ReadText(value, "a dtype", diagnostics);
    if (text == nullptr) return;
    if (!IsDTypeWord(text->text()))
      diagnostics->Error(value.place,
                         fmt::format("no dtype `{}`; write float32, int64 ...", text->text().substr(0, 40)));
    to[std::string(clause.key)] = text->text();
  };
  const auto read = [&](const YamlNode& value, const Clause& clause, std::string& lossy) {
    ReadClause(value, clause, lossy, diagnostics);
  };
  ReadClauses(fields, &rule, Overloaded{read_dtype, read});
  return rule;
}

namespace {

// Results with their names in the schema, or without names all of them in order.
struct Results {
  std::vector<NamedResult> names;
  std::vector<ExprPtr> values;
};

Results ReadResults(const YamlNode& node, std::string_view what, Diagnostics* diagnostics) {
  Results results;
  if (node.kind == YamlKind::kMap) {
    if (node.keys.empty()) diagnostics->Error(node.place, fmt::format("{} is an empty map", what));
    for (size_t i = 0; i < node.keys.size(); ++i) {
      const std::string& name = node.keys[i].text.text();
      results.names.push_back({name, node.keys[i].place});
      results.values.push_back(ReadExpression(node.items[i], fmt::format("`{}`", name.substr(0, 80)), diagnostics));
    }
    return results;
  }
  for (const YamlNode* item : ReadOneOrMore(node, what, diagnostics))
    results.values.push_back(ReadExpression(*item, what, diagnostics));
  return results;
}

void ReadEmit(const YamlNode& node, Body* body, Diagnostics* diagnostics) {
  Results results = ReadResults(node, "`emit`", diagnostics);
  body->names = std::move(results.names);
  body->emit = std::move(results.values);
}

// The results of `else` in the order of `then`, which names them, too.
void PlaceLike(const Results& then, Results* otherwise, Diagnostics* diagnostics) {
  const Results given = std::move(*otherwise);
  otherwise->values.clear();
  for (const NamedResult& result : then.names) {
    const auto found = std::ranges::find(given.names, result.name, &NamedResult::name);
    if (found == given.names.end())
      diagnostics->Error(result.place, fmt::format("`then` has the result `{}`, `else` has not", result.name));
    else
      otherwise->values.push_back(given.values[static_cast<size_t>(found - given.names.begin())]);
  }
  for (const NamedResult& result : given.names)
    if (std::ranges::find(then.names, result.name, &NamedResult::name) == then.names.end())
      diagnostics->Error(result.place, fmt::format("`else` has the result `{}`, `then` has not", result.name));
}

// `if: condition`, `then: results`, `else: results`
void ReadBranches(const Fields& fields, const YamlNode& condition, Body* body, Diagnostics* diagnostics) {
  // One flat list: the condition, the results of `then`, as many of `else`. So whoever walks over all expressions of a
  // body needs no case for `if`.
  body->emit.push_back(ReadExpression(condition, "`if`", diagnostics));
  const YamlNode* then = fields.Require("then");
  const YamlNode* otherwise = fields.Require("else");
  if (!then || !otherwise) return;
  const Results yes = ReadResults(*then, "`then`", diagnostics);
  Results no = ReadResults(*otherwise, "`else`", diagnostics);
  if (!yes.names.empty() && !no.names.empty())
    PlaceLike(yes, &no, diagnostics);
  else if (yes.names.empty() != no.names.empty())
    diagnostics->Error(otherwise->place, "results have names in both of `then` and `else`, or in neither");
  else if (yes.values.size() != no.values.size())
    diagnostics->Error(otherwise->place,
                       fmt::format("`then` has {} results, `else` has {}", yes.values.size(), no.values.size()));
  body->names = yes.names;
  body->emit.insert(body->emit.end(), yes.values.begin(), yes.values.end());
  body->emit.insert(body->emit.end(), no.values.begin(), no.values.end());
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
      ReadEmit(*value, &body, diagnostics);
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
  ReadClauses(
      fields, &result,
      Overloaded{
          [&](const YamlNode& value, const Clause& clause, auto& part) {
            ReadClause(value, clause, part, diagnostics);
          },
          [&](const YamlNode& value, const Clause&, ComputeIn& rule) { rule = ReadComputeIn(value, diagnostics); },
          [](const YamlNode&, const Clause&, Body&) {},  // all of its keys together
      });
  CheckOpsets(fields, result.since, result.until, diagnostics);
  result.body = ReadBody(fields, node.place, diagnostics);
  if (keys_are_known && !HasBody(fields))
    diagnostics->Error(node.place, "a case needs `emit`, `list`, `sequence`, `map`, `if` or `refuse`");
  return result;
}

}  // namespace onnxport::codegen
