// Folds and loops.
#include <algorithm>

#include "runtime/base/function_ref.h"
#include "tests/language/scope.h"

namespace onnxport::language {
namespace {

using codegen::Let;
using codegen::Repetition;
using lowering::Context;
using lowering::Val;
using lowering::Vals;

Names RunFold(const Repetition& fold, const Run& run, Scope* scope) {
  Names values;
  std::map<std::string, Vals> lists;
  for (const Let& let : fold.init) values[let.names[0]] = scope->Evaluate(*let.value);
  for (const Let& let : fold.collect) lists[let.names[0]] = {};
  const Val in = scope->Evaluate(*fold.in);
  for (const Val& element : in.AsList()) {
    Scope round(&run, scope);
    for (const auto& [name, value] : values) round.Bind(name, value);
    round.BindElement(fold.each, element);
    round.Bind(fold.lets);
    for (const Let& let : fold.collect) lists[let.names[0]].push_back(round.Evaluate(*let.value));
    Names next = values;
    for (const Let& let : fold.next) next[let.names[0]] = round.Evaluate(*let.value);
    values = std::move(next);
  }
  for (auto& [name, list] : lists) values[name] = Val(std::move(list));
  return values;
}

void BindCarried(const Repetition& loop, const Vals& carried, Scope* scope) {
  for (size_t i = 0; i < carried.size(); ++i) scope->Bind(loop.init[i].names[0], carried[i]);
}

Context::LoopStep Round(const Repetition& loop, const Val& i, const Vals& carried, Scope* round) {
  if (!loop.each.empty()) round->Bind(loop.each[0], i);
  BindCarried(loop, carried, round);
  round->Bind(loop.lets);
  Context::LoopStep step;
  for (const Let& first : loop.init)
    step.next.push_back(round->Evaluate(*std::ranges::find(loop.next, first.names, &Let::names)->value));
  for (const Let& let : loop.collect) step.scans.push_back(round->Evaluate(*let.value));
  return step;
}

Names RunLoop(const Repetition& loop, const Run& run, Scope* scope) {
  Vals first;
  for (const Let& let : loop.init) first.push_back(scope->Evaluate(*let.value));
  const auto ask = [&](const Vals& carried) {
    Scope asked(&run, scope);
    BindCarried(loop, carried, &asked);
    return asked.Evaluate(*loop.go_on);
  };
  const Val count = loop.in ? scope->Evaluate(*loop.in) : Val();
  FunctionRef<Val(const Vals&)> go_on;
  if (loop.go_on) go_on = ask;
  const Vals results = run.context->loop(count, first, go_on, [&](const Val& i, const Vals& carried) {
    Scope round(&run, scope);
    return Round(loop, i, carried, &round);
  });
  Names values;
  for (size_t i = 0; i < results.size(); ++i) {
    const bool carried = i < loop.init.size();
    values[(carried ? loop.init[i] : loop.collect[i - loop.init.size()]).names[0]] = results[i];
  }
  return values;
}

}  // namespace

Names RunRepetition(const Repetition& repetition, const Run& run, Scope* scope) {
  return repetition.kind == Repetition::Kind::kLoop ? RunLoop(repetition, run, scope) : RunFold(repetition, run, scope);
}

}  // namespace onnxport::language
