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

using Constants = std::map<std::string, ExprPtr>;

class EntryReader {
 public:
  explicit EntryReader(Diagnostics* diagnostics) : diagnostics_(diagnostics) {}

  OpEntry Entry(const YamlNode& node);
  TraitEntry OnlyTraits(const YamlNode& node);

 private:
  void Error(const Place& place, std::string message) { diagnostics_->Error(place, std::move(message)); }

  // Each clause by what it is kept in: what only entries have, and all else as it is read everywhere.
  void Read(const YamlNode& node, const Clause& clause, auto& part) { ReadClause(node, clause, part, diagnostics_); }
  void Read(const YamlNode& op, const Clause&, std::vector<std::string>& names, std::vector<Place>& places,
            std::vector<Constants>& constants);
  void Read(const YamlNode& op, const Clause&, std::vector<std::string>& names, std::vector<Place>& places);
  void Read(const YamlNode& node, const Clause&, std::vector<std::pair<std::string, Refine>>& args);
  void Read(const YamlNode& node, const Clause&, std::optional<PromoteRule>& promote);
  void Read(const YamlNode& node, const Clause& clause, ExprPtr& require, std::string& text);
  void Read(const YamlNode& node, const Clause&, std::vector<Def>& defs) { defs = ReadLocalDefs(node, diagnostics_); }
  void Read(const YamlNode& node, const Clause&, std::vector<TestCase>& tests);
  // Read behind the others, as several keys say them.
  void Read(const YamlNode&, const Clause&, std::optional<Repetition>&) {}
  void Read(const YamlNode&, const Clause&, std::vector<Case>&) {}

  void Operator(const YamlNode& item, std::vector<std::string>* names, std::vector<Place>* places);
  Constants ConstantsOf(const YamlNode& node);
  void Cases(const Fields& fields, const YamlNode& node, bool keys_are_known);

  OpEntry entry_;
  Diagnostics* diagnostics_;
};

// `{n: 2, mode: "sum"}`: what a name stands for in one operator of the entry.
Constants EntryReader::ConstantsOf(const YamlNode& node) {
  Constants constants;
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

void EntryReader::Operator(const YamlNode& item, std::vector<std::string>* names, std::vector<Place>* places) {
  const PlacedText* text = ReadText(item, "an operator's name", diagnostics_);
  if (text == nullptr) return;
  if (!IsOperatorName(text->text())) {
    Error(item.place,
          fmt::format("`{}` is no operator; names are written `aten::add.Tensor`", text->text().substr(0, 80)));
  } else if (std::count(names->begin(), names->end(), text->text()) > 0) {
    Error(item.place, fmt::format("`{}` repeats", text->text()));
  } else {
    names->push_back(text->text());
    places->push_back(item.place);
  }
}

void EntryReader::Read(const YamlNode& op, const Clause&, std::vector<std::string>& names, std::vector<Place>& places) {
  const auto items = ReadOneOrMore(op, "`op`", diagnostics_);
  if (items.size() > kMostNames) {
    Error(op.place, fmt::format("{} operators in one entry; at most {}", items.size(), kMostNames));
    return;
  }
  for (const YamlNode* item : items) Operator(*item, &names, &places);
}

void EntryReader::Read(const YamlNode& op, const Clause& clause, std::vector<std::string>& names,
                       std::vector<Place>& places, std::vector<Constants>& constants) {
  if (op.kind != YamlKind::kMap) return Read(op, clause, names, places);
  // `op: {aten::conv1d: {n: 1}, aten::conv2d: {n: 2}}`
  for (size_t i = 0; i < op.keys.size(); ++i) {
    Operator(op.keys[i], &names, &places);
    constants.push_back(ConstantsOf(op.items[i]));
    if (!std::ranges::equal(constants[0], constants.back(), {}, NameOf, NameOf))
      Error(op.keys[i].place, "every operator of an entry has the same constants");
  }
  if (constants.size() == 1) Error(op.place, "constants of a single operator: make them `let`");
}

void EntryReader::Read(const YamlNode& node, const Clause&, std::vector<std::pair<std::string, Refine>>& args) {
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
    args.emplace_back(name, std::move(*refine));
  }
}

void ReadArguments(const YamlNode& node, std::vector<std::string>* arguments, Diagnostics* diagnostics) {
  for (const YamlNode* item : ReadOneOrMore(node, "`of`", diagnostics)) {
    const PlacedText* text = ReadText(*item, "the name of an argument", diagnostics);
    if (text == nullptr) continue;
    if (!IsIdentifier(text->text()))
      diagnostics->Error(item->place, fmt::format("`{}` is not a name", text->text().substr(0, 80)));
    arguments->push_back(text->text());
  }
}

void ReadPromoteKind(const YamlNode& node, PromoteKind* kind, Diagnostics* diagnostics) {
  static constexpr std::string_view kKinds[] = {"default", "float", "bool"};
  const PlacedText* text = ReadText(node, "`kind`", diagnostics);
  const auto* found =
      std::find(std::begin(kKinds), std::end(kKinds), text ? std::string_view(text->text()) : "default");
  if (found == std::end(kKinds))
    diagnostics->Error(node.place, fmt::format("`kind` is default, float or bool{}", DidYouMean(text->text(), kKinds)));
  else
    *kind = static_cast<PromoteKind>(found - std::begin(kKinds));
}

void EntryReader::Read(const YamlNode& node, const Clause&, std::optional<PromoteRule>& promote) {
  const Fields fields(node, kOfPromote, diagnostics_);
  PromoteRule rule;
  rule.place = node.place;
  ReadClauses(fields, &rule,
              Overloaded{[&](const YamlNode& value, const Clause&, std::vector<std::string>& of) {
                           ReadArguments(value, &of, diagnostics_);
                         },
                         [&](const YamlNode& value, const Clause&, PromoteKind& kind) {
                           ReadPromoteKind(value, &kind, diagnostics_);
                         }});
  promote = std::move(rule);
}

void EntryReader::Read(const YamlNode& node, const Clause& clause, ExprPtr& require, std::string& text) {
  Read(node, clause, require);
  // As written, too: the message of the refusal quotes it. So it must be a sentence that C++ can hold.
  if (node.kind == YamlKind::kText) Read(node, clause, text);
}

// An entry's own body is its only case; its `compute_in` holds for the cases that have none.
void EntryReader::Cases(const Fields& fields, const YamlNode& node, bool keys_are_known) {
  const YamlNode* cases = fields.Find("cases");
  if (cases == nullptr) {
    Case only;
    only.place = node.place;
    only.body = ReadBody(fields, node.place, diagnostics_);
    if (keys_are_known && !HasBody(fields))
      Error(node.place, "an entry needs `emit`, `list`, `sequence`, `map`, `if`, `cases`, `hook` or `refuse`");
    entry_.cases.push_back(std::move(only));
  } else {
    for (std::string_view key : kBodyKeys) {
      if (fields.Find(key))
        Error(fields.Key(key)->place, fmt::format("`{}` beside `cases`: make it the last case", key));
    }
    const auto items = ReadList(*cases, "`cases`", diagnostics_);
    if (items.empty() && cases->kind == YamlKind::kList) Error(cases->place, "`cases` is an empty list");
    for (const YamlNode& item : items) entry_.cases.push_back(ReadCase(item, diagnostics_));
  }
  const YamlNode* compute_in = fields.Find("compute_in");
  if (compute_in == nullptr) return;
  const ComputeIn rule = ReadComputeIn(*compute_in, diagnostics_);
  for (Case& c : entry_.cases) {
    // A case with a `compute_in` of its own replaces that of the entry, and adds nothing to it.
    if (c.compute_in.to.empty()) c.compute_in = rule;
  }
}

void EntryReader::Read(const YamlNode& node, const Clause&, std::vector<TestCase>& tests) {
  for (const YamlNode& item : ReadList(node, "`tests`", diagnostics_)) {
    if (item.kind == YamlKind::kText)
      tests.push_back(ReadTestCall(item.text, entry_.names, diagnostics_));
    else
      Error(item.place, kNoTestCall);
  }
}

OpEntry EntryReader::Entry(const YamlNode& node) {
  const int errors = diagnostics_->error_count();
  const Fields fields(node, kOfEntry, diagnostics_);
  const bool keys_are_known = diagnostics_->error_count() == errors;
  entry_.place = node.place;
  if (node.kind != YamlKind::kMap) return std::move(entry_);
  // `op` is the first in the table: tests are read with the names.
  ReadClauses(fields, &entry_,
              [this](const YamlNode& value, const Clause& clause, auto&... parts) { Read(value, clause, parts...); });
  CheckOpsets(fields, entry_.since, entry_.until, diagnostics_);
  entry_.repetition = ReadRepetition(fields, diagnostics_);
  Cases(fields, node, keys_are_known);
  return std::move(entry_);
}

TraitEntry EntryReader::OnlyTraits(const YamlNode& node) {
  const Fields fields(node, kOfTraitItem, diagnostics_);
  TraitEntry item;
  ReadClauses(fields, &item,
              [this](const YamlNode& value, const Clause& clause, auto&... parts) { Read(value, clause, parts...); });
  return item;
}

}  // namespace

OpEntry ReadEntry(const YamlNode& node, Diagnostics* diagnostics) { return EntryReader(diagnostics).Entry(node); }

TraitEntry ReadTraitEntry(const YamlNode& node, Diagnostics* diagnostics) {
  return EntryReader(diagnostics).OnlyTraits(node);
}

}  // namespace onnxport::codegen
