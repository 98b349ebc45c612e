#include "codegen/specialize/reachable.h"

#include <algorithm>
#include <set>
#include <string>

#include "codegen/model/uses.h"

namespace onnxport::codegen {
namespace {

class Collector {
 public:
  Collector(const Mapping& mapping, const std::vector<Def>& file_defs) : mapping_(mapping), file_defs_(file_defs) {}

  // Unreachable parts must not count. For example, a let that only the case of an old opset uses would put that opset's
  // nodes into every epoch.
  std::vector<ExprPtr> Collect() {
    Mapping rest = mapping_;
    rest.defs.clear();  // entered where they are called
    rest.lets.clear();
    for (const ExprPtr& expr : ExpressionsOf(rest)) Add(expr);
    // Lets that are in use: those whose name was seen, last first, as they use earlier ones.
    for (size_t i = mapping_.lets.size(); i-- > 0;) {
      const Let& let = mapping_.lets[i];
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
    // The entry's own first: it hides one of the file with the same name.
    for (const auto* defs : {&mapping_.defs, &file_defs_}) {
      const auto def = std::ranges::find(*defs, name, &Def::name);
      if (def == defs->end()) continue;
      for (const ExprPtr& expr : ExpressionsOf(*def)) Add(expr);
      return;
    }
  }

  const Mapping& mapping_;
  const std::vector<Def>& file_defs_;
  std::vector<ExprPtr> found_;
  std::set<std::string> names_;
  std::set<std::string> entered_;
};

}  // namespace

std::vector<ExprPtr> Reachable(const SpecializedEntry& entry, const std::vector<Def>& file_defs) {
  return Collector(entry.mapping, file_defs).Collect();
}

}  // namespace onnxport::codegen
