#include "codegen/load/entry.h"

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "codegen/load/body.h"
#include "codegen/load/definition.h"
#include "codegen/load/expression.h"
#include "codegen/load/fields.h"
#include "codegen/load/lexer.h"
#include "codegen/load/repetition.h"
#include "codegen/load/test_call.h"
#include "codegen/load/traits.h"
#include "fmt/format.h"

namespace onnxport::codegen {
namespace {

// An entry is specialized for each name at each opset.
constexpr size_t kMostNames = 100;

// `aten::add.Tensor`
bool IsOperatorName(std::string_view name) {
  const size_t colons = name.find("::");
  if (colons == std::string_view::npos || !IsIdentifier(name.substr(0, colons))) return false;
  const std::string_view rest = name.substr(colons + 2);
  const size_t dot = rest.find('.');
  return IsIdentifier(rest.substr(0, dot)) && (dot == std::string_view::npos || IsIdentifier(rest.substr(dot + 1)));
}

const std::string& NameOf(const std::pair<const std::string, ExprPtr>& constant) { return constant.first; }

class EntryReader {
 public:
  explicit EntryReader(Diagnostics* diagnostics) : diagnostics_(diagnostics) {}

  OpEntry Entry(const YamlNode& node);
  TraitEntry OnlyTraits(const YamlNode& node);

 private:
  void Error(const Place& place, std::string message) { diagnostics_->Error(place, std::move(message)); }
  void Operators(const YamlNode& node, OpEntry* entry);
  void OperatorsWithConstants(const YamlNode& node, OpEntry* entry);
  void Operator(const YamlNode& item, OpEntry* entry);
  std::map<std::string, ExprPtr> Constants(const YamlNode& node);
  void Arguments(const YamlNode& node, OpEntry* entry);
  void Promote(const YamlNode& node, OpEntry* entry);
  void Tests(const YamlNode& node, OpEntry* entry);
  void Cases(const Fields& fields, const YamlNode& node, bool keys_are_known, OpEntry* entry);

  Diagnostics* diagnostics_;
};

// `{n: 2, mode: "sum"}`: what a name stands for in one operator of the entry.
std::map<std::string, ExprPtr> EntryReader::Constants(const YamlNode& node) {
  std::map<std::string, ExprPtr> constants;
  if (node.kind != YamlKind::kMap || node.keys.empty()) Error(node.place, "an operator's constants are a map `{n: 2}`");
  for (size_t i = 0; i < node.keys.size(); ++i) {
    const PlacedText& name = node.keys[i].text;
    if (!CheckNewName(name, diagnostics_)) continue;
    ExprPtr value = ReadExpression(node.items[i], "a constant", diagnostics_);
    if (value != nullptr && !IsConstant(*value)) Error(value->place, "a constant is expected");
    if (value != nullptr) constants.emplace(name.text(), std::move(value));
  }
  return constants;
}

// `op: {aten::conv1d: {n: 1}, aten::conv2d: {n: 2}}`
void EntryReader::OperatorsWithConstants(const YamlNode& node, OpEntry* entry) {
  for (size_t i = 0; i < node.keys.size(); ++i) {
    Operator(node.keys[i], entry);
    entry->constants.push_back(Constants(node.items[i]));
    if (!std::ranges::equal(entry->constants[0], entry->constants.back(), {}, NameOf, NameOf))
      Error(node.keys[i].place, "every operator of an entry has the same constants");
  }
  if (entry->constants.size() == 1) Error(node.place, "constants of a single operator: make them `let`");
}

void EntryReader::Operator(const YamlNode& item, OpEntry* entry) {
  const PlacedText* text = ReadText(item, "an operator's name", diagnostics_);
  if (text == nullptr) return;
  if (!IsOperatorName(text->text())) {
    Error(item.place,
          fmt::format("`{}` is no operator; names are written `aten::add.Tensor`", text->text().substr(0, 80)));
  } else if (std::count(entry->names.begin(), entry->names.end(), text->text()) > 0) {
    Error(item.place, fmt::format("`{}` repeats", text->text()));
  } else {
    entry->names.push_back(text->text());
    entry->name_places.push_back(item.place);
  }
}

void EntryReader::Operators(const YamlNode& node, OpEntry* entry) {
  if (node.kind == YamlKind::kMap) return OperatorsWithConstants(node, entry);
  const auto items = ReadOneOrMore(node, "`op`", diagnostics_);
  if (items.size() > kMostNames) {
    Error(node.place, fmt::format("{} operators in one entry; at most {}", items.size(), kMostNames));
    return;
  }
  for (const YamlNode* item : items) Operator(*item, entry);
}

void EntryReader::Arguments(const YamlNode& node, OpEntry* entry) {
  if (node.kind != YamlKind::kMap) Error(node.place, "`args` is a map `{argument: refinement}`");
  for (size_t i = 0; i < node.keys.size(); ++i) {
    const std::string& name = node.keys[i].text.text();
    if (!IsIdentifier(name))
      Error(node.keys[i].place, fmt::format("`{}` is not the name of an argument", name.substr(0, 80)));
    const PlacedText* text = ReadText(node.items[i], "a refinement", diagnostics_);
    if (text == nullptr) continue;
    auto refine = ParseRefine(*text, diagnostics_);
    if (!refine) continue;
    // The place of the argument's name: a mistake is most often that it does not fit this argument.
    refine->place = node.keys[i].place;
    entry->args.emplace_back(name, std::move(*refine));
  }
}

void EntryReader::Promote(const YamlNode& node, OpEntry* entry) {
  const Fields fields(node, kOfPromote, diagnostics_);
  PromoteRule rule;
  rule.place = node.place;
  if (const YamlNode* of = fields.Require("of")) {
    for (const YamlNode* item : ReadOneOrMore(*of, "`of`", diagnostics_)) {
      const PlacedText* text = ReadText(*item, "the name of an argument", diagnostics_);
      if (text == nullptr) continue;
      if (!IsIdentifier(text->text()))
        Error(item->place, fmt::format("`{}` is not a name", text->text().substr(0, 80)));
      rule.of.push_back(text->text());
    }
  }
  if (const YamlNode* kind = fields.Find("kind")) {
    static constexpr std::string_view kKinds[] = {"default", "float", "bool"};
    const PlacedText* text = ReadText(*kind, "`kind`", diagnostics_);
    const auto* found =
        std::find(std::begin(kKinds), std::end(kKinds), text ? std::string_view(text->text()) : "default");
    if (found == std::end(kKinds)) {
      Error(kind->place, fmt::format("`kind` is default, float or bool{}", DidYouMean(text->text(), kKinds)));
    } else {
      rule.kind = static_cast<PromoteKind>(found - std::begin(kKinds));
    }
  }
  entry->promote = std::move(rule);
}

// An entry's own body is its only case; its `compute_in` holds for the cases that have none.
void EntryReader::Cases(const Fields& fields, const YamlNode& node, bool keys_are_known, OpEntry* entry) {
  const YamlNode* cases = fields.Find("cases");
  if (cases == nullptr) {
    Case only;
    only.place = node.place;
    only.body = ReadBody(fields, node.place, diagnostics_);
    if (keys_are_known && !HasBody(fields))
      Error(node.place, "an entry needs `emit`, `list`, `sequence`, `map`, `if`, `cases`, `hook` or `refuse`");
    entry->cases.push_back(std::move(only));
  } else {
    for (std::string_view key : kBodyKeys) {
      if (fields.Find(key))
        Error(fields.Key(key)->place, fmt::format("`{}` beside `cases`: make it the last case", key));
    }
    const auto items = ReadList(*cases, "`cases`", diagnostics_);
    if (items.empty() && cases->kind == YamlKind::kList) Error(cases->place, "`cases` is an empty list");
    for (const YamlNode& item : items) entry->cases.push_back(ReadCase(item, diagnostics_));
  }
  const YamlNode* compute_in = fields.Find("compute_in");
  if (compute_in == nullptr) return;
  const ComputeIn rule = ReadComputeIn(*compute_in, diagnostics_);
  for (Case& c : entry->cases) {
    // A case with a `compute_in` of its own replaces that of the entry, and adds nothing to it.
    if (c.compute_in.to.empty()) c.compute_in = rule;
  }
}

void EntryReader::Tests(const YamlNode& node, OpEntry* entry) {
  for (const YamlNode& item : ReadList(node, "`tests`", diagnostics_)) {
    if (item.kind == YamlKind::kText)
      entry->tests.push_back(ReadTestCall(item.text, entry->names, diagnostics_));
    else
      Error(item.place, kNoTestCall);
  }
}

OpEntry EntryReader::Entry(const YamlNode& node) {
  const int errors = diagnostics_->error_count();
  const Fields fields(node, kOfEntry, diagnostics_);
  const bool keys_are_known = diagnostics_->error_count() == errors;
  OpEntry entry;
  entry.place = node.place;
  if (node.kind != YamlKind::kMap) return entry;
  if (const YamlNode* op = fields.Require("op")) Operators(*op, &entry);
  if (const YamlNode* override_key = fields.Find("override")) {
    entry.overrides = ReadTrue(*override_key, "`override`", diagnostics_);
  }
  if (const YamlNode* args = fields.Find("args")) Arguments(*args, &entry);
  if (const YamlNode* promote = fields.Find("promote")) Promote(*promote, &entry);
  if (const YamlNode* require = fields.Find("require")) {
    entry.require = ReadExpression(*require, "`require`", diagnostics_);
    // As written, too: the message of the refusal quotes it. So it must be a sentence that C++ can hold.
    if (require->kind == YamlKind::kText) entry.require_text = ReadSentence(*require, "`require`", diagnostics_);
  }
  ReadOpsets(fields, &entry.since, &entry.until, diagnostics_);
  entry.lets = LetsAt(fields, "let", diagnostics_);
  if (const YamlNode* def = fields.Find("def")) entry.defs = ReadLocalDefs(*def, diagnostics_);
  entry.repetition = ReadRepetition(fields, diagnostics_);
  Cases(fields, node, keys_are_known, &entry);
  if (const YamlNode* tests = fields.Find("tests")) Tests(*tests, &entry);
  entry.traits = ReadTraits(fields, diagnostics_);
  return entry;
}

TraitEntry EntryReader::OnlyTraits(const YamlNode& node) {
  const Fields fields(node, kOfTraitItem, diagnostics_);
  OpEntry entry;
  if (const YamlNode* op = fields.Require("op")) Operators(*op, &entry);
  // Read as an entry of which only the names are kept: one reader of operators' names.
  return {std::move(entry.names), std::move(entry.name_places), ReadTraits(fields, diagnostics_)};
}

}  // namespace

OpEntry ReadEntry(const YamlNode& node, Diagnostics* diagnostics) { return EntryReader(diagnostics).Entry(node); }

TraitEntry ReadTraitEntry(const YamlNode& node, Diagnostics* diagnostics) {
  return EntryReader(diagnostics).OnlyTraits(node);
}

}  // namespace onnxport::codegen
