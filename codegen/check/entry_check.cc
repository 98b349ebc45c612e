#include "codegen/check/entry_check.h"

#include <fmt/format.h>

#include <algorithm>

#include "codegen/check/dtypes.h"
#include "codegen/check/tests.h"
#include "codegen/model/uses.h"
#include "runtime/ir/ir_version.h"

namespace onnxport::codegen {
namespace {

using ir::AtenKind;

bool IsNumber(const ir::AtenType& type) {
  return type.kind == AtenKind::kInt || type.kind == AtenKind::kSymInt || type.kind == AtenKind::kFloat ||
         type.kind == AtenKind::kBool || type.kind == AtenKind::kScalar;
}

bool IsInt(const ir::AtenType& type) { return type.kind == AtenKind::kInt || type.kind == AtenKind::kSymInt; }

// Returns whether an argument of this type can have the refinement. `dim: axis(self)` fits `int dim` and not `int[]
// dim`; `axis_list(self)` fits both, as mean's `int[1]? dim` may be given one.
bool Fits(RefineKind kind, const ir::AtenType& type) {
  switch (kind) {
    case RefineKind::kAxis:
      return IsInt(type) && !type.list;
    case RefineKind::kAxisList:
      return IsInt(type);
    // None is the only constant that a tensor can be, so the argument must be optional.
    case RefineKind::kMust:
      return type.kind != AtenKind::kTensor || type.optional;
    case RefineKind::kIgnore:
      return true;
    case RefineKind::kEnum:
      return !type.list && (IsInt(type) || type.kind == AtenKind::kString);
    case RefineKind::kRepeatTo:
      return IsNumber(type);
  }
  return false;
}

// The argument in the first overload that has it. Overloads that share an entry have the same argument with the same
// type; where they do not, the kinds of each overload show it.
const ir::AtenArgument* Find(const Schemas& schemas, std::string_view name) {
  for (const ir::AtenSchema* schema : schemas)
    if (const int position = schema->FindArgument(name); position >= 0) return &schema->arguments[position];
  return nullptr;
}

std::string NearArgument(const Schemas& schemas, std::string_view name) {
  const std::set<std::string> names = ArgumentNames(schemas);
  const std::vector<std::string_view> candidates(names.begin(), names.end());
  return DidYouMean(name, candidates);
}

std::string Listed(const OpEntry& entry) {
  return entry.names.size() == 1 ? entry.names[0] : entry.names[0] + " and the others";
}

void UnknownArgument(const OpEntry& entry, const Schemas& schemas, const std::string& name, const Place& place,
                     Diagnostics* diagnostics) {
  diagnostics->Error(place, fmt::format("{} has no argument `{}`{}", Listed(entry), name, NearArgument(schemas, name)));
}

void CheckRefinements(const OpEntry& entry, const Schemas& schemas, Diagnostics* diagnostics) {
  for (const auto& [name, refine] : entry.args) {
    const ir::AtenArgument* argument = Find(schemas, name);
    if (!argument) {
      UnknownArgument(entry, schemas, name, refine.place, diagnostics);
      continue;
    }
    if (!Fits(refine.kind, argument->type))
      diagnostics->Error(refine.place,
                         fmt::format("`{}` does not fit `{}`, a {}", NameOf(refine.kind), name, argument->type.text));
    if (refine.tensor.empty()) continue;
    const ir::AtenArgument* tensor = Find(schemas, refine.tensor);
    if (!tensor)
      UnknownArgument(entry, schemas, refine.tensor, refine.place, diagnostics);
    else if (tensor->type.kind != AtenKind::kTensor || tensor->type.list)
      diagnostics->Error(refine.place, fmt::format("`{}` is a {}, and axes are counted on a tensor", refine.tensor,
                                                   tensor->type.text));
  }
}

void CheckPromote(const OpEntry& entry, const Schemas& schemas, Diagnostics* diagnostics) {
  if (!entry.promote) return;
  for (const std::string& name : entry.promote->of) {
    const ir::AtenArgument* argument = Find(schemas, name);
    if (!argument)
      UnknownArgument(entry, schemas, name, entry.promote->place, diagnostics);
    else if (argument->type.kind != AtenKind::kTensor && (argument->type.list || !IsNumber(argument->type)))
      diagnostics->Error(entry.promote->place,
                         fmt::format("`{}` is a {}: only tensors and numbers are promoted", name, argument->type.text));
  }
}

// Hooks read the arguments themselves, and a refusal needs none. An argument that an entry does not mention would be
// dropped in silence: `rounding_mode` of div left out gives a model that divides. So each is used, or said to be
// `ignore`d or `must` have a value.
bool AccountsForArguments(const OpEntry& entry) {
  return std::ranges::any_of(entry.cases,
                             [](const Case& item) {
                               return item.body.kind != Body::Kind::kRefuse && item.body.kind != Body::Kind::kHook;
                             }) &&
         std::ranges::none_of(entry.cases, [](const Case& item) { return item.body.kind == Body::Kind::kHook; });
}

void CheckAccounted(const OpEntry& entry, const Schemas& schemas, Diagnostics* diagnostics) {
  std::set<std::string> used;
  for (const ExprPtr& expr : ExpressionsOf(entry))
    for (const auto& [name, sure] : UsesOf(*expr, {})) used.insert(name);
  if (entry.promote) used.insert(entry.promote->of.begin(), entry.promote->of.end());
  std::set<std::string> settled;
  for (const auto& [name, refine] : entry.args) {
    if (refine.kind == RefineKind::kIgnore && used.contains(name))
      diagnostics->Error(refine.place, fmt::format("`{}` is used, so it is not ignored", name));
    if (refine.kind == RefineKind::kIgnore || refine.kind == RefineKind::kMust) settled.insert(name);
  }
  if (!AccountsForArguments(entry)) return;
  for (size_t i = 0; i < schemas.size(); ++i)
    for (const ir::AtenArgument& argument : schemas[i]->arguments)
      if (!used.contains(argument.name) && !settled.contains(argument.name))
        diagnostics->Error(
            entry.place, fmt::format("{} argument `{}` is neither used nor ignored", schemas[i]->name, argument.name));
}

// The loader knows no newest opset. One that the linked ONNX lacks may exist: nothing is made of it in this build.
void CheckSince(const std::optional<int>& since, const Place& place, Diagnostics* diagnostics) {
  if (const int newest = ir::NewestReleasedOpset(); since && *since > newest)
    diagnostics->Error(place, fmt::format("opset {} does not exist yet, the newest is {}", *since, newest));
}

// A class of dtypes is not computed in one of its own; all ints are one class, and that is fine.
void CheckComputeIn(const ComputeIn& rule, Diagnostics* diagnostics) {
  for (const auto& [from, to] : rule.to)
    if (from != "int" && TypesOfClass(from).Has(*ir::ParseDType(to)))
      diagnostics->Error(rule.place, fmt::format("{} is a {} itself", to, from));
}

}  // namespace

std::set<std::string> ArgumentNames(const Schemas& schemas) {
  std::set<std::string> names;
  for (const ir::AtenSchema* schema : schemas)
    for (const ir::AtenArgument& argument : schema->arguments) names.insert(argument.name);
  return names;
}

Schemas SchemasOf(const SpecializedOp& op) {
  Schemas schemas;
  for (const SpecializedOverload& overload : op.overloads) schemas.push_back(overload.schema);
  return schemas;
}

void CheckArguments(const OpEntry& entry, const Schemas& schemas, Diagnostics* diagnostics) {
  CheckRefinements(entry, schemas, diagnostics);
  CheckPromote(entry, schemas, diagnostics);
  CheckAccounted(entry, schemas, diagnostics);
  CheckSince(entry.since, entry.place, diagnostics);
  CheckSince(entry.defs, diagnostics);
  for (const Case& item : entry.cases) {
    CheckSince(item.since, item.place, diagnostics);
    CheckComputeIn(item.compute_in, diagnostics);
  }
}

void CheckSince(const std::vector<Def>& defs, Diagnostics* diagnostics) {
  for (const Def& def : defs) CheckSince(def.since, def.place, diagnostics);
}

void CheckTests(const OpEntry& entry, const Schemas& schemas, Diagnostics* diagnostics) {
  const bool refused =
      std::ranges::all_of(entry.cases, [](const Case& item) { return item.body.kind == Body::Kind::kRefuse; });
  if (refused && entry.tests.empty()) return;
  if (entry.tests.empty()) {
    diagnostics->Error(entry.place, fmt::format("no test reaches {}: add `tests:`", Listed(entry)));
    return;
  }
  std::set<const ir::AtenSchema*> called;
  for (const TestCase& test : entry.tests) {
    std::string reasons;
    bool fits = false;
    for (const ir::AtenSchema* schema : schemas) {
      const std::string reason = Misfit(test, *schema);
      // A test line that says no overload may be a call of several: `add(f32[2], 1)` fits add.Scalar, `add(f32[2],
      // f32[2])` add.Tensor. Each overload needs one.
      if (reason.empty())
        fits = true, called.insert(schema);
      else if (std::ranges::find(test.operators, schema->name.text()) != test.operators.end())
        reasons += (reasons.empty() ? ": " : "; ") + reason;
    }
    if (!fits) diagnostics->Error(test.place, "the test is a call of no overload of the entry" + reasons);
  }
  for (const ir::AtenSchema* schema : schemas)
    if (!called.contains(schema)) diagnostics->Error(entry.place, fmt::format("no test calls {}", schema->name));
}

}  // namespace onnxport::codegen
