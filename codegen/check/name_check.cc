#include "codegen/check/name_check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <span>
#include <vector>

#include "codegen/model/onnx_ops.h"
#include "codegen/model/spec_text.h"
#include "codegen/model/uses.h"
#include "runtime/ir/ir_version.h"

namespace onnxport::codegen {
namespace {

using Names = std::set<std::string>;

// No spec comes near these; texts made to exhaust the generator do.
constexpr size_t kDeepestCalls = 64;
constexpr size_t kMostLets = 500;

std::string Near(const std::string& word, const Names& names) {
  const std::vector<std::string_view> candidates(names.begin(), names.end());
  return DidYouMean(word, candidates);
}

// A name is never hidden by another: `dim` in a definition is either its parameter or nothing. So specialize was right
// to put a known value wherever a name stood, and a reader need not ask which `x` is meant. Scopes beside each other
// may use a name twice.
class NameChecker {
 public:
  NameChecker(std::span<const Def> entry_defs, std::span<const Def> file_defs, Diagnostics* diagnostics)
      : entry_defs_(entry_defs), file_defs_(file_defs), diagnostics_(diagnostics) {}

  // A new name: not one that is visible already.
  void Define(const std::string& name, const Place& place, Names* visible) {
    // `TopK(x, k, outputs=2)` says how many results are wanted, whatever the schema has.
    if (name == "outputs")
      diagnostics_->Error(place, fmt::format("`{}` has a meaning of its own and cannot be a name", name));
    else if (!visible->insert(name).second)
      diagnostics_->Error(place, fmt::format("`{}` is the name of something else already", name));
  }

  void Lets(const std::vector<Let>& lets, Names* visible) {
    if (lets.size() > kMostLets)
      diagnostics_->Error(lets[kMostLets].place, fmt::format("more than {} names in one `let`", kMostLets));
    for (const Let& let : lets) {
      // Before its own names are visible: `x: x + 1` asks for another `x`.
      Visit(*let.value, *visible, true);
      CheckDefsReady(*let.value, *visible);
      for (const std::string& name : let.names) Define(name, let.place, visible);
      if (let.value->kind == ExprKind::kDict && let.names.size() == 1) {
        Names& keys = dicts_[let.names[0]];
        for (const auto& [key, value] : let.value->named) keys.insert(key);
      }
    }
  }

  void Expression(const ExprPtr& expr, const Names& visible) {
    if (expr) Visit(*expr, visible);
  }

  void DefBody(const Def& def, Names visible) {
    given_ = &def.given;
    for (const std::string& param : def.params) Define(param, def.place, &visible);
    for (const auto& [param, count] : def.given) {
      // As a value it is nothing.
      visible.erase(param);
      if (FindDef(param))
        diagnostics_->Error(def.place,
                            fmt::format("`{}` is a definition; a parameter that stands for one has a name of "
                                        "its own",
                                        param));
    }
    Lets(def.lets, &visible);
    Results(def, &visible);
    UnusedIn(def, UsedBy(ExpressionsOf(def)));
    Names called;
    for (const ExprPtr& expr : ExpressionsOf(def)) AddCalled(*expr, &called);
    for (const auto& [param, count] : def.given)
      if (!called.contains(param)) diagnostics_->Error(def.place, fmt::format("parameter `{}` is not called", param));
    given_ = nullptr;
  }

  // A block, but for its lets: the repetition, then the cases. What comes later is not visible before.
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

  // What a block names but for the lets of its cases.
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

  // The definitions that are called, and those that are given to one.
  void AddCalled(const Expr& expr, Names* called) const {
    AddCalls(expr, called);
    for (const auto& defs : {entry_defs_, file_defs_}) AddGiven(expr, defs, called);
  }

  // Reports a def that leads back to itself, and chains of calls that are too long to follow.
  void CheckRecursion(const Def& def) {
    std::vector<std::string> path = {def.name};
    Names seen;
    if (LeadsTo(def, def.name, &path, &seen))
      diagnostics_->Error(def.place, fmt::format("`{}` calls itself: {}", def.name, fmt::join(path, " -> ")));
    else if (path.size() > kDeepestCalls)
      diagnostics_->Error(def.place, fmt::format("`{}` calls defs more than {} deep", def.name, kDeepestCalls));
  }

 private:
  const Def* FindDef(const std::string& name) const {
    for (const auto& defs : {entry_defs_, file_defs_})
      if (const auto def = std::ranges::find(defs, name, &Def::name); def != defs.end()) return &*def;
    return nullptr;
  }

  // Whether calls lead from `def` to `target`, with the calls in `path`. Leaves a path that is too long as it is.
  bool LeadsTo(const Def& def, const std::string& target, std::vector<std::string>* path, Names* seen) const {
    Names calls;
    for (const ExprPtr& expr : ExpressionsOf(def)) AddCalled(*expr, &calls);
    for (const std::string& call : calls) {
      const Def* called = FindDef(call);
      // Each definition is entered once, so this is linear in the calls and not in the paths.
      if (!called || (call != target && !seen->insert(call).second)) continue;
      path->push_back(call);
      if (call == target || (path->size() <= kDeepestCalls && LeadsTo(*called, target, path, seen))) return true;
      if (path->size() > kDeepestCalls) return false;
      path->pop_back();
    }
    return false;
  }

  // A def of the entry sees the entry's lets; it is called after those it uses. With the lets `y: f(1)` and then `z:
  // 2`, where f(t) is t + z, `f` needs what the generated code computes only after `y`.
  void CheckDefsReady(const Expr& expr, const Names& visible) {
    Names calls;
    AddCalled(expr, &calls);
    for (const Def& def : entry_defs_) {
      if (!calls.contains(def.name)) continue;
      for (const auto& [name, sure] : UsesOf(*CallOf(def), entry_defs_))
        if (!visible.contains(name) && !FindDef(name))
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

  void Visit(const Expr& expr, const Names& visible, bool whole_let = false) {
    switch (expr.kind) {
      case ExprKind::kName:
        if (given_ && given_->contains(expr.text))
          diagnostics_->Error(
              expr.place, fmt::format("`{}` stands for a definition: call it, or give it to another one", expr.text));
        else if (!visible.contains(expr.text))
          diagnostics_->Error(expr.place, fmt::format("unknown name `{}`{}", expr.text, Near(expr.text, visible)));
        else if (dicts_.contains(expr.text))
          diagnostics_->Error(
              expr.place, fmt::format("`{}` is a dict: write `**{}` among a node's arguments", expr.text, expr.text));
        return;
      case ExprKind::kNode:
        return Node(expr, visible);
      case ExprKind::kBuiltin:
        return CallBuiltin(expr, visible);
      case ExprKind::kCall:
        return CallDef(expr, visible);
      case ExprKind::kComprehension:
        return Comprehension(expr, visible);
      case ExprKind::kList:
        return List(expr, visible);
      case ExprKind::kDict:
        if (!whole_let) diagnostics_->Error(expr.place, "a dict can only be the value of a let");
        break;
      case ExprKind::kStar:
        diagnostics_->Error(expr.place, "`*` is for lists and the arguments of a node");
        break;
      case ExprKind::kDoubleStar:
        diagnostics_->Error(expr.place, "`**` is for the arguments of a node");
        break;
      default:
        break;
    }
    Operands(expr, visible);
  }

  void Operands(const Expr& expr, const Names& visible) {
    for (const ExprPtr& operand : expr.operands) Visit(*operand, visible);
    for (const auto& [name, value] : expr.named) Visit(*value, visible);
  }

  void Star(const Expr& operand, const Names& visible) {
    operand.kind == ExprKind::kStar ? Visit(*operand.operands[0], visible) : Visit(operand, visible);
  }

  void List(const Expr& expr, const Names& visible) {
    for (const ExprPtr& operand : expr.operands) Star(*operand, visible);
  }

  void Comprehension(const Expr& expr, const Names& visible) {
    Visit(*expr.operands[1], visible);
    Names inner = visible;
    for (const std::string& name : expr.names) Define(name, expr.place, &inner);
    Visit(*expr.operands[0], inner);
    if (expr.operands.size() > 2) Visit(*expr.operands[2], inner);
  }

  void CallBuiltin(const Expr& expr, const Names& visible) {
    const lowering::BuiltinInfo& builtin = InfoOf(expr.builtin);
    Positional(expr, builtin.name, visible);
    Arity(expr, builtin.name, builtin.min_args(), builtin.max_args());
    if (expr.builtin == Builtin::kDomain && !expr.operands.empty() && expr.operands[0]->kind != ExprKind::kString)
      diagnostics_->Error(expr.place, "`domain` takes a text: domain(\"com.microsoft\")");
  }

  void CallDef(const Expr& expr, const Names& visible) {
    const Def* def = FindDef(expr.text);
    if (def && !def->given.empty()) return CallWithGiven(*def, expr, visible);
    Positional(expr, expr.text, visible);
    if (def) return Arity(expr, expr.text, def->params.size(), def->params.size());
    if (given_ && given_->contains(expr.text))
      return Arity(expr, expr.text, given_->at(expr.text), given_->at(expr.text));
    Names known;
    if (given_)
      for (const auto& [name, count] : *given_) known.insert(name);
    for (const lowering::BuiltinInfo& builtin : lowering::kBuiltins) known.emplace(builtin.name);
    for (const auto& defs : {entry_defs_, file_defs_})
      for (const Def& def : defs) known.insert(def.name);
    diagnostics_->Error(expr.place, fmt::format("unknown function `{}`{}", expr.text, Near(expr.text, known)));
  }

  void CallWithGiven(const Def& def, const Expr& expr, const Names& visible) {
    for (size_t i = 0; i < expr.operands.size(); ++i) {
      const auto given = i < def.params.size() ? def.given.find(def.params[i]) : def.given.end();
      if (given == def.given.end())
        Visit(*expr.operands[i], visible);
      else
        GivenDef(def, given->first, given->second, *expr.operands[i]);
    }
    Arity(expr, expr.text, def.params.size(), def.params.size());
  }

  // What stands for `param`, a definition of `count` arguments.
  void GivenDef(const Def& def, const std::string& param, size_t count, const Expr& operand) {
    const bool named = operand.kind == ExprKind::kName;
    const Def* given = named ? FindDef(operand.text) : nullptr;
    const bool handed_on = named && given_ && given_->contains(operand.text);
    if (!given && !handed_on) {
      Names known;
      for (const auto& defs : {entry_defs_, file_defs_})
        for (const Def& other : defs) known.insert(other.name);
      const std::string text = SpecText(operand);
      diagnostics_->Error(operand.place, fmt::format("`{}` of `{}` is the name of a definition, here is `{}`{}", param,
                                                     def.name, text, Near(text, known)));
      return;
    }
    if (given && !given->given.empty()) {
      diagnostics_->Error(operand.place,
                          fmt::format("`{}` is given definitions itself, so it can't be given", given->name));
      return;
    }
    const size_t takes = given ? given->params.size() : given_->at(operand.text);
    if (takes != count)
      diagnostics_->Error(operand.place, fmt::format("`{}` takes {} arguments, `{}` of `{}` has {}", operand.text,
                                                     takes, param, def.name, count));
  }

  void Positional(const Expr& expr, std::string_view function, const Names& visible) {
    Operands(expr, visible);
    if (!expr.named.empty())
      diagnostics_->Error(expr.named[0].second->place, fmt::format("arguments of `{}` have no names", function));
  }

  void Arity(const Expr& expr, std::string_view function, size_t least, size_t most) {
    const size_t count = expr.operands.size();
    if (count >= least && count <= most) return;
    const std::string takes = least == most ? fmt::format("{}", least) : fmt::format("{} to {}", least, most);
    diagnostics_->Error(expr.place, fmt::format("`{}` takes {} arguments, here are {}", function, takes, count));
  }

  void Node(const Expr& expr, const Names& visible) {
    Names given;
    const auto give = [&](const std::string& name, const Place& place) {
      if (!given.insert(name).second) diagnostics_->Error(place, fmt::format("`{}` is given twice", name));
    };
    for (const ExprPtr& operand : expr.operands) {
      if (operand->kind != ExprKind::kDoubleStar) {
        Star(*operand, visible);
      } else if (const auto dict = dicts_.find(operand->operands[0]->text); dict != dicts_.end()) {
        for (const std::string& name : dict->second) give(name, operand->place);
      } else {
        diagnostics_->Error(operand->place, fmt::format("`{}` is no dict", operand->operands[0]->text));
      }
    }
    for (const auto& [name, value] : expr.named) {
      Visit(*value, visible);
      give(name, value->place);
    }
    const bool foreign = expr.text.find('.') != expr.text.npos;  // its schema is asked for where it can be reached
    // With an ONNX that lacks the newest opsets it may be one of theirs: it must not be reached at any other then.
    const bool all_known = LastOpset() >= ir::NewestReleasedOpset();
    if (!foreign && all_known && FormsOf(expr.text).empty()) {
      const std::vector<std::string_view> known(OpNames().begin(), OpNames().end());
      diagnostics_->Error(expr.place,
                          fmt::format("ONNX has no operator `{}`{}", expr.text, DidYouMean(expr.text, known)));
    }
  }

  std::span<const Def> entry_defs_;
  std::span<const Def> file_defs_;
  Diagnostics* diagnostics_;
  std::map<std::string, Names> dicts_;                    // and their keys
  const std::map<std::string, size_t>* given_ = nullptr;  // of the definition that is checked
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
    NameChecker checker({}, defs, diagnostics);
    checker.DefBody(def, {});
    checker.CheckRecursion(def);
  }
}

void CheckDefsUsed(const SpecializedSpec& spec, Diagnostics* diagnostics) {
  Names calls;
  const NameChecker of_file({}, spec.defs, diagnostics);
  for (const Def& def : spec.defs)
    for (const ExprPtr& expr : ExpressionsOf(def)) of_file.AddCalled(*expr, &calls);
  for (const SpecializedOp& op : spec.ops) {
    const NameChecker of_entry(op.entry.defs, spec.defs, diagnostics);
    for (const ExprPtr& expr : ExpressionsOf(op.entry)) of_entry.AddCalled(*expr, &calls);
  }
  CheckCalled(spec.defs, calls, diagnostics);
}

void CheckEntryNames(const OpEntry& entry, const Names& arguments, const std::vector<Def>& file_defs,
                     Diagnostics* diagnostics) {
  NameChecker checker(entry.defs, file_defs, diagnostics);
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
    checker.CheckRecursion(def);
  }
  checker.Expression(entry.require, visible);
  checker.Results(entry, &visible);
  const Names used = NameChecker::UsedBy(ExpressionsOf(entry));
  checker.UnusedIn(entry, used);
  for (const auto& [name, value] : constants)
    if (!used.contains(name)) diagnostics->Error(value->place, fmt::format("constant `{}` is not used", name));
  Names calls;
  for (const ExprPtr& expr : ExpressionsOf(entry)) checker.AddCalled(*expr, &calls);
  CheckCalled(entry.defs, calls, diagnostics);
}

}  // namespace onnxport::codegen
