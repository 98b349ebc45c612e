#include "codegen/emit/repetition.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "codegen/model/uses.h"

namespace onnxport::codegen {
namespace {

cpp::Expr Position(const std::string& list, size_t i) {
  return cpp::Index(cpp::Name(list), cpp::Int(static_cast<int64_t>(i)));
}

// Names that an expression uses.
std::set<std::string> NamesIn(const Expr& whole) {
  std::set<std::string> names;
  ForEach(whole, [&](const Expr& expr) {
    if (expr.kind == ExprKind::kName) names.insert(expr.text);
  });
  return names;
}

// ---- fold ----

// The element of a round under the names that the spec gives it; its own name.
std::string BindElement(const std::vector<std::string>& each, BlockWriter* round) {
  if (each.size() == 1) return round->Declare(each[0]);
  const std::string element = round->Own(fmt::format("{}", fmt::join(each, "_")));
  for (size_t i = 0; i < each.size(); ++i) round->Bind(each[i], {Position(element, i)});
  return element;
}

// All next values are computed from the values before. With two carried values `a: b` and `b: a` they are exchanged: so
// each goes into a local of its own first.
void AddNext(const std::vector<Let>& next, const BlockWriter& outer, BlockWriter* round) {
  std::vector<std::pair<cpp::Expr, cpp::Expr>> assignments;
  for (const Let& let : next) {
    cpp::Expr value = round->Value(*let.value);
    if (next.size() > 1) {
      const std::string local = round->Own("next_" + let.names[0]);
      round->Add(cpp::Variable("const Val", local, value));
      value = cpp::Name(local);
    }
    assignments.emplace_back(outer.scope().values.at(let.names[0]).code, value);
  }
  for (const auto& [variable, value] : assignments) round->Add(cpp::Do(cpp::Infix("=", variable, value)));
}

void AddFold(const Repetition& fold, const std::vector<PlannedLet>& lets, const std::set<std::string>& used,
             BlockWriter* block) {
  for (const Let& let : fold.init) {
    const cpp::Expr value = block->Value(*let.value);
    block->Add(cpp::Variable("Val", block->Declare(let.names[0]), value));
  }
  for (const Let& let : fold.collect) block->Add(cpp::Construct("Vals", block->writer().names().OfSpec(let.names[0])));
  // Writes a fold: `for (const Val& l : layers.AsList()) { lets; lists.push_back(...); carried = ...; }`
  BlockWriter round = block->Inner();
  const std::string element = BindElement(fold.each, &round);
  for (const PlannedLet& planned : lets) round.AddLet(planned, used);
  for (const Let& let : fold.collect) {
    const std::string& list = block->writer().names().OfSpec(let.names[0]);
    round.Add(cpp::Do(cpp::Method(cpp::Name(list), "push_back", {round.Value(*let.value)})));
  }
  AddNext(fold.next, *block, &round);
  cpp::Block body = round.Take();
  const char* type = cpp::Mentions(body, element) ? "const Val&" : "[[maybe_unused]] const Val&";
  const cpp::Expr list = block->writer().Val(*fold.in, block->scope());
  block->Add(cpp::For(type, element, cpp::Method(list, "AsList", {}), std::move(body)));
  for (const Let& let : fold.collect)
    block->Bind(let.names[0], {cpp::Name(block->Declare(let.names[0])), CppType::kList});
}

// ---- loop ----

std::vector<std::string> NamesOf(const std::vector<Let>& lets) {
  std::vector<std::string> names;
  for (const Let& let : lets) names.push_back(let.names[0]);
  return names;
}

cpp::Expr GoOn(const Repetition& loop, const BlockWriter& outer) {
  BlockWriter block = outer.Inner();
  const std::string carried = block.Own("carried");
  block.AddUnpacked(NamesOf(loop.init), NamesIn(*loop.go_on), cpp::Name(carried));
  block.Add(cpp::Return(block.Value(*loop.go_on)));
  return cpp::Lambda({{"const Vals&", carried}}, "Val", block.Take());
}

cpp::Expr Round(const Repetition& loop, const std::vector<PlannedLet>& lets, const std::set<std::string>& used,
                const BlockWriter& outer) {
  BlockWriter block = outer.Inner();
  const std::string count = loop.each.empty() ? block.Own("i") : block.Declare(loop.each[0]);
  const std::string carried = block.Own("carried");
  std::set<std::string> names;
  for (const auto* values : {&loop.lets, &loop.next, &loop.collect})
    for (const Let& let : *values) names.merge(NamesIn(*let.value));
  block.AddUnpacked(NamesOf(loop.init), names, cpp::Name(carried));
  for (const PlannedLet& planned : lets) block.AddLet(planned, used);
  // `next` may stand in any order in the file; Context::loop goes by position.
  std::vector<Let> next;  // in the order of `carry`
  for (const Let& let : loop.init) next.push_back(*std::ranges::find(loop.next, let.names, &Let::names));
  block.Add(cpp::Return(
      cpp::Braces({cpp::Field("next", block.Values(next)), cpp::Field("scans", block.Values(loop.collect))})));
  return cpp::Lambda({{"const Val&", count}, {"const Vals&", carried}}, "Context::LoopStep", block.Take());
}

void AddLoop(const Repetition& loop, const std::vector<PlannedLet>& lets, const std::set<std::string>& used,
             BlockWriter* block) {
  const cpp::Expr count = loop.in ? block->Value(*loop.in) : cpp::Call("Val", {});
  const cpp::Expr first = block->Values(loop.init);
  cpp::Expr go_on = cpp::Name("nullptr");
  if (loop.go_on) {
    const cpp::Expr lambda = GoOn(loop, *block);
    const std::string local = block->Own("go_on");
    block->Add(cpp::Variable("const auto", local, lambda));
    go_on = cpp::Name(local);
  }
  const cpp::Expr lambda = Round(loop, lets, used, *block);
  const std::string round = block->Own("round");
  block->Add(cpp::Variable("const auto", round, lambda));
  const std::string results = block->Own("results");
  block->Add(cpp::Variable("const Vals", results, ContextMethod("loop", {count, first, go_on, cpp::Name(round)})));
  std::vector<std::string> names = NamesOf(loop.init);
  for (const std::string& name : NamesOf(loop.collect)) names.push_back(name);
  block->AddUnpacked(names, used, cpp::Name(results));
}

}  // namespace

void AddRepetition(const Repetition& repetition, const std::vector<PlannedLet>& lets, const std::set<std::string>& used,
                   BlockWriter* block) {
  repetition.kind == Repetition::Kind::kLoop ? AddLoop(repetition, lets, used, block)
                                             : AddFold(repetition, lets, used, block);
}

}  // namespace onnxport::codegen
