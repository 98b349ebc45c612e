#include "codegen/load/definition.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "codegen/load/expression.h"
#include "codegen/load/fields.h"
#include "codegen/load/repetition.h"
#include "fmt/format.h"

namespace onnxport::codegen {
namespace {

// The only case of a definition, which is always taken.
Case Gives(ExprPtr value, const Place& place) {
  Case only;
  only.body.emit = {std::move(value)};
  only.body.place = place;
  only.place = place;
  return only;
}

void ReadSignature(const PlacedText& text, Def* def, Diagnostics* diagnostics) {
  if (auto signature = ParseSignature(text, diagnostics)) {
    def->name = std::move(signature->name);
    def->params = std::move(signature->params);
    def->given = std::move(signature->given);
  }
}

// `emit: {values: x, places: i}`: a list, whose elements have names.
ExprPtr NamedResults(const YamlNode& node, Def* def, Diagnostics* diagnostics) {
  auto list = std::make_shared<Expr>();
  list->kind = ExprKind::kList;
  list->place = node.place;
  if (node.keys.empty()) diagnostics->Error(node.place, "`emit` is an empty map");
  for (size_t i = 0; i < node.keys.size(); ++i) {
    const PlacedText& name = node.keys[i].text;
    ExprPtr value = ReadExpression(node.items[i], fmt::format("`{}`", name.text()), diagnostics);
    if (!CheckNewName(name, diagnostics) || !value) continue;
    def->results.push_back(name.text());
    list->operands.push_back(std::move(value));
  }
  return list;
}

void ReadParts(const Fields& fields, Def* def, Diagnostics* diagnostics) {
  ReadClauses(
      fields, def,
      Overloaded{
          [&](const YamlNode& node, const Clause& clause, auto& part) { ReadClause(node, clause, part, diagnostics); },
          // These clauses are read below. Some depend on several keys, and some are keys of a name, which an entry's
          // definitions have elsewhere.
          [](const YamlNode&, const Clause&, std::string&, std::vector<std::string>&, auto& /*given*/) {},
          [](const YamlNode&, const Clause&, std::optional<Repetition>&) {},
          [](const YamlNode&, const Clause&, std::vector<std::string>& /*results*/) {},
          [](const YamlNode&, const Clause&, std::vector<Case>&) {},
      });
  if (fields.Find("what") && !fields.Find("since"))
    diagnostics->Error(fields.Key("what")->place, "`what` says what needs the opset of `since`, which is missing");
  def->repetition = ReadRepetition(fields, diagnostics);
  const YamlNode* cases = fields.Find("cases");
  if (cases != nullptr && fields.Find("emit")) diagnostics->Error(cases->place, "`cases` beside `emit`: one of them");
  if (cases != nullptr) {
    def->cases = {Gives(ReadValueCases(*cases, diagnostics), cases->place)};
  } else if (const YamlNode* emit = fields.Require("emit")) {  // with `cases` there is none to require
    ExprPtr value = emit->kind == YamlKind::kMap ? NamedResults(*emit, def, diagnostics)
                                                 : ReadExpression(*emit, "`emit`", diagnostics);
    def->cases = {Gives(std::move(value), emit->place)};
  }
}

}  // namespace

Def ReadDef(const YamlNode& node, Diagnostics* diagnostics) {
  const Fields fields(node, kOfDefinition, diagnostics);
  Def def;
  def.place = node.place;
  const YamlNode* name = fields.Find("def");
  const PlacedText* text = name ? ReadText(*name, "`def`", diagnostics) : nullptr;
  if (text != nullptr) ReadSignature(*text, &def, diagnostics);
  ReadParts(fields, &def, diagnostics);
  return def;
}

std::vector<Def> ReadLocalDefs(const YamlNode& node, Diagnostics* diagnostics) {
  std::vector<Def> defs;
  if (node.kind != YamlKind::kMap) diagnostics->Error(node.place, "`def` is a map `{name(a, b): expression}`");
  for (size_t i = 0; i < node.keys.size(); ++i) {
    Def def;
    def.place = node.keys[i].place;
    ReadSignature(node.keys[i].text, &def, diagnostics);
    if (node.items[i].kind == YamlKind::kMap)
      ReadParts(Fields(node.items[i], kOfLocalDefinition, diagnostics), &def, diagnostics);
    else
      def.cases = {Gives(ReadExpression(node.items[i], "a definition", diagnostics), node.items[i].place)};
    const bool repeats = std::any_of(defs.begin(), defs.end(), [&](const Def& d) { return d.name == def.name; });
    if (repeats) diagnostics->Error(def.place, fmt::format("definition `{}` repeats", def.name));
    defs.push_back(std::move(def));
  }
  return defs;
}

}  // namespace onnxport::codegen
