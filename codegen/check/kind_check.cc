#include "codegen/check/kind_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "codegen/check/evaluator.h"
#include "codegen/check/literals.h"

namespace onnxport::codegen {
namespace {

std::vector<Def> FoldedDefs(const std::vector<Def>& defs, const Target& target) {
  std::vector<Def> folded;
  for (const Def& def : defs) folded.push_back(FoldDef(def, target));
  return folded;
}

class KindChecker {
 public:
  KindChecker(const FoldedEntry& folded, const std::vector<Def>& file_defs, Issues* issues,
              std::vector<Uncovered>* uncovered)
      : folded_(folded),
        entry_(folded.entry),
        issues_(issues),
        file_defs_(FoldedDefs(file_defs, folded.target)),
        evaluator_({.opset = folded.target.opset, .widen = nullptr, .issues = issues, .uncovered = uncovered},
                   file_defs_, entry_.defs) {}

  void Check() {
    evaluator_.set_entry(&names_);
    for (const ir::AtenArgument& argument : folded_.schema->arguments) DefineArgument(argument);
    for (const auto& [name, refine] : entry_.args) CheckRefinement(refine);
    DefineLets(entry_.lets, &names_);
    if (entry_.require) {
      evaluator_.Evaluate(entry_.require, names_);
      evaluator_.Assume(entry_.require, true, names_);
    }
    if (entry_.fold) CheckFold(*entry_.fold);
    for (size_t i = 0; i < entry_.cases.size() && !names_.impossible(); ++i)
      if (CheckCase(entry_.cases[i])) possible_.insert(folded_.case_numbers[i]);
  }

  const std::set<int>& possible() const { return possible_; }

 private:
  void Issue(const Place& place, const std::string& what) { issues_->Add(place, folded_.target.opset, what); }

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
    const auto refine = std::ranges::find(entry_.args, argument.name, &std::pair<std::string, Refine>::first);
    if (refine != entry_.args.end()) {
      switch (refine->second.kind) {
        case RefineKind::kAxis:
          kind = Of(Kind::kInt | none);
          break;
        case RefineKind::kAxisList:
          kind = ListOf(Of(Kind::kInt)), kind.bits |= none;
          break;
        case RefineKind::kRepeatTo:
          kind = ListOf(kind.May(Kind::kList) ? kind.Element() : kind.Without(Kind::kNone));
          break;
        case RefineKind::kEnum:
          kind = Of(0);
          for (const auto& [from, to] : refine->second.table) kind = Join(kind, KindOfLiteral(*to));
          break;
        case RefineKind::kMust:
        case RefineKind::kIgnore:
        case RefineKind::kTensors:
          break;
      }
    }
    if (entry_.promote && std::ranges::find(entry_.promote->of, argument.name) != entry_.promote->of.end())
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
      kind.bits |= Kind::kTensor;
      kind.dtypes = kTensorTypes | kComplexTypes;
    }
    if (entry_.promote->kind == PromoteKind::kFloat) kind.dtypes = kind.dtypes & (kFloatTypes | kComplexTypes);
    return kind;
  }

  // A number that a loop carries on or scans is a tensor there.
  static Kind InLoop(Kind kind) {
    if (kind.unknown() || !kind.May(Kind::kNumber)) return kind;
    Kind tensor = TensorKind({ir::DType::kInt64, ir::DType::kFloat32, ir::DType::kBool});
    return Join(kind.Without(Kind::kNumber), tensor);
  }

  void DefineEach(const Fold& fold, Environment* inner) {
    if (fold.kind == Fold::Kind::kLoop) {
      if (fold.in && !evaluator_.Evaluate(fold.in, names_).May(Kind::kNumber | Kind::kTensor | Kind::kNone))
        Issue(fold.in->place, "the count of a loop is a number or a tensor");
      for (const std::string& name : fold.each) DefineValue(name, Of(Kind::kSize), inner);
      return;
    }
    const Kind list = evaluator_.Evaluate(fold.in, names_);
    if (!list.May(Kind::kList)) Issue(fold.in->place, "a fold goes over a list, here is " + ToText(list));
    const Kind element = list.Element();
    for (size_t i = 0; i < fold.each.size(); ++i)
      DefineValue(fold.each[i],
                  fold.each.size() == 1      ? element
                  : i < element.items.size() ? element.items[i]
                                             : element.Element(),
                  inner);
  }

  // What the carried values may be is what they are before and after a round.
  void CheckFold(const Fold& fold) {
    const bool loop = fold.kind == Fold::Kind::kLoop;
    const auto carried = [&](const Kind& kind) { return loop ? InLoop(kind) : kind; };
    for (const Let& let : fold.init)
      DefineValue(let.names[0], carried(evaluator_.Evaluate(let.value, names_)), &names_);
    Environment inner = names_;
    DefineEach(fold, &inner);
    DefineLets(fold.lets, &inner);
    for (const Let& let : fold.next) {
      const Kind after = carried(evaluator_.Evaluate(let.value, inner));
      if (const Environment::Name* before = names_.Find(let.names[0]))
        DefineValue(let.names[0], Join(before->kind, after), &names_);
    }
    for (const Let& let : fold.next) {
      DefineValue(let.names[0], names_.Find(let.names[0])->kind, &inner);
      inner.Forget();
    }
    for (const Let& let : fold.next) evaluator_.Evaluate(let.value, inner);
    if (fold.go_on) evaluator_.Evaluate(fold.go_on, names_);
    for (const Let& let : fold.collect) {
      const Kind element = evaluator_.Evaluate(let.value, inner);
      DefineValue(let.names[0], loop ? InLoop(element) : ListOf(element), &names_);
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
      evaluator_.set_entry(&names);
      evaluator_.set_widen(&item.widen);
      CheckBody(item.body, names);
      evaluator_.set_widen(nullptr);
      evaluator_.set_entry(&names_);
    }
    if (item.when) evaluator_.Assume(item.when, false, names_);
    return possible;
  }

  void CheckBody(const Body& body, Environment& names) {
    if (body.kind == Body::Kind::kRefuse || body.kind == Body::Kind::kHook) return;
    const auto& results = folded_.schema->results;
    if (body.kind == Body::Kind::kIf) return CheckBranches(body, names);
    if (body.emit.size() == 1 && results.size() > 1)
      return CheckSplit(*body.emit[0], evaluator_.Evaluate(body.emit[0], names));
    if (body.emit.size() != results.size())
      Issue(body.place,
            fmt::format("{} has {} results, here are {}", folded_.schema->name, results.size(), body.emit.size()));
    for (size_t i = 0; i < body.emit.size(); ++i) {
      const Kind kind = evaluator_.Evaluate(body.emit[i], names);
      if (i < results.size()) CheckResult(*body.emit[i], kind, results[i].type, body.kind);
    }
  }

  // The condition, the results of `then`, the results of `else`.
  void CheckBranches(const Body& body, Environment& names) {
    const auto& results = folded_.schema->results;
    evaluator_.Evaluate(body.emit[0], names);
    const size_t count = body.emit.size() / 2;
    if (count != results.size())
      Issue(body.place, fmt::format("{} has {} results, here are {}", folded_.schema->name, results.size(), count));
    for (size_t i = 1; i < body.emit.size(); ++i) {
      const Kind kind = evaluator_.Evaluate(body.emit[i], names);
      const size_t result = (i - 1) % count;
      if (result < results.size()) CheckResult(*body.emit[i], kind, results[result].type, body.kind);
    }
  }

  // `emit: TopK(x, k, outputs=2)`: one expression for all results.
  void CheckSplit(const Expr& expr, const Kind& kind) {
    const size_t results = folded_.schema->results.size();
    if (kind.unknown()) return;
    if (!kind.May(Kind::kList))
      Issue(expr.place, fmt::format("{} has {} results, here is {}", folded_.schema->name, results, ToText(kind)));
    else if (!kind.items.empty() && kind.items.size() != results)
      Issue(expr.place,
            fmt::format("{} has {} results, here are {}", folded_.schema->name, results, kind.items.size()));
  }

  void CheckResult(const Expr& expr, const Kind& kind, const ir::AtenType& type, Body::Kind body) {
    if (expr.kind == ExprKind::kNone || kind.unknown()) return;
    if (body == Body::Kind::kSequence)
      return Issue(expr.place, fmt::format("`sequence` is a node that gives one, here is {}", ToText(kind)));
    if (type.list != kind.May(Kind::kList) || (body == Body::Kind::kList && !type.list))
      Issue(expr.place, fmt::format("the result of {} is {}, here is {}", folded_.schema->name,
                                    type.list ? "a list" : "not a list", ToText(kind)));
    else if (kind.May(Kind::kNone))
      Issue(expr.place, fmt::format("a result of {} may be None", folded_.schema->name));
    else if (type.kind == ir::AtenKind::kTensor && !type.list && !kind.May(Kind::kTensor | Kind::kNumber))
      Issue(expr.place, fmt::format("the result of {} is a tensor, here is {}", folded_.schema->name, ToText(kind)));
  }

  const FoldedEntry& folded_;
  const OpEntry& entry_;
  Issues* issues_;
  std::vector<Def> file_defs_;
  Environment names_;
  Evaluator evaluator_;
  std::set<int> possible_;
};

}  // namespace

std::set<int> CheckKinds(const FoldedEntry& folded, const std::vector<Def>& file_defs, Issues* issues,
                         std::vector<Uncovered>* uncovered) {
  KindChecker checker(folded, file_defs, issues, uncovered);
  checker.Check();
  return checker.possible();
}

}  // namespace onnxport::codegen
