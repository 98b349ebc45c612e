#include "codegen/load/calls.h"

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "codegen/model/rewrite.h"
#include "codegen/model/walk.h"
#include "fmt/format.h"

namespace onnxport::codegen {
namespace {

const Def* FindDef(const std::vector<Def>& defs, std::string_view name) {
  const auto def = std::ranges::find(defs, name, &Def::name);
  return def == defs.end() ? nullptr : &*def;
}

// `conv(x, w, pad=1, n=2)` becomes `conv(x, w, 2, 1)`, so that everything behind the loader knows positions only. Here,
// as definitions of libraries have to be there first.
class CallRewriter {
 public:
  CallRewriter(const std::vector<Def>* inner, const std::vector<Def>& outer, Diagnostics* diagnostics)
      : inner_(inner), outer_(outer), diagnostics_(diagnostics) {}

  void operator()(ExprPtr& expr) const {
    Rewrite(expr, [this](const Expr& term) { return Placed(term); });
  }

 private:
  // The definition that is called with names.
  const Def* Named(const Expr& expr) const {
    if (expr.kind != ExprKind::kCall || expr.named.empty()) return nullptr;
    // A definition of the entry wins over one of the file.
    const Def* def = inner_ ? FindDef(*inner_, expr.text) : nullptr;
    return def ? def : FindDef(outer_, expr.text);
  }

  ExprPtr Placed(const Expr& term) const {
    const Def* def = Named(term);
    if (!def) return nullptr;
    auto call = std::make_shared<Expr>(term);
    Place(*def, call.get());
    return call;
  }

  void Place(const Def& def, Expr* call) const {
    const std::vector<std::string_view> params(def.params.begin(), def.params.end());
    std::vector<ExprPtr> operands = call->operands;
    operands.resize(std::max(operands.size(), params.size()));
    for (const auto& [name, value] : call->named) {
      const auto at = std::ranges::find(params, name) - params.begin();
      if (at == std::ssize(params))
        diagnostics_->Error(value->place,
                            fmt::format("`{}` has no parameter `{}`{}", def.name, name, DidYouMean(name, params)));
      else if (operands[at])
        diagnostics_->Error(value->place, fmt::format("`{}` of `{}` is given twice", name, def.name));
      else
        operands[at] = value;
    }
    for (size_t i = 0; i < operands.size(); ++i) {
      if (operands[i]) continue;
      diagnostics_->Error(call->place, fmt::format("`{}` needs `{}`", def.name, params[i]));
      // A None in its place: whoever goes on after the report must not meet a null pointer.
      operands[i] = std::make_shared<Expr>();
    }
    call->operands = std::move(operands);
    call->named.clear();
  }

  const std::vector<Def>* inner_;
  const std::vector<Def>& outer_;
  Diagnostics* diagnostics_;
};

}  // namespace

void PlaceNamedArguments(SpecFile* spec, Diagnostics* diagnostics) {
  // A copy: the rewriter asks for parameters of definitions that are being rewritten.
  const std::vector<Def> defs = spec->defs;
  for (Def& def : spec->defs) ForEachWhole(def, CallRewriter(nullptr, defs, diagnostics));
  for (OpEntry& entry : spec->ops) {
    const std::vector<Def> own = entry.defs;
    ForEachWhole(entry, CallRewriter(&own, defs, diagnostics));
  }
}

}  // namespace onnxport::codegen
