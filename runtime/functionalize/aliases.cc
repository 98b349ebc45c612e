#include "runtime/functionalize/aliases.h"

#include <algorithm>
#include <utility>

#include "runtime/functionalize/write_back.h"

namespace onnxport::functionalize {

using ir::ValueId;

ValueId Aliases::NameOf(ValueId tensor) const {
  const auto found = names_.find(tensor);
  return found == names_.end() ? tensor : found->second;
}

Aliases::Tensor& Aliases::Find(ValueId tensor) {
  const ValueId name = NameOf(tensor);
  const auto [found, added] = tensors_.try_emplace(name);
  if (added) {
    found->second.storage = static_cast<int>(storages_.size());
    found->second.value = name;
    storages_.push_back({.base = name, .version = 0, .maybe = {}, .doubtful = {}});
  }
  return found->second;
}

void Aliases::AddViews(const ir::Node& node, size_t argument, ValueId base) {
  const ValueId parent = NameOf(base);
  const int storage = Find(parent).storage;
  const auto view = std::make_shared<const ir::Node>(node);
  for (size_t i = 0; i < node.outputs.size(); ++i) {
    if (node.outputs[i] == ValueId::kNone) continue;
    tensors_[node.outputs[i]] = {.storage = storage,
                                 .parent = parent,
                                 .view = view,
                                 .argument = argument,
                                 .output = i,
                                 .value = node.outputs[i],
                                 .version = storages_[static_cast<size_t>(storage)].version};
  }
}

void Aliases::AddName(ValueId name, ValueId tensor) { names_[name] = NameOf(tensor); }

void Aliases::AddMaybe(ValueId a, ValueId b) {
  const int x = Find(a).storage;
  const int y = Find(b).storage;
  if (x == y) return;
  storages_[static_cast<size_t>(x)].maybe.push_back(y);
  storages_[static_cast<size_t>(y)].maybe.push_back(x);
}

// Bring a view up to date; chains of views are walked without recursion.
ValueId Aliases::Update(ValueId tensor) {
  std::vector<ValueId> stale;
  const int version = StorageOf(tensor).version;
  for (ValueId at = NameOf(tensor); Find(at).version != version; at = Find(at).parent) stale.push_back(at);
  for (size_t i = stale.size(); i-- > 0;) {
    Tensor& view = Find(stale[i]);
    if (view.version == version) continue;  // made with a sibling
    const std::shared_ptr<const ir::Node> original = view.view;
    ir::Node call = *original;
    call.inputs[view.argument] = {Find(view.parent).value};
    for (size_t k = 0; k < call.outputs.size(); ++k) {
      if (original->outputs[k] == ValueId::kNone) continue;
      call.outputs[k] = builder_->Like(original->outputs[k]);
      Tensor& sibling = Find(original->outputs[k]);
      if (sibling.version == version || sibling.view != original) continue;
      sibling.value = call.outputs[k];
      sibling.version = version;
    }
    builder_->Append(std::move(call));
  }
  return Find(tensor).value;
}

std::optional<ValueId> Aliases::Read(ValueId tensor, std::string* why_not) {
  if (const Storage& storage = StorageOf(tensor); !storage.doubtful.empty()) {
    *why_not = storage.doubtful;
    return std::nullopt;
  }
  return Update(tensor);
}

bool Aliases::Write(ValueId tensor, ValueId value, const std::string& what, std::string* why_not) {
  std::vector<std::pair<ValueId, ValueId>> changed;  // tensor, new value
  ValueId at = NameOf(tensor);
  while (true) {
    changed.emplace_back(at, value);
    const Tensor view = Find(at);
    if (view.parent == ValueId::kNone) break;
    const ValueId parent_value = Update(view.parent);
    const auto written = WriteBack(builder_, *view.view, view.output, parent_value, value, why_not);
    if (!written) return false;
    value = *written;
    at = view.parent;
  }
  const int storage = Find(tensor).storage;
  const int version = ++storages_[static_cast<size_t>(storage)].version;
  for (const auto& [name, now] : changed) {
    Find(name).value = now;
    Find(name).version = version;
  }
  MarkDoubtful(storage, what);
  return true;
}

void Aliases::MarkDoubtful(int storage, const std::string& what) {
  std::vector<int> open = storages_[static_cast<size_t>(storage)].maybe;
  std::vector<int> seen = {storage};
  while (!open.empty()) {
    const int next = open.back();
    open.pop_back();
    if (std::find(seen.begin(), seen.end(), next) != seen.end()) continue;
    seen.push_back(next);
    Storage& other = storages_[static_cast<size_t>(next)];
    if (other.doubtful.empty()) other.doubtful = what;
    open.insert(open.end(), other.maybe.begin(), other.maybe.end());
  }
}

ValueId Aliases::BaseOf(ValueId tensor) { return StorageOf(tensor).base; }

bool Aliases::IsWhole(ValueId tensor) {
  for (const Tensor* at = &Find(tensor); at->parent != ValueId::kNone; at = &Find(at->parent)) {
    if (!KeepsOrder(at->view->op)) return false;
  }
  return true;
}

}  // namespace onnxport::functionalize
