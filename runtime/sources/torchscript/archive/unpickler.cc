// Reads the pickles of an archive. A pickle is a program for a small stack machine, which in Python may call any
// function. Here it makes data: each operator that archives use is a case below, a function that it names is looked up
// in a short list, and nothing is ever called. The budget counts what is made, as a few bytes can ask for any amount
// (PickleStack).
#include "runtime/sources/torchscript/archive/unpickler.h"

#include <fmt/format.h>

#include <memory>
#include <utility>
#include <variant>

#include "runtime/base/error.h"
#include "runtime/base/memory_budget.h"
#include "runtime/base/refusal.h"
#include "runtime/base/text.h"
#include "runtime/sources/torchscript/archive/pickle_bytes.h"
#include "runtime/sources/torchscript/archive/pickle_stack.h"
#include "runtime/sources/torchscript/archive/pickled_types.h"

namespace onnxport::torchscript {
namespace {

class Unpickler {
 public:
  Unpickler(std::string_view text, const std::string& what, const TensorReader& tensors)
      : bytes_(text), what_(what), tensors_(tensors) {}

  PickledPtr Run() {
    try {
      const MemoryBudget::Place place([this] { return what_; });
      while (!done_) Step();
      // A pickle can name one value many times, so that written out it would be endless; what is honest stays far below
      // this.
      return stack_.Result(64 * bytes_.size() + 1024);
    } catch (const Refusal& mistake) {
      throw Error(ErrorKind::kBadInput, fmt::format("{} is damaged or hostile: at byte {} the pickle {}", what_,
                                                    bytes_.at(), mistake.what()));
    }
  }

 private:
  [[noreturn]] static void Fail(const std::string& what) { throw Refusal(what); }

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
        stack_.Push(Slot(Mark{}));
        return;
      case '0':
        stack_.Pop();
        return;
      case 'N':
        return stack_.Push(Pickled{std::monostate{}});
      case 0x88:
        return stack_.Push(Pickled{true});
      case 0x89:
        return stack_.Push(Pickled{false});
      case 'J':
        return stack_.Push(Pickled{static_cast<int64_t>(static_cast<int32_t>(bytes_.Little(4)))});
      case 'K':
        return stack_.Push(Pickled{static_cast<int64_t>(bytes_.Little(1))});
      case 'M':
        return stack_.Push(Pickled{static_cast<int64_t>(bytes_.Little(2))});
      case 0x8a:
        return stack_.Push(Pickled{bytes_.Long()});
      case 'G':
        return stack_.Push(Pickled{bytes_.Double()});
      case 'X':
        return stack_.Push(Pickled{std::string(bytes_.Take(bytes_.Little(4)))});
      default:
        return StepOther(code);
    }
  }

  void StepOther(uint8_t code) {
    switch (code) {
      case ']':
        return stack_.Push(Pickled{Pickled::List{}});
      case '}':
        return stack_.Push(Pickled{Pickled::Dict{}});
      case ')':
        return stack_.Push(Pickled{Pickled::Tuple{}});
      case 't':
        return PushTuple(stack_.PopToMark());
      case 0x85:
      case 0x86:
      case 0x87:
        return PushTuple(stack_.PopNodes(code - 0x84u));
      case 'a':
        return AppendOne();
      case 'e':
        return Append(stack_.PopToMark());
      case 's':
        return SetOne();
      case 'u':
        return SetItems(stack_.PopToMark());
      case 'c':
        return PushGlobal();
      case 'q':
        return stack_.Remember(bytes_.Little(1), bytes_.size());
      case 'r':
        return stack_.Remember(bytes_.Little(4), bytes_.size());
      case 'h':
        return stack_.Recall(bytes_.Little(1));
      case 'j':
        return stack_.Recall(bytes_.Little(4));
      case 'Q':
        stack_.Push(Slot(StorageOf(*stack_.PopNode(), stack_.places())));
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
    stack_.Push(Pickled{std::move(tuple)});
  }

  void AppendOne() {
    Node item = stack_.PopNode();
    Append({std::move(item)});
  }
  void Append(NodeList items) {
    auto* list = std::get_if<Pickled::List>(&stack_.Top()->v);
    if (!list) Fail("appends to what is no list");
    list->items.insert(list->items.end(), items.begin(), items.end());
  }
  void SetOne() {
    Node value = stack_.PopNode();
    Node key = stack_.PopNode();
    SetItems({std::move(key), std::move(value)});
  }
  void SetItems(const NodeList& items) {
    auto* dict = std::get_if<Pickled::Dict>(&stack_.Top()->v);
    if (!dict) Fail("sets an item of what is no dictionary");
    if (items.size() % 2 != 0) Fail("sets a key without a value");
    for (size_t i = 0; i < items.size(); i += 2) dict->items.emplace_back(items[i], items[i + 1]);
  }

  void PushGlobal() {
    const std::string module(bytes_.Line());
    const std::string name(bytes_.Line());
    stack_.Push(Slot(Global{module.empty() ? name : module + "." + name}));
  }

  // ---- functions and classes ----

  void Reduce() {
    const Node args_node = stack_.PopNode();
    const Global function = stack_.PopGlobal();
    const std::string& name = function.name;
    // LibTorch writes an enum's value without a tuple around it.
    if (name.starts_with("__torch__.") && !std::holds_alternative<Pickled::Tuple>(args_node->v))
      return stack_.Push(Pickled{Pickled::Enum{name, args_node}});
    const auto* tuple = std::get_if<Pickled::Tuple>(&args_node->v);
    if (!tuple) Fail("gives a function other arguments than it has");
    const Pickled::Tuple& args = *tuple;
    const auto needs = [&](size_t least) {
      if (args.items.size() < least) Fail(fmt::format("gives {} too few arguments", Printable(name)));
    };
    // All functions that a pickle may name. Whoever adds one must see to it that it can only make data.
    if (name == "torch._utils._rebuild_tensor_v2") {
      needs(5);
      stack_.Push(Pickled{RebuildTensor(args, stack_.places(), tensors_)});
    } else if (name == "torch._utils._rebuild_qtensor") {
      needs(6);
      stack_.Push(Pickled{RebuildQuantized(args, stack_.places(), tensors_)});
    } else if (name == "torch._utils._rebuild_parameter") {
      needs(1);
      PushShared(args.items[0]);
    } else if (name == "collections.OrderedDict") {
      stack_.Push(Pickled{Pickled::Dict{}});
    } else if (name == "torch.device") {
      needs(1);
      const auto* text = std::get_if<std::string>(&args.items[0]->v);
      if (!text) Fail("has a device without a name");
      stack_.Push(Pickled{Pickled::Device{*text}});
    } else if (name.starts_with("torch.jit._pickle.")) {
      needs(1);
      Tagged(name, args);
    } else if (name.starts_with("__torch__.")) {
      needs(1);
      stack_.Push(Pickled{Pickled::Enum{name, args.items[0]}});
    } else {
      Fail(fmt::format("names the function {}, which no archive of a model needs; nothing of it was run",
                       Printable(name)));
    }
  }

  void PushShared(const PickledPtr& value) { stack_.Push(Slot(std::const_pointer_cast<Pickled>(value))); }

  void Tagged(const std::string& name, const Pickled::Tuple& args) {
    // The list itself gets its type, rather than a copy: other places of the pickle mean the same list.
    const auto node = std::const_pointer_cast<Pickled>(args.items[0]);
    std::string type = PickledTypeOf(name, args);
    if (auto* items = std::get_if<Pickled::List>(&node->v)) items->type = type;
    if (auto* items = std::get_if<Pickled::Dict>(&node->v)) items->type = type;
    stack_.Push(Slot(node));
  }

  void NewObject() {
    stack_.PopNode();  // no arguments
    const Global type = stack_.PopGlobal();
    if (!type.name.starts_with("__torch__."))
      Fail(fmt::format("makes an object of {}, which is no class of the archive", Printable(type.name)));
    stack_.Push(Pickled{Pickled::Object{type.name, nullptr}});
  }

  void Build() {
    Node state = stack_.PopNode();
    // What a state_dict carries beside its items: `_metadata`.
    if (std::holds_alternative<Pickled::Dict>(stack_.Top()->v)) return;
    auto* object = std::get_if<Pickled::Object>(&stack_.Top()->v);
    if (!object || object->state) Fail("sets the state of what is no new object");
    object->state = std::move(state);
  }

  PickleBytes bytes_;
  const std::string& what_;
  const TensorReader& tensors_;
  bool done_ = false;
  PickleStack stack_;
};

}  // namespace

PickledPtr Unpickle(std::string_view text, const std::string& what, const TensorReader& tensors) {
  return Unpickler(text, what, tensors).Run();
}

}  // namespace onnxport::torchscript
