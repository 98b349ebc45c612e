// Internal to Unpickle: what a pickle has made so far.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_ARCHIVE_PICKLE_STACK_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_ARCHIVE_PICKLE_STACK_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "runtime/base/memory_budget.h"
#include "runtime/sources/torchscript/archive/pickle.h"
#include "runtime/sources/torchscript/archive/pickled_tensors.h"
#include "runtime/sources/torchscript/archive/reachable.h"
#include "runtime/sources/torchscript/archive/slot_stack.h"

namespace onnxport::torchscript {

// Stands on the pickle's stack between finished values.
struct Mark {};

// A value under construction is mutable until the pickle ends: `items` are appended after it went to the memo.
using Node = std::shared_ptr<Pickled>;
using NodeList = std::vector<Node, BudgetAllocator<Node>>;
// Small, as a pickle can have one for each of its bytes.
using Slot = std::variant<Mark, std::shared_ptr<const Global>, std::shared_ptr<const Storage>, Node>;
static_assert(sizeof(Slot) <= 24);

inline bool IsMark(const Slot& slot) { return std::holds_alternative<Mark>(slot); }

// The stack and the memo of a pickle, and who owns what is on them. All throw Refusal for what a pickle of LibTorch
// does not do, as the end of a sentence that begins with "the pickle".
class PickleStack {
 public:
  PickleStack() = default;
  PickleStack(const PickleStack&) = delete;
  PickleStack& operator=(const PickleStack&) = delete;
  // Empties all containers that are not part of the result one by one: they may hold themselves, or be nested so deep
  // that freeing them would overflow the machine's stack.
  ~PickleStack();

  void Push(Pickled value) { slots_.Push(Make(std::move(value))); }
  void Push(Slot slot) { slots_.Push(std::move(slot)); }
  void Push(Global global) { slots_.Push(Shared(std::move(global))); }
  void Push(Storage storage) { slots_.Push(Shared(std::move(storage))); }
  void Pop() { slots_.Pop(); }
  Node PopNode();
  Global PopGlobal();
  // The topmost `count` values, the deepest first.
  NodeList PopNodes(size_t count);
  // Everything above the topmost mark, and the mark.
  NodeList PopToMark();
  Node& Top();

  void Remember(uint64_t key, size_t most) { slots_.Remember(key, most); }
  void Recall(uint64_t key) { slots_.Recall(key); }

  // Function names and storages among the arguments of a call.
  const Placeholders& placeholders() const { return placeholders_; }

  // The one value that is left, which then stays whole. `most_steps`: see Reachable.
  PickledPtr Result(size_t most_steps);

 private:
  template <typename T>
  static std::shared_ptr<const T> Shared(T value) {
    return std::allocate_shared<const T>(BudgetAllocator<T>(), std::move(value));
  }
  Node Make(Pickled value);
  Node NodeOf(Slot* slot);
  NodeList NodesOf(std::span<Slot> slots);

  NodeList containers_;
  Depths kept_;  // what the result holds
  SlotStack<Slot> slots_;
  Placeholders placeholders_;
  NodeList odd_;  // keeps the nodes of `placeholders_` alive
};

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_ARCHIVE_PICKLE_STACK_H_
