#include "codegen/specialize/specialize.h"

#include <utility>

#include "codegen/model/onnx_ops.h"
#include "codegen/specialize/argument_words.h"
#include "codegen/specialize/bind.h"
#include "codegen/specialize/blocks.h"
#include "codegen/specialize/literals.h"
#include "codegen/specialize/place_results.h"
#include "codegen/specialize/specializer.h"
#include "fmt/format.h"

namespace onnxport::codegen {
namespace {

// The constants of the operator's name. An argument that the overload lacks but another of the entry's names has reads
// as absent; one that it has and that cannot be None is present. Names that no overload has are left alone: the name
// check reports them.
void DefineArguments(const OpEntry& entry, const ir::AtenSchema& schema, Specializer* specializer) {
  for (const ir::AtenArgument& argument : schema.arguments)
    if (!argument.type.optional) specializer->DefinePresent(argument.name);
  for (size_t i = 0; i < entry.constants.size(); ++i)
    if (entry.names[i] == schema.name)
      for (const auto& [name, value] : entry.constants[i]) specializer->Define(name, value);
  for (const std::string& name : entry.names) {
    const ir::AtenSchema* other = ir::FindAtenSchema(name);
    if (!other) continue;
    for (const ir::AtenArgument& argument : other->arguments)
      if (schema.FindArgument(argument.name) < 0) specializer->Define(argument.name, NoneLiteral({}));
  }
}

std::vector<Def> Definitions(const std::vector<Def>& defs, int opset) {
  std::vector<Def> specialized;
  for (const Def& def : defs) specialized.push_back(SpecializeDef(def, Specializer(opset)));
  return specialized;
}

SpecializedOverload SpecializeOverload(const OpEntry& entry, const ir::AtenSchema& schema) {
  SpecializedOverload overload{.schema = &schema, .at_any = SpecializeEntry(entry, schema, kAnyOpset), .at = {}};
  for (int opset = FirstOpset(); opset <= LastOpset(); ++opset) {
    SpecializedEntry at = SpecializeEntry(entry, schema, opset);
    if (!at.mapping.cases.empty()) overload.at.emplace(opset, std::move(at));
  }
  return overload;
}

// `bound`: the entry, with the copies of definitions that it needs.
SpecializedOp SpecializeOp(OpEntry entry, const OpEntry& bound) {
  SpecializedOp op{.entry = std::move(entry), .overloads = {}};
  for (const std::string& name : op.entry.names) {
    const ir::AtenSchema* schema = ir::FindAtenSchema(name);
    // In-place overloads are derived from their functional twins when a program is read
    // (runtime/trace/functionalize/twins.cc); an entry that claims one is reported (check/entry_check.cc).
    if (schema && !schema->mutates()) op.overloads.push_back(SpecializeOverload(bound, *schema));
  }
  return op;
}

}  // namespace

std::string RefusalBefore(const Def& def) {
  return def.what.empty() ? fmt::format("`{}` needs opset {}", def.name, *def.since)
                          : fmt::format("{} need opset {}", def.what, *def.since);
}

SpecializedEntry SpecializeEntry(const OpEntry& entry, const ir::AtenSchema& schema, int opset) {
  SpecializedEntry specialized{
      .mapping = entry, .case_numbers = {}, .several_cases = entry.cases.size() > 1, .schema = &schema, .opset = opset};
  Mapping& mapping = specialized.mapping;
  mapping.cases.clear();
  if (!InRange(entry.since, entry.until, opset)) return specialized;
  Specializer specializer(opset);
  DefineArguments(entry, schema, &specializer);
  for (auto& [name, refine] : mapping.args) refine.value = specializer.Value(refine.value);
  mapping.lets = specializer.Lets(entry.lets);
  mapping.require = specializer.Condition(entry.require);
  for (Def& def : mapping.defs) def = SpecializeDef(def, specializer);
  if (entry.repetition) mapping.repetition = SpecializeRepetition(*entry.repetition, specializer);
  mapping.cases = SpecializeCases(entry.cases, specializer, &specialized.case_numbers);
  for (Case& item : mapping.cases) PlaceResults(schema, &item.body);
  return specialized;
}

SpecializedSpec Specialize(SpecFile spec) {
  // Before definitions are bound, as words in those of the file are what they are, whatever the entry's arguments.
  for (OpEntry& entry : spec.ops) TakeArgumentWords(&entry);
  const SpecFile bound = BindDefinitions(spec);
  SpecializedSpec specialized{.path = std::move(spec.path),
                              .family = std::move(spec.family),
                              .imports = std::move(spec.imports),
                              .complete = spec.complete,
                              .defs = std::move(spec.defs),
                              .defs_at = {},
                              .ops = {}};
  for (size_t i = 0; i < spec.ops.size(); ++i)
    specialized.ops.push_back(SpecializeOp(std::move(spec.ops[i]), bound.ops[i]));
  specialized.defs_at[kAnyOpset] = Definitions(bound.defs, kAnyOpset);
  for (int opset = FirstOpset(); opset <= LastOpset(); ++opset)
    specialized.defs_at[opset] = Definitions(bound.defs, opset);
  return specialized;
}

}  // namespace onnxport::codegen
