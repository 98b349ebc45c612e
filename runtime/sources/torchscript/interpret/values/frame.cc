#include "runtime/sources/torchscript/interpret/values/frame.h"

#include <utility>

namespace onnxport::torchscript {

const Value* Frame::Find(const std::string& name) const {
  const auto found = variables_.find(name);
  return found == variables_.end() ? nullptr : &found->second;
}

void Frame::Set(const std::string& name, Value value) {
  const auto [found, is_new] = variables_.try_emplace(name);
  // Only the first change in a scope is recorded, with the old value, which is enough to undo it. An outer scope
  // records nothing now, because the inner changes are undone before it ends.
  if (!scopes_.empty()) {
    Scope& scope = scopes_.back();
    if (scope.index.try_emplace(name, scope.entries.size()).second)
      scope.entries.push_back({name, is_new ? std::nullopt : std::optional(std::move(found->second))});
  }
  found->second = std::move(value);
}

void Frame::Begin() { scopes_.emplace_back(); }

std::vector<Frame::Change> Frame::Undo() {
  const Scope scope = std::move(scopes_.back());
  scopes_.pop_back();
  std::vector<Change> changes;
  changes.reserve(scope.entries.size());
  for (const Entry& entry : scope.entries) {
    const auto found = variables_.find(entry.name);
    // Read before it is undone.
    changes.push_back({entry.name, entry.before, std::move(found->second)});
    if (entry.before) {
      found->second = *entry.before;
    } else {
      variables_.erase(found);
    }
  }
  return changes;
}

}  // namespace onnxport::torchscript
