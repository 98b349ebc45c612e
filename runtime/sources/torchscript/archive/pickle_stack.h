// Internal to Unpickle: the values that a pickle has built so far.
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

// A marker on the pickle's stack between finished values.
struct Mark {};

// A value is mutable until the pickle ends, because `items` may be appended after it was put into the memo.
using Node = std::shared_ptr<Pickled>;
using NodeList = std::vector<Node, BudgetAllocator<Node>>;
// Small, because a pickle may have one for each of its bytes.
using Slot = std::variant<Mark, std::shared_ptr<const Global>, std::shared_ptr<const Storage>, Node>;
static_assert(sizeof(Slot) <= 24);

inline bool IsMark(const Slot& slot) { return std::holds_alternative<Mark>(slot); }

// The stack and the memo of a pickle, and the owner of the values on them. All functions throw Refusal if a pickle does
// something that LibTorch's do not. The text ends a sentence that begins with "the pickle".
class PickleStack {
 public:
  PickleStack() = default;
  PickleStack(const PickleStack&) = delete;
  PickleStack& operator=(const PickleStack&) = delete;
  // Empties all containers outside the result one by one. They may contain themselves, or be nested so deep that
  // freeing them recursively would overflow the stack.
  ~PickleStack();

  void Push(Pickled value) { slots_.Push(Make(std::move(value))); }
  void Push(Slot slot) { slots_.Push(std::move(slot)); }
  void Push(Global global) { slots_.Push(Shared(std::move(global))); }
  void Push(Storage storage) { slots_.Push(Shared(std::move(storage))); }
  void Pop() { slots_.Pop(); }
  Node PopNode();
  Global PopGlobal();
  // The topmost `count` values, deepest first.
  NodeList PopNodes(size_t count);
  // Removes everything down to the topmost mark, and the mark.
  NodeList PopToMark();
  Node& Top();

  void Remember(uint64_t key, size_t most) { slots_.Remember(key, most); }
  void Recall(uint64_t key) { slots_.Recall(key); }

  // Function names and storages among the arguments of a call.
  const Placeholders& placeholders() const { return placeholders_; }

  // The only value left, which is not taken apart. `most_steps`: see Reachable.
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
  Depths kept_;  // the values of the result
  SlotStack<Slot> slots_;
  Placeholders placeholders_;
  NodeList odd_;  // keeps the nodes of `placeholders_` alive
};

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_ARCHIVE_PICKLE_STACK_H_
