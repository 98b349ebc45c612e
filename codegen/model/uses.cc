#include "codegen/model/uses.h"

#include <algorithm>
#include <utility>

#include "codegen/model/walk.h"

namespace onnxport::codegen {
namespace {

// Deeper ones are reported by the name check.
constexpr int kDeepestCalls = 64;

// `sure` goes down with the walk. An example: `a + (b if c else b * d)` is sure to use a, b and c, and may use d. Sure
// uses can be computed in front of the arms; the rest must wait (emit/let_plan.h).
class Collector {
 public:
  explicit Collector(std::span<const Def> defs) : defs_(defs) {}

  Uses Collect(const Expr& expr) {
    Uses collected;
    // Arms and definitions are collected by themselves and then added with what is known of the place: so a definition
    // is walked once, however often it is called.
    Uses* outer = std::exchange(uses_, &collected);
    Visit(expr, true);
    uses_ = outer;
    return collected;
  }

 private:
  void Visit(const Expr& expr, bool sure) {
    switch (expr.kind) {
      case ExprKind::kName:
        if (!hidden_.contains(expr.text)) Add(expr.text, sure);
        return;
      case ExprKind::kConditional:
        return VisitConditional(expr, sure);
      case ExprKind::kComprehension:
        return VisitComprehension(expr, sure);
      case ExprKind::kCall:
        return VisitCall(expr, sure);
      case ExprKind::kBuiltin:
        return VisitBuiltin(expr, sure);
      case ExprKind::kLogic:
        Visit(*expr.operands[0], sure);
        return Visit(*expr.operands[1], false);
      default:
        return VisitOperands(expr, sure);
    }
  }

  // A let of an operand that the function evaluates would throw outside of what catches that, were it computed in front.
  void VisitBuiltin(const Expr& expr, bool sure) {
    const size_t inside = InfoOf(expr.builtin).evaluates().value_or(expr.operands.size());
    for (size_t i = 0; i < expr.operands.size(); ++i) Visit(*expr.operands[i], sure && i < inside);
    for (const auto& [name, value] : expr.named) Visit(*value, sure);
  }

  void Add(const std::string& name, bool sure) {
    bool& known = (*uses_)[name];
    known = known || sure;
  }

  void VisitOperands(const Expr& expr, bool sure) {
    for (const ExprPtr& operand : expr.operands) Visit(*operand, sure);
    for (const auto& [name, value] : expr.named) Visit(*value, sure);
  }

  // A use is sure if both arms are sure to use it.
  void VisitConditional(const Expr& expr, bool sure) {
    Visit(*expr.operands[1], sure);
    const Uses yes = Collect(*expr.operands[0]);
    const Uses no = Collect(*expr.operands[2]);
    for (const auto* arms : {&yes, &no})
      for (const auto& [name, in_arm] : *arms) {
        const auto in_no = no.find(name);
        const auto in_yes = yes.find(name);
        const bool both = in_yes != yes.end() && in_no != no.end() && in_yes->second && in_no->second;
        Add(name, sure && both);
      }
  }

  void VisitComprehension(const Expr& expr, bool sure) {
    Visit(*expr.operands[1], sure);
    const auto before = hidden_;
    hidden_.insert(expr.names.begin(), expr.names.end());
    Visit(*expr.operands[0], false);
    if (expr.operands.size() > 2) Visit(*expr.operands[2], false);
    hidden_ = before;
  }

  void VisitCall(const Expr& expr, bool sure) {
    VisitOperands(expr, sure);
    AddDef(expr.text, sure);
    // A definition that is given to another one, which may call it.
    for (const ExprPtr& operand : expr.operands)
      if (operand->kind == ExprKind::kName) AddDef(operand->text, false);
  }

  void AddDef(const std::string& called, bool sure) {
    const auto def = std::ranges::find(defs_, called, &Def::name);
    if (def == defs_.end()) return;
    for (const auto& [name, in_def] : UsesOfDef(*def)) Add(name, sure && in_def);
  }

  // The names from outside that a def's body uses. A def that calls itself is reported elsewhere.
  const Uses& UsesOfDef(const Def& def) {
    const auto [known, is_new] = of_defs_.try_emplace(def.name);
    // For a definition that calls itself, this is the empty set that try_emplace has just put there, so the walk ends.
    if (!is_new || depth_ > kDeepestCalls) return known->second;
    ++depth_;
    // Lexical scope: a definition does not see targets and parameters of the place that calls it, only its own.
    const auto before = std::exchange(hidden_, {def.params.begin(), def.params.end()});
    // All at once, wherever they are given: no name means two things, so none of them is one of outside before that.
    AddNamesGiven(def, &hidden_);
    Uses all;
    ForEachWhole(def, [&](const ExprPtr& expr) {
      if (!expr) return;
      for (const auto& [name, sure] : Collect(*expr)) all[name] |= sure;
    });
    hidden_ = before;
    --depth_;
    return of_defs_[def.name] = std::move(all);
  }

  std::span<const Def> defs_;
  Uses* uses_ = nullptr;
  std::set<std::string> hidden_;  // targets and parameters of what surrounds the place
  std::map<std::string, Uses> of_defs_;
  int depth_ = 0;
};

std::vector<ExprPtr> WholeOf(const auto& owner) {
  std::vector<ExprPtr> all;
  ForEachWhole(owner, [&](const ExprPtr& expr) {
    if (expr) all.push_back(expr);
  });
  return all;
}

}  // namespace

Uses UsesOf(const Expr& expr, std::span<const Def> defs) { return Collector(defs).Collect(expr); }

void ForEach(const Expr& expr, const std::function<void(const Expr&)>& visit) {
  visit(expr);
  for (const ExprPtr& operand : expr.operands) ForEach(*operand, visit);
  for (const auto& [name, value] : expr.named) ForEach(*value, visit);
}

void AddCalls(const Expr& whole, std::set<std::string>* calls) {
  ForEach(whole, [&](const Expr& expr) {
    if (expr.kind == ExprKind::kCall) calls->insert(expr.text);
  });
}

namespace {

void AddGiven(const Expr& whole, std::span<const Def> defs, std::set<std::string>* given) {
  ForEach(whole, [&](const Expr& expr) {
    if (expr.kind != ExprKind::kCall) return;
    const auto def = std::ranges::find(defs, expr.text, &Def::name);
    if (def == defs.end()) return;
    const auto add = [&](const std::string& param, const Expr& value) {
      if (def->given.contains(param) && value.kind == ExprKind::kName) given->insert(value.text);
    };
    for (size_t i = 0; i < std::min(expr.operands.size(), def->params.size()); ++i)
      add(def->params[i], *expr.operands[i]);
    for (const auto& [param, value] : expr.named) add(param, *value);
  });
}

}  // namespace

void AddCallsAndGiven(const Expr& expr, std::initializer_list<std::span<const Def>> defs,
                      std::set<std::string>* names) {
  AddCalls(expr, names);
  for (const std::span<const Def> some : defs) AddGiven(expr, some, names);
}

std::vector<ExprPtr> ExpressionsOf(const Def& def) { return WholeOf(def); }

std::vector<ExprPtr> ExpressionsOf(const Mapping& mapping) { return WholeOf(mapping); }

}  // namespace onnxport::codegen
