#include "tests/language/entry.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "codegen/model/uses.h"
#include "runtime/aten/aten_schema.h"
#include "tests/language/scope.h"

namespace onnxport::language {
namespace {

using codegen::Body;
using codegen::Case;
using codegen::Expr;
using codegen::Let;
using codegen::OpEntry;
using codegen::Repetition;
using lowering::Context;
using lowering::Val;
using lowering::Vals;

bool InRange(const Case& item, int opset) {
  return opset >= item.since.value_or(opset) && opset <= item.until.value_or(opset);
}

bool Mentions(const std::vector<codegen::ExprPtr>& expressions, const std::optional<Repetition>& repetition) {
  if (!repetition) return false;
  std::set<std::string> used;
  for (const auto& expr : expressions)
    if (expr)
      for (const auto& [name, sure] : codegen::UsesOf(*expr, {})) used.insert(name);
  const auto uses = [&](const Let& let) { return used.contains(let.names[0]); };
  return std::ranges::any_of(repetition->init, uses) || std::ranges::any_of(repetition->collect, uses);
}

// One for each result of the operator; None where none was given.
Vals InOrder(const std::vector<codegen::NamedResult>& names, const Vals& values, const ir::AtenSchema& schema) {
  Vals ordered(schema.results.size());
  for (size_t i = 0; i < names.size(); ++i)
    for (size_t k = 0; k < schema.results.size(); ++k)
      if (schema.results[k].name == names[i].name) ordered[k] = values[i];
  return ordered;
}

Vals ResultsOf(const Body& body, const Run& run, Scope* scope) {
  const auto values = [&](size_t begin, size_t end) {
    Vals results;
    for (size_t i = begin; i < end; ++i) results.push_back(scope->Evaluate(*body.emit[i]));
    return body.names.empty() ? results : InOrder(body.names, results, *run.schema);
  };
  const size_t count = body.emit.size();
  switch (body.kind) {
    case Body::Kind::kRefuse:
      throw Refusal(body.text);
    case Body::Kind::kIf:
      return run.context->if_op(
          scope->Evaluate(*body.emit[0]), [&] { return values(1, 1 + count / 2); },
          [&] { return values(1 + count / 2, count); });
    case Body::Kind::kMap: {
      const Expr& map = *body.emit[0];
      return {run.context->map(scope->Evaluate(*map.operands[1]), [&](const Val& element) {
        Scope inner(&run, scope);
        inner.Bind(map.names[0], element);
        return inner.Evaluate(*map.operands[0]);
      })};
    }
    default:
      return values(0, count);
  }
}

// A case that speaks of a repetition's results has the whole of it computed, whichever of them it comes to need.
Vals RunCase(const Case& item, const Run& run, Scope* entry) {
  Scope scope(&run, entry);
  std::vector<codegen::ExprPtr> expressions = item.body.emit;
  for (const Let& let : item.lets) expressions.push_back(let.value);
  const auto& repetition = run.entry->repetition;
  if (Mentions(expressions, repetition))
    for (auto& [name, value] : RunRepetition(*repetition, run, entry)) scope.Bind(name, value);
  scope.Bind(item.lets);
  return ResultsOf(item.body, run, &scope);
}

void BindArguments(const OpEntry& entry, const ir::AtenSchema& schema, Context* context, Scope* scope) {
  for (size_t i = 0; i < schema.arguments.size(); ++i) scope->Bind(schema.arguments[i].name, context->arg(i));
  for (const auto& [name, refine] : entry.args) {
    const Val given = scope->Name(name);
    if (refine.kind == codegen::RefineKind::kAxis)
      scope->Bind(name, context->axis(name.c_str(), given, scope->Name(refine.tensor)));
  }
}

}  // namespace

Vals RunEntry(const codegen::SpecFile& spec, Context* context) {
  const OpEntry& entry = spec.ops[0];
  const ir::AtenSchema& schema = *ir::FindAtenSchema(entry.names[0]);
  Run run{.context = context, .spec = &spec, .entry = &entry, .schema = &schema, .of_entry = nullptr};
  Scope scope(&run, nullptr);
  run.of_entry = &scope;
  BindArguments(entry, schema, context, &scope);
  scope.Bind(entry.lets);
  if (entry.require && !scope.Evaluate(*entry.require)) throw Refusal("required");
  std::vector<codegen::ExprPtr> conditions;
  for (const Case& item : entry.cases) conditions.push_back(item.when);
  if (Mentions(conditions, entry.repetition)) scope.BindRepetition(entry);
  for (const Case& item : entry.cases)
    if (InRange(item, context->opset()) && (!item.when || scope.Evaluate(*item.when)))
      return RunCase(item, run, &scope);
  throw Refusal("no case");
}

}  // namespace onnxport::language
