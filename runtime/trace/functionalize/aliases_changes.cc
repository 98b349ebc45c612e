// Records changes of aliases within a block, and undoes them.
#include <algorithm>
#include <unordered_set>
#include <utility>

#include "runtime/trace/functionalize/aliases.h"

namespace onnxport::functionalize {

using ir::ValueId;

void Aliases::SetValue(ValueId tensor, ValueId value, int version) {
  Tensor& found = At(tensor);
  if (!records_.empty()) {
    Change change;
    change.tensor = tensor;
    change.value = found.value;
    change.version = found.version;
    records_.back().push_back(std::move(change));
  }
  found.value = value;
  found.version = version;
}

void Aliases::SetVersion(int index, int version) {
  if (!records_.empty()) {
    Change change;
    change.kind = Change::Kind::kVersion;
    change.storage = index;
    change.version = storage(index).version;
    records_.back().push_back(std::move(change));
  }
  storage(index).version = version;
}

void Aliases::SetDoubtful(int index, const std::string& what) {
  if (!storage(index).doubtful.empty()) return;
  if (!records_.empty()) {
    Change change;
    change.kind = Change::Kind::kDoubtful;
    change.storage = index;
    records_.back().push_back(std::move(change));
  }
  storage(index).doubtful = what;
}

void Aliases::Swap(Change* change, bool undo) {
  switch (change->kind) {
    case Change::Kind::kValue: {
      Tensor& tensor = tensors_.at(change->tensor);
      std::swap(tensor.value, change->value);
      std::swap(tensor.version, change->version);
      return;
    }
    case Change::Kind::kName:
      return std::swap(names_.at(change->tensor), change->value);
    case Change::Kind::kVersion:
      return std::swap(storage(change->storage).version, change->version);
    case Change::Kind::kDoubtful:
      return std::swap(storage(change->storage).doubtful, change->doubtful);
    case Change::Kind::kMaybe: {
      std::vector<Link>& maybe = storage(change->storage).maybe;
      if (!undo) return maybe.push_back(change->link);
      const auto last = std::find_if(maybe.rbegin(), maybe.rend(),
                                     [&](const Link& link) { return link.other == change->link.other; });
      if (last != maybe.rend()) maybe.erase(std::next(last).base());
      return;
    }
  }
}

Changes Aliases::Leave() {
  Changes changes;
  changes.all = std::move(records_.back());
  records_.pop_back();
  std::unordered_set<int> seen;
  for (const Change& change : changes.all) {
    if (change.kind == Change::Kind::kDoubtful) {
      changes.doubts.emplace_back(storage(change.storage).base, storage(change.storage).doubtful);
    }
    if (change.kind != Change::Kind::kVersion || !seen.insert(change.storage).second) continue;
    const ValueId base = storage(change.storage).base;
    changes.writes.push_back({base, At(base).value});
  }
  for (size_t i = changes.all.size(); i-- > 0;) Swap(&changes.all[i], true);
  return changes;
}

void Aliases::Reenter(Changes changes) {
  for (Change& change : changes.all) Swap(&change, false);
  records_.push_back(std::move(changes.all));
}

}  // namespace onnxport::functionalize
