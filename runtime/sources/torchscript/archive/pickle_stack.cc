#include "runtime/sources/torchscript/archive/pickle_stack.h"

#include <string>
#include <utility>

#include "runtime/base/refusal.h"

namespace onnxport::torchscript {

PickleStack::~PickleStack() {
  for (const Node& node : containers_) {
    if (!kept_.contains(node.get())) node->v = std::monostate();
  }
}

Node PickleStack::Make(Pickled value) {
  Node node = std::allocate_shared<Pickled>(BudgetAllocator<Pickled>(), std::move(value));
  // Only values that hold others must be emptied at the end. A pickle mostly has numbers and texts.
  const bool plain = std::holds_alternative<std::monostate>(node->v) || std::holds_alternative<bool>(node->v) ||
                     std::holds_alternative<int64_t>(node->v) || std::holds_alternative<double>(node->v) ||
                     std::holds_alternative<std::string>(node->v);
  if (!plain) containers_.push_back(node);
  return node;
}

Node PickleStack::PopNode() {
  Slot slot = slots_.Pop();
  if (Node* node = std::get_if<Node>(&slot)) return std::move(*node);
  throw Refusal("has something else where a value belongs");
}

Global PickleStack::PopGlobal() {
  Slot slot = slots_.Pop();
  if (const auto* global = std::get_if<std::shared_ptr<const Global>>(&slot)) return **global;
  throw Refusal("calls what is no function");
}

Node& PickleStack::Top() {
  Node* node = std::get_if<Node>(slots_.Top());
  if (!node) throw Refusal("has something else where a value belongs");
  return *node;
}

// Storages and function names are inside tuples, as parts of a persistent id or of arguments. A node represents them
// there.
Node PickleStack::NodeOf(Slot* slot) {
  if (Node* node = std::get_if<Node>(slot)) return std::move(*node);
  const auto keep = [&](std::string text, auto* holders, const auto& what) {
    odd_.push_back(Make({std::move(text)}));
    holders->insert_or_assign(odd_.back().get(), what);
    return odd_.back();
  };
  if (const auto* global = std::get_if<std::shared_ptr<const Global>>(slot))
    return keep((*global)->name, &placeholders_.globals, **global);
  if (const auto* storage = std::get_if<std::shared_ptr<const Storage>>(slot))
    return keep("storage", &placeholders_.storages, **storage);
  throw Refusal("has a mark inside a tuple");
}

NodeList PickleStack::NodesOf(std::span<Slot> slots) {
  NodeList nodes;
  nodes.reserve(slots.size());
  for (Slot& slot : slots) nodes.push_back(NodeOf(&slot));
  return nodes;
}

NodeList PickleStack::PopToMark() {
  NodeList items;
  slots_.PopToMark([&](std::span<Slot> slots) { items = NodesOf(slots); });
  return items;
}

NodeList PickleStack::PopNodes(size_t count) {
  NodeList items;
  slots_.PopMany(count, [&](std::span<Slot> slots) { items = NodesOf(slots); });
  return items;
}

PickledPtr PickleStack::Result(size_t most_steps) {
  const Node* value = std::get_if<Node>(&slots_.Last());
  if (!value) throw Refusal("is no value");
  // Last: values may get `items` after they were made, so only now is it known which values contain which.
  kept_ = Reachable(**value, most_steps);
  return *value;
}

}  // namespace onnxport::torchscript
