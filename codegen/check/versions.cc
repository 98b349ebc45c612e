#include "codegen/check/versions.h"

#include <algorithm>
#include <set>

#include "codegen/check/onnx_schemas.h"
#include "codegen/check/uses.h"

namespace onnxport::codegen {
namespace {

class Counter {
 public:
  Counter(const FoldedEntry& folded, const std::vector<Def>& file_defs) : folded_(folded), file_defs_(file_defs) {}

  std::map<std::string, int> Count() {
    OpEntry entry = folded_.entry;
    entry.defs.clear();  // entered where they are called
    entry.lets.clear();
    for (const ExprPtr& expr : ExpressionsOf(entry)) Visit(*expr);
    // Lets that are in use: those whose name was seen, last first, as they use earlier ones.
    for (size_t i = folded_.entry.lets.size(); i-- > 0;) {
      const Let& let = folded_.entry.lets[i];
      if (std::ranges::any_of(let.names, [&](const std::string& name) { return names_.contains(name); }))
        Visit(*let.value);
    }
    return versions_;
  }

 private:
  void Visit(const Expr& expr) {
    if (expr.kind == ExprKind::kName) names_.insert(expr.text);
    if (expr.kind == ExprKind::kNode) {
      const OnnxSchema* schema = FindOnnxSchema(expr.text, folded_.target.opset);
      versions_[expr.text] = schema ? schema->since : 0;
    } else if (expr.kind == ExprKind::kCall && entered_.insert(expr.text).second) {
      VisitDef(expr.text);
    }
    for (const ExprPtr& operand : expr.operands) Visit(*operand);
    for (const auto& [name, value] : expr.named) Visit(*value);
  }

  void VisitDef(const std::string& name) {
    const auto local = std::ranges::find(folded_.entry.defs, name, &Def::name);
    if (local != folded_.entry.defs.end()) {
      for (const ExprPtr& expr : ExpressionsOf(*local)) Visit(*expr);
      return;
    }
    const auto shared = std::ranges::find(file_defs_, name, &Def::name);
    if (shared == file_defs_.end()) return;
    for (const ExprPtr& expr : ExpressionsOf(FoldDef(*shared, folded_.target))) Visit(*expr);
  }

  const FoldedEntry& folded_;
  const std::vector<Def>& file_defs_;
  std::map<std::string, int> versions_;
  std::set<std::string> names_;
  std::set<std::string> entered_;
};

}  // namespace

std::map<std::string, int> OnnxVersionsOf(const FoldedEntry& folded, const std::vector<Def>& file_defs) {
  return Counter(folded, file_defs).Count();
}

}  // namespace onnxport::codegen
