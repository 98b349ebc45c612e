#include "runtime/sources/torchscript/archive/plain_pickle.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <variant>

#include "runtime/base/refusal.h"
#include "runtime/base/text.h"
#include "runtime/sources/torchscript/archive/pickle_operators.h"
#include "runtime/sources/torchscript/archive/slot_stack.h"

namespace onnxport::torchscript {
class PlainPickle::Machine {
  using Kind = PlainValue::Kind;

 public:
  explicit Machine(PlainPickle* pickle) : pickle_(*pickle) {}

  // ---- operators: for PickleOperators

  void Stop(size_t /*size*/) {
    pickle_.root_ = stack_.Last();
    if (pickle_.root_.kind == Kind::kMark || pickle_.root_.kind == Kind::kFunction) throw Refusal("is no value");
  }

  void PushMark() { stack_.Push({.kind = Kind::kMark}); }
  void Pop() { stack_.Pop(); }
  void Push(std::monostate /*none*/) { stack_.Push({}); }
  void Push(int64_t number) { stack_.Push({.kind = Kind::kInt, .payload = number}); }
  void Push(std::string_view text) {
    stack_.Push({Kind::kText, static_cast<uint32_t>(text.size()), text.data() - pickle_.text_.data()});
  }
  void Push(bool /*value*/) { Fail("a truth value"); }
  void Push(double /*value*/) { Fail("a fraction"); }
  void Remember(uint64_t key, size_t most) { stack_.Remember(key, most); }
  void Recall(uint64_t key) { stack_.Recall(key); }

  void EmptyList() { TupleOf(0); }
  void TupleOf(size_t count) {
    stack_.PopMany(count, [this](std::span<const PlainValue> items) { Make(items); });
    stack_.Push(made_);
  }
  void TupleToMark() {
    stack_.PopToMark([this](std::span<const PlainValue> items) { Make(items); });
    stack_.Push(made_);
  }
  void Append() {
    const PlainValue item = stack_.Pop();
    AppendItems({&item, 1});
  }
  void AppendToMark() {
    taken_.clear();
    stack_.PopToMark([this](std::span<const PlainValue> items) { taken_.assign(items.begin(), items.end()); });
    AppendItems(taken_);
  }

  void PushGlobal(std::string_view module, std::string_view name) {
    // Like Unpickler, it calls nothing. These functions set the type of a list, which is known here.
    if (module != "torch.jit._pickle")
      throw Refusal(fmt::format("names the function {}, which debug information does not need; nothing of it was run",
                                Printable(fmt::format("{}.{}", module, name))));
    stack_.Push({.kind = Kind::kFunction});
  }
  void Reduce() {
    const std::span<const PlainValue> args = pickle_.ItemsOf(stack_.Pop());
    if (stack_.Pop().kind != Kind::kFunction) throw Refusal("calls what is no function");
    if (args.empty()) throw Refusal("gives a function other arguments than it has");
    stack_.Push(args[0]);
  }

  void EmptyDict() { Fail("a dictionary"); }
  void SetItem() { Fail("a dictionary"); }
  void SetItemsToMark() { Fail("a dictionary"); }
  void PersistentId() { Fail("a tensor"); }
  void NewObject() { Fail("an object"); }
  void Build() { Fail("an object"); }

 private:
  [[noreturn]] static void Fail(std::string_view what) {
    throw Refusal(fmt::format("has {}, which debug information does not have", what));
  }

  void Make(std::span<const PlainValue> items) {
    if (std::ranges::any_of(items, [](const PlainValue& item) { return IsMark(item); }))
      throw Refusal("has a mark inside a tuple");
    pickle_.sequences_.push_back({pickle_.items_.size(), items.size()});
    pickle_.items_.insert(pickle_.items_.end(), items.begin(), items.end());
    made_ = {.kind = Kind::kSequence, .payload = static_cast<int64_t>(pickle_.sequences_.size() - 1)};
  }

  // The list keeps its index, because others may hold it. Items that are not at the end of all items move there.
  void AppendItems(std::span<const PlainValue> items) {
    const PlainValue* list = stack_.Top();
    if (list == nullptr || list->kind != Kind::kSequence) throw Refusal("appends to what is no list");
    Sequence& sequence = pickle_.sequences_[static_cast<size_t>(list->payload)];
    auto& all = pickle_.items_;
    if (sequence.begin + sequence.size != all.size()) {
      const size_t begin = all.size();
      all.resize(begin + sequence.size);
      std::copy_n(all.begin() + static_cast<std::ptrdiff_t>(sequence.begin), sequence.size,
                  all.begin() + static_cast<std::ptrdiff_t>(begin));
      sequence.begin = begin;
    }
    all.insert(all.end(), items.begin(), items.end());
    sequence.size += items.size();
  }

  PlainPickle& pickle_;
  SlotStack<PlainValue> stack_;
  std::vector<PlainValue, BudgetAllocator<PlainValue>> taken_;
  PlainValue made_;
};

PlainPickle::PlainPickle(std::string_view text, const std::string& what) : text_(text) {
  Machine machine(this);
  PickleOperators(text, &machine).Run(what);
}

std::span<const PlainValue> PlainPickle::ItemsOf(PlainValue value) const {
  if (value.kind != PlainValue::Kind::kSequence) return {};
  const Sequence& sequence = sequences_[static_cast<size_t>(value.payload)];
  return std::span(items_).subspan(sequence.begin, sequence.size);
}

std::optional<int64_t> PlainPickle::IntOf(PlainValue value) const {
  return value.kind == PlainValue::Kind::kInt ? std::optional(value.payload) : std::nullopt;
}

std::optional<std::string_view> PlainPickle::TextOf(PlainValue value) const {
  if (value.kind != PlainValue::Kind::kText) return std::nullopt;
  return text_.substr(static_cast<size_t>(value.payload), value.size);
}

}  // namespace onnxport::torchscript
