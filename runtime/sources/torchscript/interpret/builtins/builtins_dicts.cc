// Dicts: insertion order, keys that are known. Changes go through the heap.
#include <functional>
#include <memory>
#include <utility>

#include "runtime/sources/torchscript/interpret/builtins/call_site.h"
#include "runtime/sources/torchscript/interpret/values/leaves.h"

namespace onnxport::torchscript {
namespace dicts {
namespace {

constexpr size_t kAbsent = static_cast<size_t>(-1);

// For keys that only equal keys of their own kind and are always known. Returns nothing for other keys.
std::optional<size_t> HashOf(const Value& key) {
  if (const auto* number = key.As<int64_t>()) return static_cast<size_t>(*number);
  const auto* text = key.As<std::string>();
  if (text == nullptr || IsOpen(*text)) return std::nullopt;
  return std::hash<std::string>()(*text);
}

// Fills the positions, if all keys have hashes.
void MakePositions(const Cell& dict) {
  auto positions = std::make_unique<KeyIndex::Positions>();
  for (size_t i = 0; i < dict.keys.size(); ++i) {
    const auto hash = HashOf(dict.keys[i]);
    if (!hash) return;
    positions->emplace(*hash, i);
  }
  dict.index.positions = std::move(positions);
}

bool IsKey(const Cell& dict, size_t at, const Value& key) {
  const std::optional<bool> equal = Equal(dict.keys[at], key);
  if (!equal)
    throw Refusal(onnxport::Code::kNotDecided,
                  "which key it is is known only at run time; a parameter with a value is known (<<inputs: n=5>>)");
  return *equal;
}

size_t Find(const Cell& dict, const Value& key) {
  constexpr size_t kOften = 8;  // after so many full searches
  const auto hash = HashOf(key);
  if (hash && !dict.index.positions && dict.index.compared > kOften * dict.keys.size()) {
    dict.index.compared = 0;
    MakePositions(dict);
  }
  if (hash && dict.index.positions) {
    size_t first = kAbsent;
    const auto [begin, end] = dict.index.positions->equal_range(*hash);
    for (auto at = begin; at != end; ++at) {
      if (at->second < first && IsKey(dict, at->second, key)) first = at->second;
    }
    return first;
  }
  dict.index.compared += dict.keys.size();
  for (size_t i = 0; i < dict.keys.size(); ++i) {
    if (IsKey(dict, i, key)) return i;
  }
  return kAbsent;
}

// A key that the dict has only in some runs counts as present: in the others the program raises.
size_t FindOrRaise(const Cell& dict, const Value& key) {
  const size_t at = Find(dict, key);
  if (at == kAbsent || Same(IsPresent(dict, at), {false}))
    throw Refusal::Raised("key `" + Str(key) + "` is not in the dict");
  return at;
}

const CellPtr* Dict(const CallSite& call) { return AsDict(call.At(0)); }

constexpr const char* kKeysAreOpen = "which keys a dict has is known only at run time, as an `if` or loop decides it";

// Returns the dict; null for anything else. Throws if its keys or their order are known only at run time.
const CellPtr* WholeDict(const CallSite& call, size_t i = 0) {
  const CellPtr* dict = AsDict(call.At(i));
  if (dict != nullptr && !(*dict)->present.empty()) throw Refusal(onnxport::Code::kNotDecided, kKeysAreOpen);
  return dict;
}

void Put(const CallSite& call, const CellPtr& dict, const Value& key, const Value& value) {
  const size_t at = Find(*dict, key);
  KeyIndex index = std::move(dict->index);
  Cell& cell = call.heap->Edit(dict);
  if (at != kAbsent) {
    cell.items[at] = value;
    if (!cell.present.empty()) cell.present[at] = {true};
  } else {
    cell.keys.push_back(Plain(key));
    cell.items.push_back(value);
    if (!cell.present.empty()) cell.present.push_back({true});
    const auto hash = HashOf(cell.keys.back());
    if (index.positions && hash) index.positions->emplace(*hash, cell.keys.size() - 1);
    if (!hash) index.positions.reset();
  }
  cell.index = std::move(index);
}

Value Take(const CallSite& call, const CellPtr& dict, size_t at) {
  Value taken = dict->items[at];
  Cell& cell = call.heap->Edit(dict);
  cell.keys.erase(cell.keys.begin() + static_cast<ptrdiff_t>(at));
  cell.items.erase(cell.items.begin() + static_cast<ptrdiff_t>(at));
  if (!cell.present.empty()) cell.present.erase(cell.present.begin() + static_cast<ptrdiff_t>(at));
  return taken;
}

std::optional<Value> Length(const CallSite& call) {
  const CellPtr* dict = Dict(call);
  if (dict == nullptr) return std::nullopt;
  Value count = {int64_t{0}};
  for (size_t i = 0; i < (*dict)->keys.size(); ++i) {
    const Value& present = IsPresent(**dict, i);
    const auto* known = present.As<bool>();
    count = AddNumbers(
        call, count, known ? Value{static_cast<int64_t>(*known)} : call.Arithmetic(ir::Instruction::kTrunc, {present}));
  }
  return count;
}

std::optional<Value> GetItem(const CallSite& call) {
  const CellPtr* dict = Dict(call);
  return dict == nullptr ? std::nullopt : std::optional<Value>((*dict)->items[FindOrRaise(**dict, call.At(1))]);
}

std::optional<Value> SetItem(const CallSite& call) {
  const CellPtr* dict = Dict(call);
  if (dict == nullptr) return std::nullopt;
  Put(call, *dict, call.At(1), call.At(2));
  return Value{None{}};
}

std::optional<Value> Delete(const CallSite& call) {
  const CellPtr* dict = Dict(call);
  if (dict == nullptr) return std::nullopt;
  Take(call, *dict, FindOrRaise(**dict, call.At(1)));
  return Value{None{}};
}

std::optional<Value> Contains(const CallSite& call) {
  const CellPtr* dict = Dict(call);
  if (dict == nullptr) return std::nullopt;
  const size_t at = Find(**dict, call.At(1));
  return at == kAbsent ? Value{false} : IsPresent(**dict, at);
}

// Returns None, or the third argument, if the key is absent.
std::optional<Value> Get(const CallSite& call) {
  const CellPtr* dict = WholeDict(call);
  if (dict == nullptr) return std::nullopt;
  const size_t at = Find(**dict, call.At(1));
  return at == kAbsent ? call.At(2) : (*dict)->items[at];
}

std::optional<Value> Pop(const CallSite& call) {
  const CellPtr* dict = WholeDict(call);
  if (dict == nullptr) return std::nullopt;
  const size_t at = Find(**dict, call.At(1));
  if (at == kAbsent && call.size() > 2) return call.At(2);
  return Take(call, *dict, FindOrRaise(**dict, call.At(1)));
}

// LibTorch takes the first item.
std::optional<Value> PopItem(const CallSite& call) {
  const CellPtr* dict = WholeDict(call);
  if (dict == nullptr) return std::nullopt;
  if ((*dict)->items.empty()) throw Refusal::Raised("popitem(): the dict is empty");
  Value key = (*dict)->keys[0];
  Value value = Take(call, *dict, 0);
  return TupleOf({std::move(key), std::move(value)});
}

std::optional<Value> SetDefault(const CallSite& call) {
  const CellPtr* dict = WholeDict(call);
  if (dict == nullptr) return std::nullopt;
  const size_t at = Find(**dict, call.At(1));
  if (at != kAbsent) return (*dict)->items[at];
  Put(call, *dict, call.At(1), call.At(2));
  return call.At(2);
}

std::optional<Value> Update(const CallSite& call) {
  const CellPtr* dict = Dict(call);
  const CellPtr* more = WholeDict(call, 1);
  if (dict == nullptr || more == nullptr) return std::nullopt;
  const Cell added = **more;  // `d.update(d)`
  for (size_t i = 0; i < added.keys.size(); ++i) Put(call, *dict, added.keys[i], added.items[i]);
  return Value{None{}};
}

std::optional<Value> Clear(const CallSite& call) {
  const CellPtr* dict = Dict(call);
  if (dict == nullptr) return std::nullopt;
  Cell& cell = call.heap->Edit(*dict);
  cell.keys.clear();
  cell.items.clear();
  cell.present.clear();
  return Value{None{}};
}

std::optional<Value> Copy(const CallSite& call) {
  const CellPtr* dict = Dict(call);
  if (dict == nullptr) return std::nullopt;
  const CellPtr copy = call.heap->NewDict((*dict)->keys, (*dict)->items);
  call.heap->Edit(copy).present = (*dict)->present;
  return Value{copy};
}

std::optional<Value> Keys(const CallSite& call) {
  const CellPtr* dict = WholeDict(call);
  return dict == nullptr ? std::nullopt : std::optional<Value>(Value{call.heap->NewList((*dict)->keys)});
}

std::optional<Value> Values(const CallSite& call) {
  const CellPtr* dict = WholeDict(call);
  return dict == nullptr ? std::nullopt : std::optional<Value>(Value{call.heap->NewList((*dict)->items)});
}

std::optional<Value> Items(const CallSite& call) {
  const CellPtr* dict = WholeDict(call);
  if (dict == nullptr) return std::nullopt;
  ValueList pairs;
  for (size_t i = 0; i < (*dict)->items.size(); ++i) pairs.push_back(TupleOf({(*dict)->keys[i], (*dict)->items[i]}));
  return Value{call.heap->NewList(std::move(pairs))};
}

// `dict()`, `dict(pairs)`
std::optional<Value> MakeDict(const CallSite& call) {
  if (call.size() == 0) return Value{call.heap->NewDict()};
  if (Dict(call) != nullptr) return Copy(call);
  const CellPtr* pairs = AsList(call.At(0));
  if (pairs == nullptr || (*pairs)->is_dynamic()) return std::nullopt;
  const CellPtr dict = call.heap->NewDict();
  for (const Value& pair : (*pairs)->items) {
    const auto* tuple = pair.As<TuplePtr>();
    if (tuple == nullptr || (*tuple)->items.size() != 2) throw Refusal("dict() takes pairs");
    Put(call, dict, (*tuple)->items[0], (*tuple)->items[1]);
  }
  return Value{dict};
}

constexpr BuiltinRow kRows[] = {
    {"aten::len", Length},    {"aten::__getitem__", GetItem},   {"aten::_set_item", SetItem},
    {"aten::Delete", Delete}, {"aten::__contains__", Contains}, {"aten::get", Get},
    {"aten::pop", Pop},       {"aten::popitem", PopItem},       {"aten::setdefault", SetDefault},
    {"aten::update", Update}, {"aten::clear", Clear},           {"aten::copy", Copy},
    {"aten::keys", Keys},     {"aten::values", Values},         {"aten::items", Items},
    {"aten::dict", MakeDict},
};

}  // namespace
}  // namespace dicts

std::span<const BuiltinRow> DictBuiltins() { return dicts::kRows; }

}  // namespace onnxport::torchscript
