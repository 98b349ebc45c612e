#include "codegen/emit/show.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "codegen/check/dtypes.h"
#include "codegen/emit/family.h"
#include "codegen/emit/function.h"
#include "codegen/model/onnx_ops.h"
#include "codegen/model/uses.h"
#include "runtime/aten/aten_schema.h"

namespace onnxport::codegen {
namespace {

std::string VersionsText(const std::map<std::string, int>& versions) {
  std::string text;
  for (const auto& [op, since] : versions) text += fmt::format("{}{}-{}", text.empty() ? "" : ", ", op, since);
  return text.empty() ? "no node of its own" : text;
}

// Epochs with the operator versions of each.
std::string EpochsText(const OverloadCode& overload) {
  std::string text;
  for (const Epoch& epoch : overload.epochs)
    text += fmt::format("//   from opset {}: {}\n", epoch.since, VersionsText(epoch.versions));
  return text;
}

bool Asked(const OverloadCode& overload, const std::string& name) {
  return overload.schema->name == name || overload.schema->base_name() == name;
}

// ---- what changed ----

// Null where the overload has no case.
const Epoch* EpochAt(const OverloadCode& overload, int opset) {
  const bool covered =
      std::ranges::any_of(overload.rows, [&](const Row& row) { return opset >= row.since && opset <= row.until; });
  const Epoch* found = nullptr;
  for (const Epoch& epoch : overload.epochs)
    // The last one that has begun.
    if (covered && epoch.since <= opset) found = &epoch;
  return found;
}

// "Split: `split` is an input now; X also takes {bfloat16}"
std::string SchemaChange(const OpInfo& before, const OpInfo& now) {
  std::string text;
  const auto add = [&](const std::string& what) { text += (text.empty() ? "" : "; ") + what; };
  if (now.deprecated && !before.deprecated) add("deprecated");
  for (const AttributeInfo& attribute : before.attributes)
    if (!now.FindAttribute(attribute.name))
      add(fmt::format("attribute `{}` {}", attribute.name,
                      now.FindInput(attribute.name) >= 0 ? "is an input" : "is gone"));
  for (const AttributeInfo& attribute : now.attributes)
    if (!before.FindAttribute(attribute.name)) add(fmt::format("new attribute `{}`", attribute.name));
  for (const FormalParameter& input : now.inputs) {
    const int position = before.FindInput(input.name);
    if (position < 0) {
      if (!before.FindAttribute(input.name)) add(fmt::format("new input `{}`", input.name));
    } else if (const ir::DTypeSet gained =
                   now.VariableOf(input).allowed - before.VariableOf(before.inputs[position]).allowed;
               !gained.empty()) {
      add(fmt::format("`{}` also takes {}", input.name, ToText(gained)));
    }
  }
  if (before.max_outputs != now.max_outputs)
    add(fmt::format("up to {} outputs, before {}", now.max_outputs, before.max_outputs));
  return text.empty() ? "same signature" : text;
}

std::string OperatorChanges(int opset) {
  std::string text;
  for (const std::string& op : OpNames()) {
    const OpInfo* now = FindOp(op, opset);
    const OpInfo* before = FindOp(op, opset - 1);
    if (now && before && now->since == opset) text += fmt::format("  {}: {}\n", op, SchemaChange(*before, *now));
  }
  return text;
}

void AddOperators(const std::vector<ExprPtr>& expressions, std::set<std::string>* operators) {
  for (const ExprPtr& whole : expressions)
    ForEach(*whole, [&](const Expr& expr) {
      if (expr.kind == ExprKind::kNode) operators->insert(expr.text);
    });
}

std::string NewOperators(const std::vector<CheckedSpec>& specs, int opset) {
  std::set<std::string> used;
  for (const CheckedSpec& spec : specs) {
    for (const Def& def : spec->defs) AddOperators(ExpressionsOf(def), &used);
    for (const SpecializedOp& op : spec->ops) AddOperators(ExpressionsOf(op.entry), &used);
  }
  std::string text;
  for (const std::string& op : OpNames())
    if (FormsOf(op)[0]->since == opset)
      text += fmt::format("  {}{}\n", op, used.contains(op) ? "" : " (no spec uses it)");
  return text;
}

// The changes that a step makes to the entries.
struct Step {
  std::string supported;  // lines
  std::string changed;
  std::map<std::string, std::vector<std::string>> same;  // "Reshape-24" -> overloads
};

void AddStep(const OverloadCode& overload, int opset, Step* step) {
  const Epoch* now = EpochAt(overload, opset);
  const Epoch* before = EpochAt(overload, opset - 1);
  // No epoch begins here: nothing changes for this overload.
  if (!now || now->since != opset) return;
  const auto line = [&](const std::string& what) {
    return fmt::format("  {} ({}){}\n", overload.schema->name, LineText(overload.entry->place), what);
  };
  if (!before) {
    step->supported += line("");
    return;
  }
  std::vector<std::string> versions;
  for (const auto& [op, since] : now->versions)
    if (const auto known = before->versions.find(op); known == before->versions.end() || known->second != since)
      versions.push_back(fmt::format("{}-{}", op, since));
  if (now->meaning != before->meaning)
    step->changed += line(fmt::format(": {}", fmt::join(versions, ", ")));
  else
    for (const std::string& version : versions) step->same[version].push_back(overload.schema->name.text());
}

// Overloads over numbers and lists alone never reach the specs.
bool TakesTensors(const ir::AtenSchema& schema) {
  return std::ranges::any_of(
      schema.arguments, [](const ir::AtenArgument& argument) { return argument.type.kind == ir::AtenKind::kTensor; });
}

std::string Section(const std::string& title, const std::string& lines) {
  return title + "\n" + (lines.empty() ? "  none\n" : lines);
}

}  // namespace

std::string Show(const std::vector<CheckedSpec>& specs, const std::string& name, Templates* templates) {
  std::string text;
  for (const CheckedSpec& spec : specs) {
    const CheckedSpec asked = spec.Only(name);
    if (asked->ops.empty()) continue;
    const FamilyCode family = WriteFamily(asked, templates);
    for (const OverloadCode& overload : family.overloads) {
      if (!Asked(overload, name)) continue;
      text += fmt::format("// {}\n", overload.schema->name) + EpochsText(overload);
      for (const Row& row : overload.rows)
        if (row.kind == Row::Kind::kHook || row.kind == Row::Kind::kRefusal)
          text += fmt::format("//   opset {} to {}: {} {}\n", row.since, row.until,
                              row.kind == Row::Kind::kHook ? "hook" : "refused:", row.symbol);
    }
    text += "\n" + family.definitions;
  }
  return text;
}

std::string WhatChanged(const std::vector<CheckedSpec>& specs, int opset, Templates* templates) {
  Step step;
  for (const CheckedSpec& spec : specs)
    for (const OverloadCode& overload : WriteFamily(spec, templates).overloads) AddStep(overload, opset, &step);
  std::string same_code;
  for (const auto& [version, overloads] : step.same)
    same_code +=
        fmt::format("  {}: {} overloads, {}{}\n", version, overloads.size(),
                    fmt::join(overloads.begin(), overloads.begin() + std::min<size_t>(overloads.size(), 5), ", "),
                    overloads.size() > 5 ? " ..." : "");
  return Section(fmt::format("Supported from opset {} on:", opset), step.supported) +
         Section(fmt::format("Says something else from opset {} on:", opset), step.changed) +
         Section("Says the same, with new versions of its operators:", same_code) +
         Section(fmt::format("Operators with a new version in opset {}:", opset), OperatorChanges(opset)) +
         Section(fmt::format("Operators new in opset {}:", opset), NewOperators(specs, opset));
}

std::vector<std::string> Unclaimed(const std::vector<CheckedSpec>& specs) {
  std::set<std::string> claimed;
  std::set<std::string> bases;
  for (const CheckedSpec& spec : specs)
    for (const SpecializedOp& op : spec->ops)
      for (const std::string& name : op.entry.names) {
        claimed.insert(name);
        bases.insert(name.substr(0, name.find('.')));
      }
  std::vector<std::string> unclaimed;
  for (const std::string& base : bases)
    for (const std::string_view overload : ir::OverloadsOf(base)) {
      const ir::AtenSchema* schema = ir::FindAtenSchema(overload);
      if (schema && TakesTensors(*schema) && !schema->mutates() && !claimed.contains(schema->name))
        unclaimed.push_back(schema->name.text());
    }
  return unclaimed;
}

}  // namespace onnxport::codegen
