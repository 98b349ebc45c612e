#include "codegen/emit/family.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "codegen/check/fold.h"
#include "codegen/check/onnx_schemas.h"
#include "codegen/check/opset_text.h"
#include "codegen/check/versions.h"
#include "codegen/emit/def_library.h"
#include "codegen/emit/expression.h"
#include "codegen/emit/function.h"
#include "codegen/emit/names.h"
#include "codegen/emit/node_row.h"
#include "codegen/emit/wrap.h"
#include "codegen/model/spec_text.h"

namespace onnxport::codegen {
namespace {

// What an overload is at one opset, before equal neighbours become one row.
struct AtOpset {
  int opset = 0;
  Row::Kind kind = Row::Kind::kFunction;
  std::string text;  // statements, the row's initializer, the hook, the reason
  std::set<std::string> defs;
  std::map<std::string, int> versions;
  std::vector<int> cases;  // numbers of those that can be taken
  std::string remark;
};

// A function or node row: several overloads and opsets may share it.
struct Definition {
  Row::Kind kind;
  std::string name;
  std::string text;
  std::vector<std::string> schemas;
  std::string place;
  std::set<int> opsets;
};

std::string Remark(const FoldedEntry& folded) {
  std::set<std::string> remarks;
  for (const Case& item : folded.entry.cases) {
    for (const auto& [from, to] : item.widen.to) remarks.insert(fmt::format("{} through {}", from, to));
    if (item.body.kind == Body::Kind::kRefuse) remarks.insert("refused: " + item.body.text);
  }
  return fmt::format("{}", fmt::join(remarks, "; "));
}

class FamilyWriter {
 public:
  FamilyWriter(const SpecFile& spec, const std::set<std::string>& domains, Templates* templates)
      : spec_(spec), domains_(domains), templates_(templates), defs_(spec.defs, domains) {}

  FamilyCode Write() {
    FamilyCode family{.family = spec_.family, .code = {}, .definitions = {}, .overloads = {}};
    for (const OpEntry& entry : spec_.ops)
      for (const std::string& name : entry.names)
        if (const ir::AtenSchema* schema = ir::FindAtenSchema(name))
          family.overloads.push_back(Overload(entry, *schema));
    std::string functions;
    for (const std::string& name : defs_.InOrder(used_defs_)) functions += DefText(name);
    for (const Definition& definition : definitions_) functions += DefinitionText(definition);
    family.code = templates_->Fill("family.cc", {{"spec", spec_.path}, {"functions", functions}});
    family.definitions = std::move(functions);
    return family;
  }

 private:
  OverloadCode Overload(const OpEntry& entry, const ir::AtenSchema& schema) {
    std::vector<FoldedEntry> folded;
    for (int opset = FirstOpset(); opset <= LastOpset(); ++opset)
      folded.push_back(FoldEntry(entry, schema, {.opset = opset, .domains = domains_}));
    OverloadCode code{.entry = &entry, .schema = &schema, .rows = {}, .epochs = {}};
    std::optional<AtOpset> before;
    for (const FoldedEntry& at : folded) {
      if (at.entry.cases.empty()) {
        before.reset();
        continue;
      }
      AtOpset now = WriteAt(at, Hint(at, folded));
      const bool same = before && before->kind == now.kind && before->text == now.text;
      if (!same || before->versions != now.versions || before->cases != now.cases) code.epochs.push_back(now.opset);
      if (same && code.rows.back().remark == now.remark)
        ++code.rows.back().until;
      else
        code.rows.push_back(NewRow(entry, schema, now));
      if (!code.rows.back().symbol.empty()) Extend(code.rows.back(), now.opset);
      before = std::move(now);
    }
    return code;
  }

  // What other opsets offer when no case matches at this one: "case 2 exists at opset 11 to 25".
  std::string Hint(const FoldedEntry& at, const std::vector<FoldedEntry>& all) const {
    std::map<int, std::set<int>> opsets_of;
    for (const FoldedEntry& other : all)
      for (int number : other.case_numbers) opsets_of[number].insert(other.target.opset);
    std::string hint;
    for (const auto& [number, opsets] : opsets_of)
      if (!opsets.contains(at.target.opset))
        hint += fmt::format("{}case {} exists at {}", hint.empty() ? "" : "; ", number, OpsetText(opsets));
    return hint;
  }

  AtOpset WriteAt(const FoldedEntry& folded, const std::string& hint) {
    AtOpset at{.opset = folded.target.opset,
               .kind = Row::Kind::kFunction,
               .text = {},
               .defs = {},
               .versions = OnnxVersionsOf(folded, spec_.defs),
               .cases = folded.case_numbers,
               .remark = Remark(folded)};
    const Case& first = folded.entry.cases[0];
    const bool whole = !first.when && !folded.several_cases && !folded.entry.require;
    if (const auto row = AsNodeRow(folded)) {
      at.kind = Row::Kind::kNodeRow;
      at.text = RowInitializer(*row);
    } else if (whole && first.body.kind == Body::Kind::kRefuse) {
      at.kind = Row::Kind::kRefusal;
      at.text = first.body.text;
    } else if (whole && first.body.kind == Body::Kind::kHook && IsPlainHook(folded)) {
      at.kind = Row::Kind::kHook;
      at.text = first.body.text;
    } else {
      const int opset = at.opset;
      FunctionText function =
          WriteFunction(folded, [&](const std::string& def) { return defs_.NameAt(def, opset); }, hint);
      at.text = std::move(function.text);
      used_defs_.insert(function.defs.begin(), function.defs.end());
    }
    return at;
  }

  static bool IsPlainHook(const FoldedEntry& folded) {
    return folded.entry.args.empty() && !folded.entry.promote && folded.entry.cases[0].widen.to.empty();
  }

  // "Relu\n0\nalpha 1\n": kept apart from the final text, which has the row's name in it.
  static std::string RowInitializer(const NodeRowData& row) {
    std::string text = fmt::format("{}\n{}\n", row.op, fmt::join(row.inputs, ", "));
    for (const auto& [name, position] : row.attributes) text += fmt::format("{{\"{}\", {}}}, ", name, position);
    return text;
  }

  Row NewRow(const OpEntry& entry, const ir::AtenSchema& schema, const AtOpset& at) {
    Row row{.overload = schema.name,
            .since = at.opset,
            .until = at.opset,
            .kind = at.kind,
            .symbol = at.text,
            .remark = at.remark,
            .place = PlaceText(entry.place)};
    if (at.kind == Row::Kind::kFunction || at.kind == Row::Kind::kNodeRow) row.symbol = Define(entry, schema, at).name;
    return row;
  }

  const Definition& Define(const OpEntry& entry, const ir::AtenSchema& schema, const AtOpset& at) {
    const auto same = std::ranges::find_if(definitions_, [&](const Definition& known) {
      return known.kind == at.kind && known.text == at.text && known.place == PlaceText(entry.place);
    });
    if (same != definitions_.end()) {
      if (std::ranges::find(same->schemas, schema.text) == same->schemas.end()) same->schemas.push_back(schema.text);
      return *same;
    }
    const bool row = at.kind == Row::Kind::kNodeRow;
    definitions_.push_back({.kind = at.kind,
                            .name = row ? NodeRowName(schema.name, at.opset) : FunctionName(schema.name, at.opset),
                            .text = at.text,
                            .schemas = {schema.text},
                            .place = PlaceText(entry.place),
                            .opsets = {}});
    return definitions_.back();
  }

  void Extend(const Row& row, int opset) {
    for (Definition& definition : definitions_)
      if (definition.name == row.symbol) definition.opsets.insert(opset);
  }

  std::string DefText(const std::string& name) {
    const DefLibrary::Function& function = defs_.FunctionOf(name);
    const std::string signature = WrapStatement(fmt::format("static Val {}({}) {{", name, function.text.parameters), 0);
    return templates_->Fill("def.cc", {{"comment", WrapComment(PlaceText(function.def->place))},
                                       {"signature", signature},
                                       {"statements", function.text.text}});
  }

  std::string DefinitionText(const Definition& definition) {
    std::string comment;
    for (const std::string& schema : definition.schemas) comment += WrapComment(schema);
    comment += WrapComment(definition.place + ", " + OpsetText(definition.opsets));
    if (definition.kind == Row::Kind::kFunction)
      return templates_->Fill("function.cc",
                              {{"comment", comment}, {"name", definition.name}, {"statements", definition.text}});
    return RowText(definition, comment);
  }

  std::string RowText(const Definition& definition, const std::string& comment) {
    const size_t op_end = definition.text.find('\n');
    const size_t inputs_end = definition.text.find('\n', op_end + 1);
    const std::string inputs = definition.text.substr(op_end + 1, inputs_end - op_end - 1);
    std::string attributes = definition.text.substr(inputs_end + 1);
    std::string arrays;
    if (!inputs.empty())
      arrays += fmt::format("static constexpr int8_t {}_inputs[] = {{{}}};\n", definition.name, inputs);
    if (!attributes.empty()) {
      attributes.resize(attributes.size() - 2);
      arrays += WrapStatement(
          fmt::format("static constexpr NodeRow::RowAttr {}_attrs[] = {{{}}};", definition.name, attributes), 0);
    }
    const std::string row = fmt::format(
        "extern const NodeRow {} = {{\"{}\", {}, {}}};", definition.name, definition.text.substr(0, op_end),
        inputs.empty() ? "{}" : definition.name + "_inputs", attributes.empty() ? "{}" : definition.name + "_attrs");
    return templates_->Fill("node_row.cc", {{"comment", comment}, {"arrays", arrays}, {"row", WrapStatement(row, 0)}});
  }

  const SpecFile& spec_;
  const std::set<std::string>& domains_;
  Templates* templates_;
  DefLibrary defs_;
  std::vector<Definition> definitions_;
  std::set<std::string> used_defs_;
};

}  // namespace

FamilyCode WriteFamily(const SpecFile& spec, const std::set<std::string>& domains, Templates* templates) {
  return FamilyWriter(spec, domains, templates).Write();
}

RowsFile RowsOf(const FamilyCode& family) {
  RowsFile file{.family = family.family, .rows = {}};
  for (const OverloadCode& overload : family.overloads)
    file.rows.insert(file.rows.end(), overload.rows.begin(), overload.rows.end());
  return file;
}

}  // namespace onnxport::codegen
