#include "codegen/check/known_defs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "codegen/model/uses.h"

namespace onnxport::codegen {
namespace {

// No spec comes near this; texts made to exhaust the generator do.
constexpr size_t kDeepestCalls = 64;

}  // namespace

const Def* KnownDefs::Find(const std::string& name) const {
  for (const auto& defs : {of_entry_, of_file_})
    if (const auto def = std::ranges::find(defs, name, &Def::name); def != defs.end()) return &*def;
  return nullptr;
}

void KnownDefs::AddNames(std::set<std::string>* names) const {
  for (const auto& defs : {of_entry_, of_file_})
    for (const Def& def : defs) names->insert(def.name);
}

void KnownDefs::AddCalled(const Expr& expr, std::set<std::string>* called) const {
  AddCallsAndGiven(expr, {of_entry_, of_file_}, called);
}

void KnownDefs::CheckRecursion(const Def& def, Diagnostics* diagnostics) const {
  std::vector<std::string> path = {def.name};
  std::set<std::string> seen;
  if (LeadsTo(def, def.name, &path, &seen))
    diagnostics->Error(def.place, fmt::format("`{}` calls itself: {}", def.name, fmt::join(path, " -> ")));
  else if (path.size() > kDeepestCalls)
    diagnostics->Error(def.place, fmt::format("`{}` calls defs more than {} deep", def.name, kDeepestCalls));
}

// Returns whether calls lead from `def` to `target`, and appends them to `path`. A path that is too long stays in
// `path`.
bool KnownDefs::LeadsTo(const Def& def, const std::string& target, std::vector<std::string>* path,
                        std::set<std::string>* seen) const {
  std::set<std::string> calls;
  for (const ExprPtr& expr : ExpressionsOf(def)) AddCalled(*expr, &calls);
  for (const std::string& call : calls) {
    const Def* called = Find(call);
    // Each definition is entered once, so this is linear in the calls and not in the paths.
    if (!called || (call != target && !seen->insert(call).second)) continue;
    path->push_back(call);
    if (call == target || (path->size() <= kDeepestCalls && LeadsTo(*called, target, path, seen))) return true;
    if (path->size() > kDeepestCalls) return false;
    path->pop_back();
  }
  return false;
}

}  // namespace onnxport::codegen
