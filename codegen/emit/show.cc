#include "codegen/emit/show.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "codegen/check/fold.h"
#include "codegen/check/onnx_schemas.h"
#include "codegen/check/opset_text.h"
#include "codegen/check/uses.h"
#include "codegen/check/versions.h"
#include "codegen/emit/family.h"
#include "codegen/emit/function.h"
#include "runtime/ir/aten_schema.h"

namespace onnxport::codegen {
namespace {

std::string VersionsText(const std::map<std::string, int>& versions) {
  std::string text;
  for (const auto& [op, since] : versions) text += fmt::format("{}{}-{}", text.empty() ? "" : ", ", op, since);
  return text.empty() ? "no node of its own" : text;
}

std::map<std::string, int> VersionsAt(const SpecFile& spec, const OverloadCode& overload, int opset,
                                      const std::set<std::string>& domains) {
  return OnnxVersionsOf(FoldEntry(*overload.entry, *overload.schema, {.opset = opset, .domains = domains}), spec.defs);
}

// Epochs with the operator versions of each.
std::string EpochsText(const SpecFile& spec, const OverloadCode& overload, const std::set<std::string>& domains) {
  std::string text;
  for (const int opset : overload.epochs)
    text += fmt::format("//   from opset {}: {}\n", opset, VersionsText(VersionsAt(spec, overload, opset, domains)));
  return text;
}

bool Asked(const OverloadCode& overload, const std::string& name) {
  return overload.schema->name == name || overload.schema->base_name() == name;
}

// ---- what changed ----

const Row* RowAt(const OverloadCode& overload, int opset) {
  for (const Row& row : overload.rows)
    if (opset >= row.since && opset <= row.until) return &row;
  return nullptr;
}

// "Split: `split` is an input now; X also takes {bfloat16}"
std::string SchemaChange(const OnnxSchema& before, const OnnxSchema& now) {
  std::string text;
  const auto add = [&](const std::string& what) { text += (text.empty() ? "" : "; ") + what; };
  if (now.deprecated && !before.deprecated) add("deprecated");
  for (const OnnxAttribute& attribute : before.attributes)
    if (!now.FindAttribute(attribute.name))
      add(fmt::format("attribute `{}` {}", attribute.name, now.FindInput(attribute.name) >= 0 ? "is an input" : "is gone"));
  for (const OnnxAttribute& attribute : now.attributes)
    if (!before.FindAttribute(attribute.name)) add(fmt::format("new attribute `{}`", attribute.name));
  for (const OnnxParameter& input : now.inputs) {
    const int position = before.FindInput(input.name);
    if (position < 0) {
      if (!before.FindAttribute(input.name)) add(fmt::format("new input `{}`", input.name));
    } else if (const DTypes gained = input.dtypes - before.inputs[position].dtypes; !gained.empty()) {
      add(fmt::format("`{}` also takes {}", input.name, gained.ToString()));
    }
  }
  if (before.max_outputs != now.max_outputs) add(fmt::format("up to {} outputs, before {}", now.max_outputs, before.max_outputs));
  return text.empty() ? "same signature" : text;
}

std::string OperatorChanges(int opset) {
  std::string text;
  for (const std::string_view op : OnnxOperators()) {
    const OnnxSchema* now = FindOnnxSchema(op, opset);
    const OnnxSchema* before = FindOnnxSchema(op, opset - 1);
    if (now && before && now->since == opset) text += fmt::format("  {}: {}\n", op, SchemaChange(*before, *now));
  }
  return text;
}

void AddOperators(const Expr& expr, std::set<std::string>* operators) {
  if (expr.kind == ExprKind::kCall) operators->insert(expr.text);
  for (const ExprPtr& operand : expr.operands) AddOperators(*operand, operators);
  for (const auto& [name, value] : expr.named) AddOperators(*value, operators);
}

std::string NewOperators(const std::vector<SpecFile>& specs, int opset) {
  std::set<std::string> used;
  for (const SpecFile& spec : specs) {
    for (const Def& def : spec.defs)
      for (const ExprPtr& expr : ExpressionsOf(def)) AddOperators(*expr, &used);
    for (const OpEntry& entry : spec.ops)
      for (const ExprPtr& expr : ExpressionsOf(entry)) AddOperators(*expr, &used);
  }
  std::string text;
  for (const std::string_view op : OnnxOperators())
    if (OnnxVersions(op)[0]->since == opset)
      text += fmt::format("  {}{}\n", op, used.contains(std::string(op)) ? "" : " (no spec uses it)");
  return text;
}

// One line for an overload that the step changes, empty for the others.
std::string EntryChange(const SpecFile& spec, const OverloadCode& overload, int opset, const std::set<std::string>& domains) {
  const Row* now = RowAt(overload, opset);
  const Row* before = RowAt(overload, opset - 1);
  if (!now) return "";
  std::string what;
  if (!before) {
    what = "supported from here on";
  } else if (std::ranges::find(overload.epochs, opset) != overload.epochs.end()) {
    const bool same = now->symbol == before->symbol;
    std::string versions;
    const auto old = VersionsAt(spec, overload, opset - 1, domains);
    for (const auto& [op, since] : VersionsAt(spec, overload, opset, domains))
      if (const auto known = old.find(op); known == old.end() || known->second != since)
        versions += fmt::format(", {}-{}", op, since);
    what = (same ? "same code" : "other code") + versions;
  }
  return what.empty() ? "" : fmt::format("  {} ({}): {}\n", overload.schema->name, PlaceText(overload.entry->place), what);
}

std::string Section(const std::string& title, const std::string& lines) {
  return title + "\n" + (lines.empty() ? "  none\n" : lines);
}

}  // namespace

std::string Show(const std::vector<SpecFile>& specs, const std::string& name, const std::set<std::string>& domains,
                 Templates* templates) {
  std::string text;
  for (const SpecFile& spec : specs) {
    const bool claims = std::ranges::any_of(spec.ops, [&](const OpEntry& entry) {
      return std::ranges::any_of(entry.names, [&](const std::string& claimed) {
        return claimed == name || claimed.substr(0, claimed.find('.')) == name;
      });
    });
    if (!claims) continue;
    SpecFile asked = spec;
    std::erase_if(asked.ops, [&](const OpEntry& entry) {
      return std::ranges::none_of(entry.names, [&](const std::string& claimed) {
        return claimed == name || claimed.substr(0, claimed.find('.')) == name;
      });
    });
    const FamilyCode family = WriteFamily(asked, domains, templates);
    for (const OverloadCode& overload : family.overloads) {
      if (!Asked(overload, name)) continue;
      text += fmt::format("// {}\n", overload.schema->name) + EpochsText(asked, overload, domains);
      for (const Row& row : overload.rows)
        if (row.kind == Row::Kind::kHook || row.kind == Row::Kind::kRefusal)
          text += fmt::format("//   opset {} to {}: {} {}\n", row.since, row.until,
                              row.kind == Row::Kind::kHook ? "hook" : "refused:", row.symbol);
    }
    text += "\n" + family.definitions;
  }
  return text;
}

std::string WhatChanged(const std::vector<SpecFile>& specs, int opset, const std::set<std::string>& domains,
                        Templates* templates) {
  std::string entries;
  for (const SpecFile& spec : specs)
    for (const OverloadCode& overload : WriteFamily(spec, domains, templates).overloads)
      entries += EntryChange(spec, overload, opset, domains);
  return Section(fmt::format("Entries that opset {} changes:", opset), entries) +
         Section(fmt::format("Operators with a new version in opset {}:", opset), OperatorChanges(opset)) +
         Section(fmt::format("Operators new in opset {}:", opset), NewOperators(specs, opset));
}

std::vector<std::string> Unclaimed(const std::vector<SpecFile>& specs) {
  std::set<std::string> claimed;
  std::set<std::string> bases;
  for (const SpecFile& spec : specs)
    for (const OpEntry& entry : spec.ops)
      for (const std::string& name : entry.names) {
        claimed.insert(name);
        bases.insert(name.substr(0, name.find('.')));
      }
  std::vector<std::string> unclaimed;
  for (const std::string& base : bases)
    for (const std::string_view overload : ir::OverloadsOf(base)) {
      const ir::AtenSchema* schema = ir::FindAtenSchema(overload);
      if (schema && !schema->mutates() && !claimed.contains(schema->name)) unclaimed.push_back(schema->name);
    }
  return unclaimed;
}

}  // namespace onnxport::codegen
