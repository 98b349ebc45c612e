#include "runtime/trace/functionalize/aliases.h"

#include <algorithm>
#include <span>
#include <unordered_set>

#include "runtime/base/error.h"
#include "runtime/trace/functionalize/added_calls.h"
#include "runtime/trace/functionalize/views.h"
#include "runtime/trace/functionalize/write_back.h"
#include "runtime/trace/functionalize/write_places.h"

namespace onnxport::functionalize {

using ir::ValueId;

// The limit for steps from storage to storage, in all, because each write visits all storages that it may reach. No
// model needs a tenth.
constexpr size_t kMostWalked = 20'000'000;

namespace {

// Returns one type per value, without contents, which a write has changed. Only the program may determine the length of
// a list.
std::vector<ir::Value> TypesOf(const ir::Graph& graph, std::span<const ValueId> values) {
  std::vector<ir::Value> types(values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i] == ValueId::kNone) continue;
    const ir::Value& value = graph.value(values[i]);
    types[i].kind = value.kind;
    types[i].dtype = value.dtype;
    types[i].dims = value.dims;
  }
  return types;
}

}  // namespace

ValueId Aliases::NameOf(ValueId tensor) const {
  const auto found = names_.find(tensor);
  return found == names_.end() ? tensor : found->second;
}

Aliases::Tensor& Aliases::At(ValueId tensor) {
  const auto [found, added] = tensors_.try_emplace(tensor);
  if (added) {
    found->second.storage = static_cast<int>(storages_.size());
    found->second.value = tensor;
    storages_.push_back({.base = tensor, .version = 0, .maybe = {}, .doubtful = {}});
  }
  return found->second;
}

void Aliases::AddViews(const ir::Node& node, size_t argument, ValueId base) {
  const ValueId parent = NameOf(base);
  const int index = At(parent).storage;
  const auto view = std::make_shared<const ir::Node>(node);
  for (size_t i = 0; i < node.outputs.size(); ++i) {
    tensors_[node.outputs[i]] = {.storage = index,
                                 .parent = parent,
                                 .view = view,
                                 .argument = argument,
                                 .output = i,
                                 .value = node.outputs[i],
                                 .version = storage(index).version};
  }
}

void Aliases::Rebind(ValueId object, ValueId tensor) {
  ValueId& name = names_.try_emplace(object, object).first->second;
  if (!records_.empty()) {
    Change change;
    change.kind = Change::Kind::kName;
    change.tensor = object;
    change.value = name;
    records_.back().push_back(std::move(change));
  }
  name = NameOf(tensor);
}

void Aliases::Connect(int a, const Link& link, bool recorded) {
  storage(a).maybe.push_back(link);
  if (!recorded || records_.empty()) return;
  Change change;
  change.kind = Change::Kind::kMaybe;
  change.storage = a;
  change.link = link;
  records_.back().push_back(std::move(change));
}

// Links with conditions that exclude each other may stand beside each other: a write follows at most one of them.
bool Aliases::MayConnect(int a, int b, ValueId condition, bool when) {
  return std::ranges::all_of(storage(a).maybe, [&](const Link& link) {
    return link.other != b || (link.condition == condition && link.when != when);
  });
}

void Aliases::AddMaybe(ValueId a, ValueId b, bool for_good) {
  const int x = Find(a).storage;
  const int y = Find(b).storage;
  if (x == y) return;
  // Beside one with a condition it says that this is not all.
  const auto unknown = [&](const Link& link) { return link.other == y && link.condition == ValueId::kNone; };
  if (!for_good && std::ranges::any_of(storage(x).maybe, unknown)) return;
  Connect(x, {y}, !for_good);
  Connect(y, {x}, !for_good);
}

void Aliases::AddMaybeOn(ValueId a, ValueId b, ValueId condition, bool when) {
  const int x = Find(a).storage;
  const int y = Find(b).storage;
  if (!MayConnect(x, y, condition, when)) return AddMaybe(a, b);
  const ValueId first = NameOf(a);
  const ValueId second = NameOf(b);
  Connect(x, {y, condition, when, first, second}, true);
  Connect(y, {x, condition, when, second, first}, true);
}

// Brings a view up to date. It walks chains of views without recursion.
ValueId Aliases::Update(ValueId tensor) {
  std::vector<ValueId> stale;
  const int version = storage(At(tensor).storage).version;
  for (ValueId at = tensor; At(at).version != version; at = At(at).parent) stale.push_back(at);
  for (size_t i = stale.size(); i-- > 0;) {
    const Tensor view = At(stale[i]);
    if (view.version == version) continue;  // updated together with a sibling
    const std::shared_ptr<const ir::Node> original = view.view;
    // Makes only the result that is read. Otherwise a loop that writes each element in turn would make all of them
    // every time.
    if (const auto one = ReadOne(recorder_, *original, view.output, At(view.parent).value)) {
      SetValue(stale[i], *one, version);
      continue;
    }
    ir::Node call = *original;
    call.inputs[view.argument] = {At(view.parent).value};
    const std::vector<ir::Value> types = TypesOf(recorder_->graph(), original->outputs);
    ir::StatedTypes stated;
    for (const ir::Value& type : types) stated.push_back(&type);
    recorder_->Append(&call, stated.size() > 1 ? &stated : nullptr);
    for (size_t k = 0; k < call.outputs.size() && k < original->outputs.size(); ++k) {
      const Tensor& sibling = At(original->outputs[k]);
      if (sibling.version == version || sibling.view != original) continue;
      recorder_->Refine(call.outputs[k], original->outputs[k]);
      SetValue(original->outputs[k], call.outputs[k], version);
    }
  }
  return At(tensor).value;
}

std::optional<ValueId> Aliases::Read(ValueId tensor, std::string* why_not) {
  const ValueId name = NameOf(tensor);
  if (!tensors_.contains(name)) return name;
  if (const Storage& storage = StorageOf(tensor); !storage.doubtful.empty()) {
    *why_not = storage.doubtful;
    return std::nullopt;
  }
  return Update(name);
}

std::optional<ValueId> Aliases::Peek(ValueId tensor) const {
  const ValueId name = NameOf(tensor);
  const auto known = tensors_.find(name);
  if (known == tensors_.end()) return name;
  const Tensor& found = known->second;
  return found.version == storages_[static_cast<size_t>(found.storage)].version ? std::optional(found.value)
                                                                                : std::nullopt;
}

// Returns the first of the views from the base to the tensor that may show an element several times, or kNone.
ValueId Aliases::OutermostRepeat(ValueId tensor) {
  ValueId found = ValueId::kNone;
  for (ValueId at = tensor; At(at).parent != ValueId::kNone; at = At(at).parent) {
    const Tensor& view = At(at);
    if (functionalize::MayRepeat(recorder_->graph(), *view.view, recorder_->graph().value(view.parent))) found = at;
  }
  return found;
}

// Returns the new value of `parent` after a write to the tensor, which is a view of it.
std::optional<ValueId> Aliases::WritePlaces(ValueId tensor, ValueId value, ValueId parent, std::string* why_not) {
  std::vector<ViewStep> steps;
  for (ValueId at = tensor; at != parent; at = At(at).parent) {
    const Tensor& view = At(at);
    steps.push_back({view.view.get(), view.argument, view.output});
  }
  std::ranges::reverse(steps);
  const ValueId base = Update(parent);
  if (recorder_->IsFailed(base)) return base;
  if (recorder_->IsFailed(value)) return value;
  return WriteToPlaces(recorder_, steps, base, value, why_not);
}

bool Aliases::WriteAt(ValueId tensor, ValueId value, const std::string& what, std::string* why_not) {
  if (!WriteWithin(tensor, value, why_not)) return false;
  Spread(At(tensor).storage, what);
  return true;
}

// To the tensor's own storage.
bool Aliases::WriteWithin(ValueId tensor, ValueId value, std::string* why_not) {
  std::vector<std::pair<ValueId, ValueId>> changed;  // tensor, new value
  ValueId at = tensor;
  if (const ValueId repeat = OutermostRepeat(tensor); repeat != ValueId::kNone) {
    changed.emplace_back(tensor, value);
    at = At(repeat).parent;
    const auto written = WritePlaces(tensor, value, at, why_not);
    if (!written) return false;
    value = *written;
  }
  while (true) {
    changed.emplace_back(at, value);
    const Tensor view = At(at);
    if (view.parent == ValueId::kNone) break;
    at = view.parent;
    const ValueId base = Update(at);
    if (recorder_->IsFailed(base)) value = base;
    if (recorder_->IsFailed(value)) continue;
    const auto written =
        IsWrittenByPlaces(view.view->op)
            ? WriteToPlaces(recorder_, {{view.view.get(), view.argument, view.output}}, base, value, why_not)
            : WriteBack(recorder_, *view.view, view.output, base, value, why_not);
    if (!written) return false;
    value = *written;
  }
  const int index = At(tensor).storage;
  SetVersion(index, ++last_version_);
  for (const auto& [name, now] : changed) SetValue(name, now, last_version_);
  return true;
}

// Each is linked by conditions, and in one way.
bool Aliases::IsTree(const std::vector<int>& storages) {
  size_t ends = 0;
  for (const int at : storages) {
    if (!storage(at).doubtful.empty()) return false;
    std::unordered_set<int> others;
    for (const Link& link : storage(at).maybe) {
      if (link.condition == ValueId::kNone) return false;
      others.insert(link.other);
    }
    ends += others.size();
  }
  return ends == 2 * (storages.size() - 1);
}

// After a write to a storage: those that may be it are so too now, or are not known.
void Aliases::Spread(int index, const std::string& what) {
  const std::vector<int> around = Around(index);
  bool is_followed = IsTree(around);
  std::unordered_set<int> done = {index};
  for (size_t i = 0; i < around.size() && is_followed; ++i) {
    const std::vector<Link> links = storage(around[i]).maybe;
    const std::unordered_set<int> before = done;
    for (const Link& link : links) {
      if (!is_followed || before.contains(link.other)) continue;
      done.insert(link.other);
      is_followed = Follow(link);
    }
  }
  if (is_followed) return;
  for (const int other : around) {
    if (other != index) SetDoubtful(other, what);
  }
}

bool Aliases::Follow(const Link& link) {
  const ValueId written = Update(link.mine);
  const ValueId kept = Update(link.theirs);
  const auto value = link.when ? AddChoice(recorder_, link.condition, written, kept, link.theirs)
                               : AddChoice(recorder_, link.condition, kept, written, link.theirs);
  std::string why_not;
  return value && WriteWithin(link.theirs, *value, &why_not);
}

void Aliases::Doubt(ValueId tensor, const std::string& what, bool alone) {
  if (alone) return SetDoubtful(Find(tensor).storage, what);
  for (const int index : Around(Find(tensor).storage)) SetDoubtful(index, what);
}

// Returns the storages that may share memory with this one, itself first.
std::vector<int> Aliases::Around(int index) {
  std::vector<int> found = {index};
  if (storage(index).maybe.empty()) return found;
  std::unordered_set<int> seen = {index};
  for (size_t i = 0; i < found.size(); ++i) {
    walked_ += storage(found[i]).maybe.size();
    if (walked_ > kMostWalked) {
      throw Error(ErrorKind::kCannotExport,
                  "more tensors may share memory than can be followed: clone those that the program writes to");
    }
    for (const Link& next : storage(found[i]).maybe) {
      if (seen.insert(next.other).second) found.push_back(next.other);
    }
  }
  return found;
}

ValueId Aliases::BaseOf(ValueId tensor) { return StorageOf(tensor).base; }

std::vector<ValueId> Aliases::BasesAround(ValueId tensor) {
  std::vector<ValueId> bases;
  for (const int index : Around(Find(tensor).storage)) bases.push_back(storage(index).base);
  return bases;
}

bool Aliases::IsWhole(ValueId tensor) {
  for (const Tensor* at = &Find(tensor); at->parent != ValueId::kNone; at = &At(at->parent)) {
    if (!KeepsOrder(at->view->op)) return false;
  }
  return true;
}

bool Aliases::ShowsMemory(ValueId tensor, bool from_start) {
  for (const Tensor* at = &Find(tensor); at->parent != ValueId::kNone; at = &At(at->parent)) {
    if (!TakesAsItLies(at->view->op, from_start)) return false;
  }
  return true;
}

}  // namespace onnxport::functionalize
