#include "codegen/check/kind_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "codegen/check/evaluator.h"

namespace onnxport::codegen {
namespace {

class KindChecker {
 public:
  KindChecker(const SpecializedEntry& specialized, const std::vector<Def>& file_defs, Issues* issues,
              std::vector<Uncovered>* uncovered, KindsSeen* seen)
      : specialized_(specialized),
        mapping_(specialized.mapping),
        issues_(issues),
        evaluator_(
            {.opset = specialized.opset, .compute_in = nullptr, .issues = issues, .uncovered = uncovered, .seen = seen},
            file_defs, mapping_.defs) {}

  void Check() {
    evaluator_.set_entry(&names_);
    for (const ir::AtenArgument& argument : specialized_.schema->arguments) DefineArgument(argument);
    // When all arguments are defined: `repeat_to(n)` may use one.
    for (const auto& [name, refine] : mapping_.args) CheckRefinement(refine);
    names_.DefineLets(mapping_.lets);
    if (mapping_.require) {
      evaluator_.Evaluate(mapping_.require, names_);
      evaluator_.Assume(mapping_.require, true, names_);
    }
    if (mapping_.repetition) evaluator_.Repeat(*mapping_.repetition, names_);
    // In order, and each case that is not taken teaches something of those behind it: after `when: is_int(self)` the
    // others have no ints. When nothing is left, the rest can never be taken.
    for (size_t i = 0; i < mapping_.cases.size() && !names_.impossible(); ++i)
      if (CheckCase(mapping_.cases[i])) possible_.insert(specialized_.case_numbers[i]);
  }

  const std::set<int>& possible() const { return possible_; }

 private:
  void Issue(const Place& place, const std::string& what) { issues_->Add(place, specialized_.opset, what); }

  void DefineArgument(const ir::AtenArgument& argument) {
    Kind kind = KindOfArgument(argument.type);
    const uint16_t none = kind.bits & Kind::kNone;
    const auto refine = std::ranges::find(mapping_.args, argument.name, &std::pair<std::string, Refine>::first);
    if (refine != mapping_.args.end()) {
      switch (refine->second.kind) {
        case RefineKind::kAxis:
          kind = Of(Kind::kInt | none);
          break;
        case RefineKind::kAxisList:
          kind = ListOf(Of(Kind::kInt)), kind.bits |= none;
          break;
        // A number becomes a list of it, a list stays one.
        case RefineKind::kRepeatTo:
          kind = ListOf(kind.May(Kind::kList) ? kind.Element() : kind.Without(Kind::kNone));
          break;
        case RefineKind::kEnum:
          kind = Of(0);
          for (const auto& [from, to] : refine->second.table) kind = Join(kind, KindOfLiteral(*to));
          break;
        case RefineKind::kMust:
        case RefineKind::kIgnore:
          break;
      }
    }
    if (mapping_.promote && std::ranges::find(mapping_.promote->of, argument.name) != mapping_.promote->of.end())
      kind = Promoted(argument.name, kind);
    names_.DefineValue(argument.name, kind);
  }

  void CheckRefinement(const Refine& refine) {
    if (refine.kind != RefineKind::kRepeatTo) return;
    const Kind count = evaluator_.Evaluate(refine.value, names_);
    if (!count.May(Kind::kHostNumber))
      Issue(refine.value->place, fmt::format("`{}` needs an int, here is {}", NameOf(refine.kind), ToText(count)));
  }

  Kind Promoted(const std::string& name, Kind kind) {
    if (kind.May(Kind::kTensor)) {
      std::set<std::string> promoted = names_.promoted();
      promoted.insert(name);
      names_.SetPromoted(promoted);
    } else {
      // A number that is promoted with a tensor may become a constant of its dtype.
      kind.bits |= Kind::kTensor;
      kind.dtypes = kTensorTypes | kComplexTypes;
    }
    if (mapping_.promote->kind == PromoteKind::kFloat) kind.dtypes = kind.dtypes & (kFloatTypes | kComplexTypes);
    return kind;
  }

  // Returns whether some argument can satisfy the condition of the case.
  bool CheckCase(const Case& item) {
    if (item.when) evaluator_.Evaluate(item.when, names_);
    Environment names = names_;
    evaluator_.Assume(item.when, true, names);
    const bool possible = !names.impossible();
    if (possible) {
      names.Forget();
      names.DefineLets(item.lets);
      // Definitions of the entry that the case calls know what its condition says.
      evaluator_.set_entry(&names);
      evaluator_.set_compute_in(&item.compute_in);
      CheckBody(item.body, names);
      evaluator_.set_compute_in(nullptr);
      evaluator_.set_entry(&names_);
    }
    if (item.when) evaluator_.Assume(item.when, false, names_);
    return possible;
  }

  void CheckBody(const Body& body, Environment& names) {
    if (body.kind == Body::Kind::kRefuse || body.kind == Body::Kind::kHook) return;
    const auto& results = specialized_.schema->results;
    if (body.kind == Body::Kind::kIf) return CheckBranches(body, names);
    // `emit: TopK(x, k, outputs=2)` gives both results of topk; `emit: [a, b]` says them one by one.
    if (body.emit.size() == 1 && results.size() > 1)
      return CheckSplit(*body.emit[0], evaluator_.Evaluate(body.emit[0], names));
    if (body.emit.size() != results.size())
      Issue(body.place,
            fmt::format("{} has {} results, here are {}", specialized_.schema->name, results.size(), body.emit.size()));
    for (size_t i = 0; i < body.emit.size(); ++i) {
      const Kind kind = evaluator_.Evaluate(body.emit[i], names);
      if (i < results.size()) CheckResult(*body.emit[i], kind, results[i].type, body.kind);
    }
  }

  // The condition, the results of `then`, the results of `else`.
  void CheckBranches(const Body& body, Environment& names) {
    const auto& results = specialized_.schema->results;
    evaluator_.Evaluate(body.emit[0], names);
    const size_t count = body.emit.size() / 2;
    if (count != results.size())
      Issue(body.place,
            fmt::format("{} has {} results, here are {}", specialized_.schema->name, results.size(), count));
    for (size_t i = 1; i < body.emit.size(); ++i) {
      const Kind kind = evaluator_.Evaluate(body.emit[i], names);
      const size_t result = (i - 1) % count;
      if (result < results.size()) CheckResult(*body.emit[i], kind, results[result].type, body.kind);
    }
  }

  // `emit: TopK(x, k, outputs=2)`: one expression for all results.
  void CheckSplit(const Expr& expr, const Kind& kind) {
    const size_t results = specialized_.schema->results.size();
    if (kind.unknown()) return;
    if (!kind.May(Kind::kList))
      Issue(expr.place, fmt::format("{} has {} results, here is {}", specialized_.schema->name, results, ToText(kind)));
    else if (!kind.items.empty() && kind.items.size() != results)
      Issue(expr.place,
            fmt::format("{} has {} results, here are {}", specialized_.schema->name, results, kind.items.size()));
  }

  void CheckResult(const Expr& expr, const Kind& kind, const ir::AtenType& type, Body::Kind body) {
    if (expr.kind == ExprKind::kNone || kind.unknown()) return;
    if (body == Body::Kind::kSequence)
      return Issue(expr.place, fmt::format("`sequence` is a node that gives one, here is {}", ToText(kind)));
    if (type.list != kind.May(Kind::kList) || (body == Body::Kind::kList && !type.list))
      Issue(expr.place, fmt::format("the result of {} is {}, here is {}", specialized_.schema->name,
                                    type.list ? "a list" : "not a list", ToText(kind)));
    else if (kind.May(Kind::kNone))
      Issue(expr.place, fmt::format("a result of {} may be None", specialized_.schema->name));
    else if (type.kind == ir::AtenKind::kTensor && !type.list && !kind.May(Kind::kTensor | Kind::kNumber))
      Issue(expr.place,
            fmt::format("the result of {} is a tensor, here is {}", specialized_.schema->name, ToText(kind)));
  }

  const SpecializedEntry& specialized_;
  const Mapping& mapping_;
  Issues* issues_;
  Environment names_;
  Evaluator evaluator_;
  std::set<int> possible_;
};

}  // namespace

std::set<int> CheckKinds(const SpecializedEntry& specialized, const std::vector<Def>& file_defs, Issues* issues,
                         std::vector<Uncovered>* uncovered, KindsSeen* seen) {
  KindChecker checker(specialized, file_defs, issues, uncovered, seen);
  checker.Check();
  return checker.possible();
}

}  // namespace onnxport::codegen
