#include "codegen/check/kind_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "codegen/check/evaluator.h"

namespace onnxport::codegen {
namespace {

// After so many a kind that still grows may be anything.
constexpr int kMostRounds = 20;

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
    DefineLets(mapping_.lets, &names_);
    if (mapping_.require) {
      evaluator_.Evaluate(mapping_.require, names_);
      evaluator_.Assume(mapping_.require, true, names_);
    }
    if (mapping_.repetition) CheckRepetition(*mapping_.repetition);
    // In order, and each case that is not taken teaches something of those behind it: after `when: is_int(self)` the
    // others have no ints. When nothing is left, the rest can never be taken.
    for (size_t i = 0; i < mapping_.cases.size() && !names_.impossible(); ++i)
      if (CheckCase(mapping_.cases[i])) possible_.insert(specialized_.case_numbers[i]);
  }

  const std::set<int>& possible() const { return possible_; }

 private:
  void Issue(const Place& place, const std::string& what) { issues_->Add(place, specialized_.opset, what); }

  static void DefineLets(const std::vector<Let>& lets, Environment* names) {
    for (const Let& let : lets)
      for (size_t i = 0; i < let.names.size(); ++i)
        names->Define(let.names[i],
                      {.kind = {}, .let = let.value, .item = let.names.size() > 1 ? static_cast<int>(i) : -1});
  }

  static void DefineValue(const std::string& name, Kind kind, Environment* names) {
    names->Define(name, {.kind = std::move(kind), .let = nullptr, .item = -1});
  }

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
    DefineValue(argument.name, kind, &names_);
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

  // A number that a loop carries on or scans is a tensor there.
  static Kind InLoop(Kind kind) {
    if (kind.unknown() || !kind.May(Kind::kNumber)) return kind;
    Kind tensor = TensorKind({ir::DType::kInt64, ir::DType::kFloat32, ir::DType::kBool});
    return Join(kind.Without(Kind::kNumber), tensor);
  }

  void DefineEach(const Repetition& repetition, Environment* inner) {
    if (repetition.kind == Repetition::Kind::kLoop) {
      if (repetition.in && !evaluator_.Evaluate(repetition.in, names_).May(Kind::kNumber | Kind::kTensor | Kind::kNone))
        Issue(repetition.in->place, "the count of a loop is a number or a tensor");
      // The number of the iteration is known only in a run.
      for (const std::string& name : repetition.each) DefineValue(name, Of(Kind::kSize), inner);
      return;
    }
    const Kind list = evaluator_.Evaluate(repetition.in, names_);
    if (!list.May(Kind::kList)) Issue(repetition.in->place, "a fold goes over a list, here is " + ToText(list));
    const Kind element = list.Element();
    for (size_t i = 0; i < repetition.each.size(); ++i)
      DefineValue(repetition.each[i],
                  repetition.each.size() == 1 ? element
                  : i < element.items.size()  ? element.items[i]
                                              : element.Element(),
                  inner);
  }

  void CheckRepetition(const Repetition& repetition) {
    const bool loop = repetition.kind == Repetition::Kind::kLoop;
    for (const Let& let : repetition.init) {
      const Kind first = evaluator_.Evaluate(let.value, names_);
      DefineValue(let.names[0], loop ? InLoop(first) : first, &names_);
    }
    Environment inner = names_;
    DefineEach(repetition, &inner);
    DefineLets(repetition.lets, &inner);
    Carry(repetition, &inner);
    // With the outer names: `while` sees what is carried, as it is asked before the iteration's lets exist.
    if (repetition.go_on) evaluator_.Evaluate(repetition.go_on, names_);
    for (const Let& let : repetition.collect) {
      const Kind element = evaluator_.Evaluate(let.value, inner);
      DefineValue(let.names[0], loop ? InLoop(element) : ListOf(element), &names_);
    }
  }

  // What a carried value may be is what it is before the first round and after any: each round may add to what the
  // others are in the next one.
  void Carry(const Repetition& repetition, Environment* inner) {
    bool grew = true;
    for (int round = 0; grew; ++round) {
      std::vector<Kind> after;
      for (const Let& let : repetition.next) after.push_back(evaluator_.Evaluate(let.value, *inner));
      grew = false;
      for (size_t i = 0; i < after.size(); ++i) {
        const std::string& name = repetition.next[i].names[0];
        const Kind before = names_.Find(name)->kind;
        if (repetition.kind == Repetition::Kind::kLoop) after[i] = InLoop(after[i]);
        const Kind either =
            round < kMostRounds ? Join(before, after[i]) : AnyKind();  // of lists in lists there is no end
        if (Same(either, before)) continue;
        grew = true;
        DefineValue(name, either, &names_);
        DefineValue(name, either, inner);
      }
      // The lets of an iteration depend on what is carried, which has just grown.
      inner->Forget();
    }
  }

  // Whether some argument can satisfy its condition.
  bool CheckCase(const Case& item) {
    if (item.when) evaluator_.Evaluate(item.when, names_);
    Environment names = names_;
    evaluator_.Assume(item.when, true, names);
    const bool possible = !names.impossible();
    if (possible) {
      names.Forget();
      DefineLets(item.lets, &names);
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
