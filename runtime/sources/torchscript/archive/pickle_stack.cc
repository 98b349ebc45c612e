#include "runtime/sources/torchscript/archive/pickle_stack.h"

#include <string>

#include "runtime/base/refusal.h"

namespace onnxport::torchscript {

PickleStack::~PickleStack() {
  for (const Node& node : containers_) {
    if (!kept_.contains(node.get())) node->v = std::monostate();
  }
}

Node PickleStack::Make(Pickled value) {
  Node node = std::allocate_shared<Pickled>(BudgetAllocator<Pickled>(), std::move(value));
  // Only what holds other values is noted, to be emptied at the end: a pickle is mostly numbers and texts.
  const bool plain = std::holds_alternative<std::monostate>(node->v) || std::holds_alternative<bool>(node->v) ||
                     std::holds_alternative<int64_t>(node->v) || std::holds_alternative<double>(node->v) ||
                     std::holds_alternative<std::string>(node->v);
  if (!plain) containers_.push_back(node);
  return node;
}

Slot PickleStack::Pop() {
  if (slots_.empty()) throw Refusal("takes from an empty stack");
  Slot slot = std::move(slots_.back());
  slots_.pop_back();
  return slot;
}

Node PickleStack::PopNode() {
  Slot slot = Pop();
  if (Node* node = std::get_if<Node>(&slot)) return std::move(*node);
  throw Refusal("has something else where a value belongs");
}

Global PickleStack::PopGlobal() {
  Slot slot = Pop();
  if (Global* global = std::get_if<Global>(&slot)) return std::move(*global);
  throw Refusal("calls what is no function");
}

Node& PickleStack::Top() {
  Node* node = slots_.empty() ? nullptr : std::get_if<Node>(&slots_.back());
  if (!node) throw Refusal("has something else where a value belongs");
  return *node;
}

// Storages and function names stand in tuples, as parts of a persistent id or of arguments: a node keeps their place.
Node PickleStack::NodeOf(Slot* slot) {
  if (Node* node = std::get_if<Node>(slot)) return std::move(*node);
  const auto keep = [&](std::string text, auto* places, const auto& what) {
    odd_.push_back(Make({std::move(text)}));
    places->insert_or_assign(odd_.back().get(), what);
    return odd_.back();
  };
  if (const Global* global = std::get_if<Global>(slot)) return keep(global->name, &places_.globals, *global);
  if (const Storage* storage = std::get_if<Storage>(slot)) return keep("storage", &places_.storages, *storage);
  throw Refusal("has a mark inside a tuple");
}

NodeList PickleStack::PopToMark() {
  size_t mark = slots_.size();
  while (mark > 0 && !std::holds_alternative<Mark>(slots_[mark - 1])) --mark;
  if (mark == 0) throw Refusal("has no mark where one belongs");
  NodeList items;
  for (size_t i = mark; i < slots_.size(); ++i) items.push_back(NodeOf(&slots_[i]));
  slots_.resize(mark - 1);
  return items;
}

NodeList PickleStack::PopNodes(size_t count) {
  NodeList items(count);
  for (size_t i = count; i-- > 0;) {
    Slot slot = Pop();
    items[i] = NodeOf(&slot);
  }
  return items;
}

void PickleStack::Remember(uint64_t key, size_t most) {
  if (slots_.empty()) throw Refusal("remembers nothing");
  // Keys are counted up by whoever writes a pickle, a few bytes for each.
  if (key > most) throw Refusal("has a memo key beyond reason");
  memo_.insert_or_assign(key, slots_.back());
}

void PickleStack::Recall(uint64_t key) {
  const auto found = memo_.find(key);
  if (found == memo_.end()) throw Refusal("recalls what it never remembered");
  slots_.push_back(found->second);
}

PickledPtr PickleStack::Result(size_t most_steps) {
  if (slots_.size() != 1) throw Refusal("leaves more than one value");
  const Node* value = std::get_if<Node>(&slots_[0]);
  if (!value) throw Refusal("is no value");
  // Last: `items` may have been appended to a value after it was made, so only now is it known what holds what.
  kept_ = Reachable(**value, most_steps);
  return *value;
}

}  // namespace onnxport::torchscript
