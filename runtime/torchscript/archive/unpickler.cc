#include "runtime/torchscript/archive/unpickler.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "runtime/base/error.h"
#include "runtime/base/memory_budget.h"
#include "runtime/base/text.h"
#include "runtime/torchscript/archive/pickle_bytes.h"
#include "runtime/torchscript/archive/pickled_types.h"
#include "runtime/torchscript/archive/reachable.h"

namespace onnxport::torchscript {
namespace {

// What stands on the pickle's stack besides finished values.
struct Mark {};

// A value under construction is mutable until the pickle ends: `items` are appended after it went to the memo.
using Node = std::shared_ptr<Pickled>;
using NodeList = std::vector<Node, BudgetAllocator<Node>>;
using Slot = std::variant<Mark, Global, Storage, Node>;

class Unpickler {
 public:
  Unpickler(std::string_view text, const std::string& what, const TensorReader& tensors)
      : bytes_(text), what_(what), tensors_(tensors) {}

  Unpickler(const Unpickler&) = delete;
  Unpickler& operator=(const Unpickler&) = delete;
  // What is refused or left over may hold itself, or be nested so deep that freeing it would overflow the stack: it is
  // emptied one by one.
  ~Unpickler() {
    for (const Node& node : containers_) {
      if (!kept_.contains(node.get())) node->v = std::monostate();
    }
  }

  PickledPtr Run() {
    try {
      const MemoryBudget::Place place([this] { return what_; });
      while (!done_) Step();
      if (stack_.size() != 1) Fail("leaves more than one value");
      const Node* value = std::get_if<Node>(&stack_[0]);
      if (!value) Fail("is no value");
      kept_ = Reachable(**value, 64 * bytes_.size() + 1024);
      return *value;
    } catch (const PickleError& mistake) {
      throw Error(ErrorKind::kBadInput, fmt::format("{} is damaged or hostile: at byte {} the pickle {}", what_,
                                                    bytes_.at(), mistake.what()));
    }
  }

 private:
  [[noreturn]] static void Fail(const std::string& what) { throw PickleError(what); }

  // ---- the stack ----

  Node Make(Pickled value) {
    Node node = std::allocate_shared<Pickled>(BudgetAllocator<Pickled>(), std::move(value));
    const bool plain = std::holds_alternative<std::monostate>(node->v) || std::holds_alternative<bool>(node->v) ||
                       std::holds_alternative<int64_t>(node->v) || std::holds_alternative<double>(node->v) ||
                       std::holds_alternative<std::string>(node->v);
    if (!plain) containers_.push_back(node);
    return node;
  }
  void Push(Pickled value) { stack_.emplace_back(Make(std::move(value))); }
  Slot Pop() {
    if (stack_.empty()) Fail("takes from an empty stack");
    Slot slot = std::move(stack_.back());
    stack_.pop_back();
    return slot;
  }
  Node PopNode() {
    Slot slot = Pop();
    if (Node* node = std::get_if<Node>(&slot)) return std::move(*node);
    Fail("has something else where a value belongs");
  }
  Node& Top() {
    Node* node = stack_.empty() ? nullptr : std::get_if<Node>(&stack_.back());
    if (!node) Fail("has something else where a value belongs");
    return *node;
  }
  // Everything above the topmost mark, and the mark.
  NodeList PopToMark() {
    size_t mark = stack_.size();
    while (mark > 0 && !std::holds_alternative<Mark>(stack_[mark - 1])) --mark;
    if (mark == 0) Fail("has no mark where one belongs");
    NodeList items;
    for (size_t i = mark; i < stack_.size(); ++i) {
      Node* node = std::get_if<Node>(&stack_[i]);
      items.push_back(node ? *node : FromOdd(stack_[i]));
    }
    stack_.resize(mark - 1);
    return items;
  }
  // Storages and function names stand in tuples, as parts of a persistent id or of arguments.
  Node FromOdd(const Slot& slot) {
    const auto keep = [&](std::string text, auto* places, const auto& what) {
      odd_.push_back(Make({std::move(text)}));
      places->insert_or_assign(odd_.back().get(), what);
      return odd_.back();
    };
    if (const Global* global = std::get_if<Global>(&slot)) return keep(global->name, &places_.globals, *global);
    if (const Storage* storage = std::get_if<Storage>(&slot)) return keep("storage", &places_.storages, *storage);
    Fail("has a mark inside a tuple");
  }

  // ---- operators ----

  void Step() {
    const auto code = static_cast<uint8_t>(bytes_.Take(1)[0]);
    switch (code) {
      case 0x80:
        if (bytes_.Little(1) != 2) Fail("has another protocol than 2");
        return;
      case '.':
        done_ = true;
        return;
      case '(':
        stack_.emplace_back(Mark{});
        return;
      case '0':
        Pop();
        return;
      case 'N':
        return Push({std::monostate{}});
      case 0x88:
        return Push({true});
      case 0x89:
        return Push({false});
      case 'J':
        return Push({static_cast<int64_t>(static_cast<int32_t>(bytes_.Little(4)))});
      case 'K':
        return Push({static_cast<int64_t>(bytes_.Little(1))});
      case 'M':
        return Push({static_cast<int64_t>(bytes_.Little(2))});
      case 0x8a:
        return Push({bytes_.Long()});
      case 'G':
        return Push({bytes_.Double()});
      case 'X':
        return Push({std::string(bytes_.Take(bytes_.Little(4)))});
      default:
        return StepOther(code);
    }
  }

  void StepOther(uint8_t code) {
    switch (code) {
      case ']':
        return Push({Pickled::List{}});
      case '}':
        return Push({Pickled::Dict{}});
      case ')':
        return Push({Pickled::Tuple{}});
      case 't':
        return PushTuple(PopToMark());
      case 0x85:
      case 0x86:
      case 0x87:
        return SmallTuple(code - 0x84u);
      case 'a':
        return AppendOne();
      case 'e':
        return Append(PopToMark());
      case 's':
        return SetOne();
      case 'u':
        return SetItems(PopToMark());
      case 'c':
        return PushGlobal();
      case 'q':
        return Remember(bytes_.Little(1));
      case 'r':
        return Remember(bytes_.Little(4));
      case 'h':
        return Recall(bytes_.Little(1));
      case 'j':
        return Recall(bytes_.Little(4));
      case 'Q':
        stack_.emplace_back(StorageOf(*PopNode(), places_));
        return;
      case 'R':
        return Reduce();
      case 0x81:
        return NewObject();
      case 'b':
        return Build();
      default:
        Fail(fmt::format("has the operator 0x{:02x}, which TorchScript archives do not use", code));
    }
  }

  void PushTuple(NodeList items) {
    Pickled::Tuple tuple;
    tuple.items.assign(items.begin(), items.end());
    Push({std::move(tuple)});
  }

  void SmallTuple(size_t count) {
    NodeList items(count);
    for (size_t i = count; i-- > 0;) {
      Slot slot = Pop();
      Node* node = std::get_if<Node>(&slot);
      items[i] = node ? *node : FromOdd(slot);
    }
    PushTuple(std::move(items));
  }

  void AppendOne() {
    Node item = PopNode();
    Append({std::move(item)});
  }
  void Append(NodeList items) {
    auto* list = std::get_if<Pickled::List>(&Top()->v);
    if (!list) Fail("appends to what is no list");
    list->items.insert(list->items.end(), items.begin(), items.end());
  }
  void SetOne() {
    Node value = PopNode();
    Node key = PopNode();
    SetItems({std::move(key), std::move(value)});
  }
  void SetItems(const NodeList& items) {
    auto* dict = std::get_if<Pickled::Dict>(&Top()->v);
    if (!dict) Fail("sets an item of what is no dictionary");
    if (items.size() % 2 != 0) Fail("sets a key without a value");
    for (size_t i = 0; i < items.size(); i += 2) dict->items.emplace_back(items[i], items[i + 1]);
  }

  void PushGlobal() {
    const std::string module(bytes_.Line());
    const std::string name(bytes_.Line());
    stack_.emplace_back(Global{module.empty() ? name : module + "." + name});
  }

  void Remember(uint64_t key) {
    if (stack_.empty()) Fail("remembers nothing");
    if (key > bytes_.size()) Fail("has a memo key beyond reason");
    memo_.insert_or_assign(key, stack_.back());
  }
  void Recall(uint64_t key) {
    const auto found = memo_.find(key);
    if (found == memo_.end()) Fail("recalls what it never remembered");
    stack_.push_back(found->second);
  }

  // ---- functions and classes ----

  Global PopGlobal() {
    Slot slot = Pop();
    if (Global* global = std::get_if<Global>(&slot)) return std::move(*global);
    Fail("calls what is no function");
  }

  void Reduce() {
    const Node args_node = PopNode();
    const Global function = PopGlobal();
    const std::string& name = function.name;
    // LibTorch writes an enum's value without a tuple around it.
    if (name.starts_with("__torch__.") && !std::holds_alternative<Pickled::Tuple>(args_node->v))
      return Push({Pickled::Enum{name, args_node}});
    const auto* tuple = std::get_if<Pickled::Tuple>(&args_node->v);
    if (!tuple) Fail("gives a function other arguments than it has");
    const Pickled::Tuple& args = *tuple;
    const auto needs = [&](size_t least) {
      if (args.items.size() < least) Fail(fmt::format("gives {} too few arguments", Printable(name)));
    };
    if (name == "torch._utils._rebuild_tensor_v2") {
      needs(5);
      Push({RebuildTensor(args, places_, tensors_)});
    } else if (name == "torch._utils._rebuild_qtensor") {
      needs(6);
      Push({RebuildQuantized(args, places_, tensors_)});
    } else if (name == "torch._utils._rebuild_parameter") {
      needs(1);
      PushShared(args.items[0]);
    } else if (name == "collections.OrderedDict") {
      Push({Pickled::Dict{}});
    } else if (name == "torch.device") {
      needs(1);
      const auto* text = std::get_if<std::string>(&args.items[0]->v);
      if (!text) Fail("has a device without a name");
      Push({Pickled::Device{*text}});
    } else if (name.starts_with("torch.jit._pickle.")) {
      needs(1);
      Tagged(name, args);
    } else if (name.starts_with("__torch__.")) {
      needs(1);
      Push({Pickled::Enum{name, args.items[0]}});
    } else {
      Fail(fmt::format("names the function {}, which no archive of a model needs; nothing of it was run",
                       Printable(name)));
    }
  }

  void PushShared(const PickledPtr& value) { stack_.emplace_back(std::const_pointer_cast<Pickled>(value)); }

  void Tagged(const std::string& name, const Pickled::Tuple& args) {
    const auto node = std::const_pointer_cast<Pickled>(args.items[0]);
    std::string type = PickledTypeOf(name, args);
    if (auto* items = std::get_if<Pickled::List>(&node->v)) items->type = type;
    if (auto* items = std::get_if<Pickled::Dict>(&node->v)) items->type = type;
    stack_.emplace_back(node);
  }

  void NewObject() {
    PopNode();  // no arguments
    const Global type = PopGlobal();
    if (!type.name.starts_with("__torch__."))
      Fail(fmt::format("makes an object of {}, which is no class of the archive", Printable(type.name)));
    Push({Pickled::Object{type.name, nullptr}});
  }

  void Build() {
    Node state = PopNode();
    // What a state_dict carries beside its items: `_metadata`.
    if (std::holds_alternative<Pickled::Dict>(Top()->v)) return;
    auto* object = std::get_if<Pickled::Object>(&Top()->v);
    if (!object || object->state) Fail("sets the state of what is no new object");
    object->state = std::move(state);
  }

  PickleBytes bytes_;
  const std::string& what_;
  const TensorReader& tensors_;
  NodeList containers_;
  Depths kept_;  // what the result holds
  bool done_ = false;
  std::vector<Slot, BudgetAllocator<Slot>> stack_;
  std::unordered_map<uint64_t, Slot, std::hash<uint64_t>, std::equal_to<>,
                     BudgetAllocator<std::pair<const uint64_t, Slot>>>
      memo_;
  Places places_;
  NodeList odd_;  // keeps those nodes alive
};

}  // namespace

PickledPtr Unpickle(std::string_view text, const std::string& what, const TensorReader& tensors) {
  return Unpickler(text, what, tensors).Run();
}

}  // namespace onnxport::torchscript
