#include "codegen/check/name_check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "codegen/check/expression_names.h"
#include "codegen/check/known_defs.h"
#include "codegen/model/uses.h"

namespace onnxport::codegen {
namespace {

// No spec comes near this; texts made to exhaust the generator do.
constexpr size_t kMostLets = 500;

// The names of blocks: which are visible where, and which are used.
class NameChecker {
 public:
  NameChecker(KnownDefs defs, Diagnostics* diagnostics)
      : defs_(defs), expressions_(defs, diagnostics), diagnostics_(diagnostics) {}

  void Define(const std::string& name, const Place& place, Names* visible) {
    expressions_.Define(name, place, visible);
  }

  void Lets(const std::vector<Let>& lets, Names* visible) {
    if (lets.size() > kMostLets)
      diagnostics_->Error(lets[kMostLets].place, fmt::format("more than {} names in one `let`", kMostLets));
    for (const Let& let : lets) {
      // Before its own names are visible: `x: x + 1` asks for another `x`.
      expressions_.Visit(*let.value, *visible, true);
      CheckDefsReady(*let.value, *visible);
      for (const std::string& name : let.names) Define(name, let.place, visible);
      if (let.value->kind == ExprKind::kDict && let.names.size() == 1)
        expressions_.DefineDict(let.names[0], *let.value);
    }
  }

  void Expression(const ExprPtr& expr, const Names& visible) {
    if (expr) expressions_.Visit(*expr, visible);
  }

  void DefBody(const Def& def, Names visible) {
    expressions_.SetGiven(&def.given);
    for (const std::string& param : def.params) Define(param, def.place, &visible);
    for (const auto& [param, count] : def.given) {
      // As a value it is nothing.
      visible.erase(param);
      if (defs_.Find(param))
        diagnostics_->Error(def.place,
                            fmt::format("`{}` is a definition; a parameter that stands for one has a name of "
                                        "its own",
                                        param));
    }
    Lets(def.lets, &visible);
    Results(def, &visible);
    UnusedIn(def, UsedBy(ExpressionsOf(def)));
    Names called;
    for (const ExprPtr& expr : ExpressionsOf(def)) defs_.AddCalled(*expr, &called);
    for (const auto& [param, count] : def.given)
      if (!called.contains(param)) diagnostics_->Error(def.place, fmt::format("parameter `{}` is not called", param));
    expressions_.SetGiven(nullptr);
  }

  // A block, but for its lets: the repetition, then the cases. A name is not visible before it is defined.
  void Results(const Block& block, Names* visible) {
    if (block.repetition) Repeated(*block.repetition, visible);
    for (const Case& item : block.cases) {
      Expression(item.when, *visible);
      Names inner = *visible;
      Lets(item.lets, &inner);
      for (const ExprPtr& value : item.body.emit) Expression(value, inner);
      std::vector<ExprPtr> in_case = item.body.emit;
      for (const Let& let : item.lets) in_case.push_back(let.value);
      Unused(item.lets, UsedBy(in_case), "let");
    }
  }

  // Reports unused lets and results of a block. Results() does so for the lets of its cases.
  void UnusedIn(const Block& block, const Names& used) {
    Unused(block.lets, used, "let");
    if (!block.repetition) return;
    Unused(block.repetition->lets, used, "let");
    Unused(block.repetition->collect, used, "result");
  }

  // Lets whose every name is missing in `used`.
  void Unused(const std::vector<Let>& lets, const Names& used, std::string_view what) {
    for (const Let& let : lets)
      if (std::ranges::none_of(let.names, [&](const std::string& name) { return used.contains(name); }))
        diagnostics_->Error(let.place, fmt::format("{} `{}` is not used", what, fmt::join(let.names, ", ")));
  }

  static Names UsedBy(const std::vector<ExprPtr>& expressions) {
    Names used;
    for (const ExprPtr& expr : expressions)
      for (const auto& [name, sure] : UsesOf(*expr, {})) used.insert(name);
    return used;
  }

 private:
  // A def of the entry sees the entry's lets; it is called after those it uses. With the lets `y: f(1)` and then `z:
  // 2`, where f(t) is t + z, `f` needs what the generated code computes only after `y`.
  void CheckDefsReady(const Expr& expr, const Names& visible) {
    Names calls;
    defs_.AddCalled(expr, &calls);
    for (const Def& def : defs_.of_entry()) {
      if (!calls.contains(def.name)) continue;
      for (const auto& [name, sure] : UsesOf(*CallOf(def), defs_.of_entry()))
        if (!visible.contains(name) && !defs_.Find(name))
          diagnostics_->Error(expr.place,
                              fmt::format("`{}` uses `{}`, which is defined only after this", def.name, name));
    }
  }

  void Repeated(const Repetition& repetition, Names* visible) {
    Expression(repetition.in, *visible);
    Lets(repetition.init, visible);
    Expression(repetition.go_on, *visible);
    Names inner = *visible;
    for (const std::string& name : repetition.each) Define(name, repetition.place, &inner);
    Lets(repetition.lets, &inner);
    for (const Let& let : repetition.next) {
      Expression(let.value, inner);
      if (std::ranges::find(repetition.init, let.names, &Let::names) == repetition.init.end())
        diagnostics_->Error(
            let.place, fmt::format("`{}` is not among the `{}` of the {}", let.names[0],
                                   repetition.kind == Repetition::Kind::kFold ? "init" : "carry", repetition.word()));
    }
    for (const Let& let : repetition.init)
      if (std::ranges::find(repetition.next, let.names, &Let::names) == repetition.next.end())
        diagnostics_->Error(let.place, fmt::format("`{}` has no `next`: make it a let", let.names[0]));
    for (const Let& let : repetition.collect) {
      Expression(let.value, inner);
      Define(let.names[0], let.place, visible);
    }
  }

  static ExprPtr CallOf(const Def& def) {
    auto call = std::make_shared<Expr>();
    call->kind = ExprKind::kCall;
    call->text = def.name;
    return call;
  }

  KnownDefs defs_;
  ExpressionNames expressions_;
  Diagnostics* diagnostics_;
};

void CheckDefNames(const std::vector<Def>& defs, Diagnostics* diagnostics) {
  Names seen;
  for (const Def& def : defs) {
    if (lowering::FindBuiltin(def.name))
      diagnostics->Error(def.place, fmt::format("`{}` is a function of the language", def.name));
    if (!seen.insert(def.name).second) diagnostics->Error(def.place, fmt::format("`{}` is defined twice", def.name));
  }
}

// Defs whose name is not among `calls`.
void CheckCalled(const std::vector<Def>& defs, const Names& calls, Diagnostics* diagnostics) {
  for (const Def& def : defs)
    if (!calls.contains(def.name)) diagnostics->Error(def.place, fmt::format("def `{}` is not used", def.name));
}

}  // namespace

void CheckFileDefs(const std::vector<Def>& defs, Diagnostics* diagnostics) {
  CheckDefNames(defs, diagnostics);
  for (const Def& def : defs) {
    const KnownDefs known({}, defs);
    NameChecker(known, diagnostics).DefBody(def, {});
    known.CheckRecursion(def, diagnostics);
  }
}

void CheckDefsUsed(const SpecializedSpec& spec, Diagnostics* diagnostics) {
  Names calls;
  const KnownDefs of_file({}, spec.defs);
  for (const Def& def : spec.defs)
    for (const ExprPtr& expr : ExpressionsOf(def)) of_file.AddCalled(*expr, &calls);
  for (const SpecializedOp& op : spec.ops) {
    const KnownDefs of_entry(op.entry.defs, spec.defs);
    for (const ExprPtr& expr : ExpressionsOf(op.entry)) of_entry.AddCalled(*expr, &calls);
  }
  CheckCalled(spec.defs, calls, diagnostics);
}

void CheckEntryNames(const OpEntry& entry, const Names& arguments, const std::vector<Def>& file_defs,
                     Diagnostics* diagnostics) {
  const KnownDefs defs(entry.defs, file_defs);
  NameChecker checker(defs, diagnostics);
  CheckDefNames(entry.defs, diagnostics);
  // Each of the entry's names has the same constants with other values, so the first says the names.
  const auto constants = entry.constants.empty() ? decltype(entry.constants)::value_type() : entry.constants[0];
  Names visible = arguments;
  for (const auto& [name, value] : constants) checker.Define(name, entry.place, &visible);
  for (const auto& [name, refine] : entry.args)
    if (refine.value) checker.Expression(refine.value, visible);
  // In the order in which values come to be: lets, definitions over them, `require`, the rest of the block.
  checker.Lets(entry.lets, &visible);
  for (const Def& def : entry.defs) {
    // One that hides another would be called by copies of the file's definitions, too (specialize/bind.h).
    if (std::ranges::find(file_defs, def.name, &Def::name) != file_defs.end())
      diagnostics->Error(def.place, fmt::format("`{}` is a definition of the file already", def.name));
    checker.DefBody(def, visible);
    defs.CheckRecursion(def, diagnostics);
  }
  checker.Expression(entry.require, visible);
  checker.Results(entry, &visible);
  const Names used = NameChecker::UsedBy(ExpressionsOf(entry));
  checker.UnusedIn(entry, used);
  for (const auto& [name, value] : constants)
    if (!used.contains(name)) diagnostics->Error(value->place, fmt::format("constant `{}` is not used", name));
  Names calls;
  for (const ExprPtr& expr : ExpressionsOf(entry)) defs.AddCalled(*expr, &calls);
  CheckCalled(entry.defs, calls, diagnostics);
}

}  // namespace onnxport::codegen
