#include "codegen/emit/let_plan.h"

#include <algorithm>

namespace onnxport::codegen {
namespace {

// How the sites use a let. A let that only one case uses goes into that case. A let that is sure to be used is computed
// at once. All others are Lazy: they are computed when first read. So the graph never has a node that the call does not
// need.
struct Summary {
  bool sure_in_function = false;
  bool in_function = false;
  std::set<int> cases;
  std::set<int> sure_cases;

  bool unused() const { return !in_function && cases.empty(); }
};

Summary Summarize(const Let& let, const std::vector<Site>& sites) {
  Summary summary;
  for (const Site& site : sites) {
    for (const std::string& name : let.names) {
      const auto use = site.uses.find(name);
      if (use == site.uses.end()) continue;
      const bool sure = site.sure && use->second;
      if (site.place == kWholeFunction) {
        summary.in_function = true;
        summary.sure_in_function |= sure;
      } else {
        summary.cases.insert(site.place);
        if (sure) summary.sure_cases.insert(site.place);
      }
    }
  }
  return summary;
}

// `rank(x)`, `rank(x) - 1`, `is_int(x) and not y`: worth no laziness, whoever needs it. A Lazy is a closure and reads
// worse, so what costs nothing and makes no node is a plain variable.
bool IsPlain(const Expr& expr) {
  if (expr.kind == ExprKind::kName || expr.kind == ExprKind::kOpset || expr.kind == ExprKind::kDType ||
      expr.kind == ExprKind::kInt || expr.kind == ExprKind::kNone)
    return true;
  const bool plain_call = expr.kind == ExprKind::kBuiltin && InfoOf(expr.builtin).plain;
  const bool counts = expr.kind == ExprKind::kUnary || expr.kind == ExprKind::kArithmetic ||
                      expr.kind == ExprKind::kComparison || expr.kind == ExprKind::kLogic;
  // `n + 1` of a name is not plain, as `n` may be a tensor and `+` then makes a node; `rank(x) + 1` is.
  if (!plain_call && !counts) return false;
  const bool over_calls = plain_call || std::ranges::none_of(expr.operands, [](const ExprPtr& operand) {
                            return operand->kind == ExprKind::kName;  // of a tensor, perhaps
                          });
  return over_calls && std::ranges::all_of(expr.operands, [](const ExprPtr& operand) { return IsPlain(*operand); });
}

void AddSite(const PlannedLet& planned, std::span<const Def> defs, std::vector<Site>* sites) {
  sites->push_back({UsesOf(*planned.let->value, defs), planned.sure, planned.place});
}

// A plain let is computed at once, even if nobody reads it, unless that would compute a Lazy.
void KeepLazy(std::span<const Def> defs, std::vector<PlannedLet>* plan) {
  std::set<std::string> lazy;
  for (PlannedLet& planned : *plan) {
    const Uses uses = UsesOf(*planned.let->value, defs);
    const bool asks = std::ranges::any_of(uses, [&](const auto& use) { return lazy.contains(use.first); });
    if (!planned.sure && asks) planned.lazy = true;
    if (planned.lazy) lazy.insert(planned.let->names.begin(), planned.let->names.end());
  }
}

PlannedLet PlanOne(const Let& let, const Summary& use, bool pinned, int case_count, bool hoist) {
  if (use.sure_in_function) return {&let};
  if (!use.in_function && use.cases.size() == 1 && !pinned) {
    const bool sure = !use.sure_cases.empty();
    return {&let, !sure, *use.cases.begin(), sure};
  }
  const bool sure = hoist && static_cast<int>(use.sure_cases.size()) == case_count;
  return {&let, !IsPlain(*let.value) && !sure, kWholeFunction, sure};
}

}  // namespace

std::vector<PlannedLet> PlanLets(const std::vector<Let>& lets, int place, std::span<const Def> defs,
                                 std::vector<Site>* sites) {
  std::vector<PlannedLet> plan;
  // From the last to the first: when a let is looked at, all that use it are planned, and whether they are computed for
  // sure decides whether it is.
  for (size_t i = lets.size(); i-- > 0;) {
    const Summary use = Summarize(lets[i], *sites);
    if (use.unused()) continue;
    const bool sure = place == kWholeFunction ? use.sure_in_function : use.sure_cases.contains(place);
    plan.push_back({&lets[i], !sure && !IsPlain(*lets[i].value), place, sure});
    AddSite(plan.back(), defs, sites);
  }
  std::ranges::reverse(plan);
  KeepLazy(defs, &plan);
  return plan;
}

std::vector<PlannedLet> PlanBlockLets(const std::vector<Let>& lets, std::span<const Def> defs,
                                      const std::set<std::string>& pinned, int case_count, bool hoist,
                                      std::vector<Site>* sites) {
  std::vector<PlannedLet> plan;
  for (size_t i = lets.size(); i-- > 0;) {
    const Summary use = Summarize(lets[i], *sites);
    if (use.unused()) continue;
    const bool is_pinned =
        std::ranges::any_of(lets[i].names, [&](const std::string& name) { return pinned.contains(name); });
    plan.push_back(PlanOne(lets[i], use, is_pinned, case_count, hoist));
    AddSite(plan.back(), defs, sites);
  }
  std::ranges::reverse(plan);
  KeepLazy(defs, &plan);
  return plan;
}

}  // namespace onnxport::codegen
