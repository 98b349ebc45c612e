#include "codegen/emit/family.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "codegen/check/opset_text.h"
#include "codegen/emit/cpp_printer.h"
#include "codegen/emit/definition.h"
#include "codegen/emit/function.h"
#include "codegen/emit/names.h"
#include "codegen/model/uses.h"
#include "codegen/specialize/reachable.h"
#include "runtime/base/option_names.h"

namespace onnxport::codegen {
namespace {

// A function: several overloads of an entry may share it.
struct Definition {
  const OpEntry* entry;
  cpp::Function function;
  std::string body;  // its text
  std::vector<std::string> schemas;
  std::set<int> opsets;
};

// The kind of the table's row. The dispatcher's table can hold a refusal's text or a hook; everything else is a
// generated function. With `arms`, a case that is one of several is always a function, which reports that it ran.
Row::Kind KindOf(const SpecializedEntry& entry, const Arms* arms) {
  const Case& first = entry.mapping.cases[0];
  // Nothing comes before the only case: the table can hold what it says.
  const bool bare = !first.when && !entry.mapping.require && !(arms && entry.several_cases);
  if (bare && first.body.kind == Body::Kind::kRefuse) return Row::Kind::kRefusal;
  const bool hook = bare && first.body.kind == Body::Kind::kHook && entry.mapping.args.empty() &&
                    !entry.mapping.promote && first.compute_in.to.empty();
  return hook ? Row::Kind::kHook : Row::Kind::kFunction;
}

void AddRemarks(const SpecializedEntry& entry, const std::vector<ExprPtr>& reachable,
                std::map<std::string, std::set<int>>* remarks) {
  const auto add = [&](const std::string& text) { (*remarks)[text].insert(entry.opset); };
  for (const Case& item : entry.mapping.cases) {
    for (const auto& [from, to] : item.compute_in.to) add(fmt::format("{} through {}", from, to));
    if (item.body.kind == Body::Kind::kRefuse) add("refused: " + WithOptionNames(item.body.text, OptionAsKey));
  }
  for (const ExprPtr& whole : reachable)
    ForEach(*whole, [&](const Expr& expr) {
      if (expr.Is(Builtin::kRefuse)) add("refused: " + WithOptionNames(expr.operands[0]->text, OptionAsKey));
    });
}

class FamilyWriter {
 public:
  FamilyWriter(const SpecializedSpec& spec, Templates* templates, Arms* arms, std::string_view owner)
      : spec_(spec), templates_(templates), arms_(arms), owner_(owner) {}

  FamilyCode Write() {
    FamilyCode family{.family = spec_.family, .code = {}, .definitions = {}, .overloads = {}};
    for (const SpecializedOp& op : spec_.ops)
      for (const SpecializedOverload& overload : op.overloads) family.overloads.push_back(Overload(op.entry, overload));
    for (const std::string& text : defs_) family.definitions += text;
    for (const Definition& definition : definitions_) family.definitions += TextOf(definition);
    Holes holes = {{"spec", spec_.path},
                   {"functions", family.definitions},
                   {"namespace", NamespaceName(owner_)},
                   {"family", FamilyNamespace(spec_.family)}};
    if (arms_) holes["arms"] = ToText(*arms_);
    family.code = templates_->Fill(arms_ ? "family_with_arms.cc" : "family.cc", holes);
    return family;
  }

 private:
  OverloadCode Overload(const OpEntry& entry, const SpecializedOverload& overload) {
    OverloadCode code{.entry = &entry, .schema = overload.schema, .rows = {}, .epochs = {}, .remarks = {}};
    for (const auto& [opset, specialized] : overload.at) {
      // After an opset without a case a new epoch and a new row begin, even if they say what the last ones said.
      const bool goes_on = overload.at.contains(opset - 1);
      const std::vector<ExprPtr> reachable = Reachable(specialized, spec_.defs_at.at(opset));
      AddRemarks(specialized, reachable, &code.remarks);
      if (!entry.limits.empty()) code.remarks[entry.limits].insert(opset);
      Epoch epoch = EpochOf(specialized, reachable);
      if (!goes_on || !code.epochs.back().IsLike(epoch)) code.epochs.push_back(std::move(epoch));
      AddRow(entry, overload, specialized, goes_on, &code.rows);
    }
    return code;
  }

  void AddRow(const OpEntry& entry, const SpecializedOverload& overload, const SpecializedEntry& specialized,
              bool goes_on, std::vector<Row>* rows) {
    Row row{.overload = overload.schema->name,
            .since = specialized.opset,
            .until = specialized.opset,
            .kind = KindOf(specialized, arms_),
            .symbol = specialized.mapping.cases[0].body.text,
            .place = LineText(entry.place),
            .overrides = entry.overrides};
    if (row.kind == Row::Kind::kFunction) row.symbol = Define(entry, overload, specialized.opset);
    if (goes_on && rows->back().kind == row.kind && rows->back().symbol == row.symbol)
      ++rows->back().until;
    else
      rows->push_back(std::move(row));
  }

  // The name of the function of an overload.
  std::string Define(const OpEntry& entry, const SpecializedOverload& overload, int opset) {
    Definition& definition = DefinitionOf(entry, overload);
    definition.opsets.insert(opset);
    return definition.function.name;
  }

  Definition& DefinitionOf(const OpEntry& entry, const SpecializedOverload& overload) {
    const ir::AtenSchema& schema = *overload.schema;
    if (const auto known = definition_of_.find(schema.name); known != definition_of_.end())
      return definitions_[known->second];
    cpp::Function function = cpp::MakeFunction("Vals", FunctionName(schema.name), {{"Context&", "c"}},
                                               WriteFunction(overload.at_any, arms_));
    std::string body = cpp::ToText(function.body, 0);
    // By their text: add.Tensor and add.Scalar, which differ in the schema only, often become the same C++ and share
    // it. One is named after the first.
    const auto same = std::ranges::find_if(
        definitions_, [&](const Definition& known) { return known.entry == &entry && known.body == body; });
    const size_t index = same - definitions_.begin();
    if (same == definitions_.end()) {
      // Only those that a function calls, in front of it.
      for (const std::string& def : FileDefsOf(overload.at_any.mapping)) AddDef(def);
      definitions_.push_back(
          {.entry = &entry, .function = std::move(function), .body = std::move(body), .schemas = {}, .opsets = {}});
    }
    definition_of_[schema.name] = index;
    definitions_[index].schemas.push_back(schema.text);
    return definitions_[index];
  }

  // A def of the file, after those that it calls.
  void AddDef(const std::string& name) {
    const std::vector<Def>& defs = spec_.defs_at.at(kAnyOpset);
    const auto def = std::ranges::find(defs, name, &Def::name);
    // Marked before its own calls are followed. (The name check has refused recursion.)
    if (def == defs.end() || !added_defs_.insert(name).second) return;
    std::set<std::string> calls;
    for (const ExprPtr& expr : ExpressionsOf(*def)) AddCalls(*expr, &calls);
    for (const std::string& called : calls) AddDef(called);
    defs_.push_back(cpp::Comment(LineText(def->place)) + cpp::ToText(WriteDef(*def, arms_)) + "\n");
  }

  static std::string TextOf(const Definition& definition) {
    std::string text;
    for (const std::string& schema : definition.schemas) text += cpp::Comment(schema);
    text += cpp::Comment(LineText(definition.entry->place) + ", " + OpsetText(definition.opsets));
    return text + cpp::ToText(definition.function) + "\n";
  }

  const SpecializedSpec& spec_;
  Templates* templates_;
  Arms* arms_;
  std::string_view owner_;
  std::vector<std::string> defs_;  // their text, called ones first
  std::set<std::string> added_defs_;
  std::vector<Definition> definitions_;
  std::map<std::string, size_t> definition_of_;  // overload -> index
};

}  // namespace

FamilyCode WriteFamily(const CheckedSpec& spec, Templates* templates, Arms* arms, std::string_view owner) {
  return FamilyWriter(*spec, templates, arms, owner).Write();
}

RowsFile RowsOf(const FamilyCode& family) {
  RowsFile file{.family = family.family, .rows = {}, .remarks = {}};
  for (const OverloadCode& overload : family.overloads) {
    file.rows.insert(file.rows.end(), overload.rows.begin(), overload.rows.end());
    for (const auto& [text, opsets] : overload.remarks)
      file.remarks.push_back({.overload = overload.schema->name, .text = text, .opsets = opsets});
  }
  return file;
}

}  // namespace onnxport::codegen
