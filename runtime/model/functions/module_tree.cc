#include "runtime/model/functions/module_tree.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "runtime/base/error.h"

namespace onnxport::functions {
namespace {

bool Names(std::string_view wanted, std::string_view type) {
  if (!type.ends_with(wanted)) return false;
  return type.size() == wanted.size() || type[type.size() - wanted.size() - 1] == '.';
}

// A module's own class; the model as a whole is no function.
bool HasClass(const ir::ModuleCall& call) { return !call.path.empty() && !call.type.empty(); }

}  // namespace

ModuleTree::ModuleTree(const ir::Graph& graph, std::vector<std::string> classes)
    : graph_(graph), classes_(std::move(classes)) {
  if (!classes_.empty()) CheckClasses();
}

void ModuleTree::CheckClasses() const {
  std::set<std::string_view> known;
  std::set<const ir::ModuleCall*> seen;
  for (const auto& location : graph_.locations) {
    for (const ir::ModuleCall* at = location->module.get(); at != nullptr; at = at->caller.get()) {
      if (!seen.insert(at).second) break;
      if (HasClass(*at)) known.insert(at->type);
    }
  }
  for (const std::string& wanted : classes_) {
    if (std::ranges::any_of(known, [&](std::string_view type) { return Names(wanted, type); })) continue;
    const std::string there_are =
        known.empty() ? "the file names the class of none" : fmt::format("there are {}", fmt::join(known, ", "));
    throw Error(ErrorKind::kUsage,
                fmt::format("<<functions>>: no module of the model is of class `{}`; {}", wanted, there_are));
  }
}

bool ModuleTree::IsWanted(const ir::ModuleCall& call) const {
  return HasClass(call) && (classes_.empty() || std::ranges::any_of(classes_, [&](const std::string& wanted) {
                              return Names(wanted, call.type);
                            }));
}

const std::vector<int>& ModuleTree::Around(ir::LocationId location) { return Around(graph_.location(location).module); }

const std::vector<int>& ModuleTree::Around(const std::shared_ptr<const ir::ModuleCall>& innermost) {
  const auto [found, is_new] = around_.try_emplace(innermost.get());
  std::vector<int>& around = found->second;  // stays where it is
  if (!is_new || innermost == nullptr) return around;
  around = Around(innermost->caller);
  if (!IsWanted(*innermost)) return around;
  const std::tuple key(around.empty() ? -1 : around.back(), innermost->path, innermost->number);
  const auto [number, first] = numbers_.try_emplace(key, static_cast<int>(calls_.size()));
  if (first) calls_.push_back(innermost);
  around.push_back(number->second);
  return around;
}

}  // namespace onnxport::functions
