#include "codegen/emit/family.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "codegen/check/fold.h"
#include "codegen/check/onnx_schemas.h"
#include "codegen/check/opset_text.h"
#include "codegen/check/reachable.h"
#include "codegen/check/uses.h"
#include "codegen/check/versions.h"
#include "codegen/emit/cpp_printer.h"
#include "codegen/emit/function.h"
#include "codegen/emit/names.h"
#include "codegen/model/spec_text.h"

namespace onnxport::codegen {
namespace {

// A function: several overloads of an entry may share it.
struct Definition {
  const OpEntry* entry;
  cpp::Function function;
  std::vector<std::string> schemas;
  std::set<int> opsets;
};

// Whether nothing comes before the only case, so that the table can hold what it says.
bool IsBare(const FoldedEntry& folded) {
  const Case& first = folded.entry.cases[0];
  return !first.when && !folded.several_cases && !folded.entry.require;
}

Row::Kind KindOf(const FoldedEntry& folded) {
  const Case& first = folded.entry.cases[0];
  if (IsBare(folded) && first.body.kind == Body::Kind::kRefuse) return Row::Kind::kRefusal;
  const bool hook = IsBare(folded) && first.body.kind == Body::Kind::kHook && folded.entry.args.empty() &&
                    !folded.entry.promote && first.widen.to.empty();
  return hook ? Row::Kind::kHook : Row::Kind::kFunction;
}

std::string MeaningOf(const FoldedEntry& folded, const std::vector<ExprPtr>& reachable) {
  std::string text = fmt::format("{}", fmt::join(folded.case_numbers, ", "));
  for (const ExprPtr& expr : reachable) text += "\n" + SpecText(*expr);
  return text;
}

void AddRemarks(const FoldedEntry& folded, const std::vector<ExprPtr>& reachable,
                std::map<std::string, std::set<int>>* remarks) {
  const auto add = [&](const std::string& text) { (*remarks)[text].insert(folded.target.opset); };
  for (const Case& item : folded.entry.cases) {
    for (const auto& [from, to] : item.widen.to) add(fmt::format("{} through {}", from, to));
    if (item.body.kind == Body::Kind::kRefuse) add("refused: " + item.body.text);
  }
  for (const ExprPtr& whole : reachable)
    ForEach(*whole, [&](const Expr& expr) {
      if (expr.Is(Builtin::kRefuse)) add("refused: " + expr.operands[0]->text);
    });
}

class FamilyWriter {
 public:
  FamilyWriter(const SpecFile& spec, const std::set<std::string>& domains, Templates* templates)
      : spec_(spec), domains_(domains), templates_(templates) {}

  FamilyCode Write() {
    FamilyCode family{.family = spec_.family, .code = {}, .definitions = {}, .overloads = {}};
    for (const OpEntry& entry : spec_.ops)
      for (const std::string& name : entry.names)
        if (const ir::AtenSchema* schema = ir::FindAtenSchema(name))
          family.overloads.push_back(Overload(entry, *schema));
    std::string definitions;
    for (const std::string& text : defs_) definitions += text;
    for (const Definition& definition : definitions_) definitions += TextOf(definition);
    family.code = templates_->Fill("family.cc", {{"spec", spec_.path}, {"functions", definitions}});
    family.definitions = std::move(definitions);
    return family;
  }

 private:
  OverloadCode Overload(const OpEntry& entry, const ir::AtenSchema& schema) {
    OverloadCode code{.entry = &entry, .schema = &schema, .rows = {}, .epochs = {}, .remarks = {}};
    bool goes_on = false;  // the opset before had a case
    for (int opset = FirstOpset(); opset <= LastOpset(); ++opset) {
      const FoldedEntry folded = FoldEntry(entry, schema, {.opset = opset, .domains = domains_});
      if (!folded.entry.cases.empty()) AddOpset(folded, goes_on, &code);
      goes_on = !folded.entry.cases.empty();
    }
    return code;
  }

  void AddOpset(const FoldedEntry& folded, bool goes_on, OverloadCode* code) {
    const int opset = folded.target.opset;
    const std::vector<ExprPtr> reachable = Reachable(folded, spec_.defs);
    AddRemarks(folded, reachable, &code->remarks);
    Epoch epoch{
        .since = opset, .versions = OnnxVersionsOf(folded, spec_.defs), .meaning = MeaningOf(folded, reachable)};
    const bool same_epoch =
        goes_on && code->epochs.back().versions == epoch.versions && code->epochs.back().meaning == epoch.meaning;
    if (!same_epoch) code->epochs.push_back(std::move(epoch));
    Row row{.overload = code->schema->name,
            .since = opset,
            .until = opset,
            .kind = KindOf(folded),
            .symbol = folded.entry.cases[0].body.text,
            .place = PlaceText(code->entry->place)};
    if (row.kind == Row::Kind::kFunction) row.symbol = Define(*code->entry, *code->schema, opset);
    const bool same_row = goes_on && code->rows.back().kind == row.kind && code->rows.back().symbol == row.symbol;
    if (same_row)
      ++code->rows.back().until;
    else
      code->rows.push_back(std::move(row));
  }

  // The name of the function of an overload.
  std::string Define(const OpEntry& entry, const ir::AtenSchema& schema, int opset) {
    Definition& definition = DefinitionOf(entry, schema);
    definition.opsets.insert(opset);
    return definition.function.name;
  }

  Definition& DefinitionOf(const OpEntry& entry, const ir::AtenSchema& schema) {
    if (const auto known = definition_of_.find(schema.name); known != definition_of_.end())
      return definitions_[known->second];
    const FoldedEntry folded = FoldEntry(entry, schema, {.opset = kAnyOpset, .domains = domains_});
    cpp::Function function =
        cpp::MakeFunction("Vals", FunctionName(schema.name), {{"Context&", "c"}}, WriteFunction(folded));
    const std::string text = cpp::ToText(function.body, 0);
    const auto same = std::ranges::find_if(definitions_, [&](const Definition& known) {
      return known.entry == &entry && cpp::ToText(known.function.body, 0) == text;
    });
    const size_t index = same - definitions_.begin();
    if (same == definitions_.end()) {
      for (const std::string& def : FileDefsOf(folded.entry)) AddDef(def);
      definitions_.push_back({.entry = &entry, .function = std::move(function), .schemas = {}, .opsets = {}});
    }
    definition_of_[schema.name] = index;
    definitions_[index].schemas.push_back(schema.text);
    return definitions_[index];
  }

  // A def of the file, after those that it calls.
  void AddDef(const std::string& name) {
    const auto def = std::ranges::find(spec_.defs, name, &Def::name);
    if (def == spec_.defs.end() || !added_defs_.insert(name).second) return;
    const Def folded = FoldDef(*def, {.opset = kAnyOpset, .domains = domains_});
    std::set<std::string> calls;
    for (const ExprPtr& expr : ExpressionsOf(folded)) AddCalls(*expr, &calls);
    for (const std::string& called : calls) AddDef(called);
    defs_.push_back(cpp::Comment(PlaceText(def->place)) + cpp::ToText(WriteDef(folded)) + "\n");
  }

  static std::string TextOf(const Definition& definition) {
    std::string text;
    for (const std::string& schema : definition.schemas) text += cpp::Comment(schema);
    text += cpp::Comment(PlaceText(definition.entry->place) + ", " + OpsetText(definition.opsets));
    return text + cpp::ToText(definition.function) + "\n";
  }

  const SpecFile& spec_;
  const std::set<std::string>& domains_;
  Templates* templates_;
  std::vector<std::string> defs_;  // their text, called ones first
  std::set<std::string> added_defs_;
  std::vector<Definition> definitions_;
  std::map<std::string, size_t> definition_of_;  // overload -> index
};

}  // namespace

FamilyCode WriteFamily(const SpecFile& spec, const std::set<std::string>& domains, Templates* templates) {
  return FamilyWriter(spec, domains, templates).Write();
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
