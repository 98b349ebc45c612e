#include "codegen/check/reachable.h"

#include <algorithm>
#include <set>
#include <string>

#include "codegen/check/uses.h"

namespace onnxport::codegen {
namespace {

class Collector {
 public:
  Collector(const FoldedEntry& folded, const std::vector<Def>& file_defs) : folded_(folded), file_defs_(file_defs) {}

  std::vector<ExprPtr> Collect() {
    OpEntry entry = folded_.entry;
    entry.defs.clear();  // entered where they are called
    entry.lets.clear();
    for (const ExprPtr& expr : ExpressionsOf(entry)) Add(expr);
    // Lets that are in use: those whose name was seen, last first, as they use earlier ones.
    for (size_t i = folded_.entry.lets.size(); i-- > 0;) {
      const Let& let = folded_.entry.lets[i];
      if (std::ranges::any_of(let.names, [&](const std::string& name) { return names_.contains(name); }))
        Add(let.value);
    }
    return std::move(found_);
  }

 private:
  void Add(const ExprPtr& whole) {
    found_.push_back(whole);
    ForEach(*whole, [&](const Expr& expr) {
      if (expr.kind == ExprKind::kName) names_.insert(expr.text);
      if (expr.kind == ExprKind::kCall && entered_.insert(expr.text).second) AddDef(expr.text);
    });
  }

  void AddDef(const std::string& name) {
    const auto local = std::ranges::find(folded_.entry.defs, name, &Def::name);
    const auto shared = std::ranges::find(file_defs_, name, &Def::name);
    if (local != folded_.entry.defs.end()) {
      for (const ExprPtr& expr : ExpressionsOf(*local)) Add(expr);
    } else if (shared != file_defs_.end()) {
      for (const ExprPtr& expr : ExpressionsOf(FoldDef(*shared, folded_.target))) Add(expr);
    }
  }

  const FoldedEntry& folded_;
  const std::vector<Def>& file_defs_;
  std::vector<ExprPtr> found_;
  std::set<std::string> names_;
  std::set<std::string> entered_;
};

}  // namespace

std::vector<ExprPtr> Reachable(const FoldedEntry& folded, const std::vector<Def>& file_defs) {
  return Collector(folded, file_defs).Collect();
}

void ForEach(const Expr& expr, const std::function<void(const Expr&)>& visit) {
  visit(expr);
  for (const ExprPtr& operand : expr.operands) ForEach(*operand, visit);
  for (const auto& [name, value] : expr.named) ForEach(*value, visit);
}

}  // namespace onnxport::codegen
