// Reads the pickles of an archive. A pickle only makes data: its functions are looked up in a short list, and nothing
// is ever called. The budget counts all values, because a few bytes can ask for any amount (PickleStack).
#include "runtime/sources/torchscript/archive/unpickler.h"

#include <fmt/format.h>

#include <memory>
#include <type_traits>
#include <utility>
#include <variant>

#include "runtime/base/refusal.h"
#include "runtime/base/text.h"
#include "runtime/sources/torchscript/archive/pickle_operators.h"
#include "runtime/sources/torchscript/archive/pickle_stack.h"
#include "runtime/sources/torchscript/archive/pickled_types.h"

namespace onnxport::torchscript {
namespace {

class Unpickler {
 public:
  explicit Unpickler(const TensorReader& tensors) : tensors_(tensors) {}

  PickledPtr Run(std::string_view text, const std::string& what) {
    PickleOperators(text, this).Run(what);
    return std::move(result_);
  }

  // ---- operators: for PickleOperators

  // A pickle can refer to one value many times, so its tree may be endless. Honest pickles stay far below this limit.
  void Stop(size_t size) { result_ = stack_.Result(64 * size + 1024); }

  void PushMark() { stack_.Push(Slot(Mark{})); }
  void Pop() { stack_.Pop(); }
  template <typename T>
  void Push(T value) {
    if constexpr (std::is_same_v<T, std::string_view>) {
      stack_.Push(Pickled{std::string(value)});
    } else {
      stack_.Push(Pickled{value});
    }
  }
  void Remember(uint64_t key, size_t most) { stack_.Remember(key, most); }
  void Recall(uint64_t key) { stack_.Recall(key); }

  void EmptyList() { stack_.Push(Pickled{Pickled::List{}}); }
  void EmptyDict() { stack_.Push(Pickled{Pickled::Dict{}}); }
  void TupleOf(size_t count) { PushTuple(stack_.PopNodes(count)); }
  void TupleToMark() { PushTuple(stack_.PopToMark()); }
  void Append() {
    Node item = stack_.PopNode();
    AppendItems({std::move(item)});
  }
  void AppendToMark() { AppendItems(stack_.PopToMark()); }
  void SetItem() {
    Node value = stack_.PopNode();
    Node key = stack_.PopNode();
    SetItems({std::move(key), std::move(value)});
  }
  void SetItemsToMark() { SetItems(stack_.PopToMark()); }

  void PushGlobal(std::string_view module, std::string_view name) {
    stack_.Push(Global{module.empty() ? std::string(name) : fmt::format("{}.{}", module, name)});
  }
  void PersistentId() { stack_.Push(StorageOf(*stack_.PopNode(), stack_.placeholders())); }
  void Reduce() {
    const Node args = stack_.PopNode();
    const Global function = stack_.PopGlobal();
    const auto* tuple = std::get_if<Pickled::Tuple>(&args->v);
    // LibTorch writes an enum's value without a tuple around it.
    if (!tuple && function.name.starts_with("__torch__."))
      return stack_.Push(Pickled{Pickled::Enum{function.name, args}});
    if (!tuple) Fail("gives a function other arguments than it has");
    Call(function.name, *tuple);
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
    // A state_dict carries `_metadata` beside its items.
    if (std::holds_alternative<Pickled::Dict>(stack_.Top()->v)) return;
    auto* object = std::get_if<Pickled::Object>(&stack_.Top()->v);
    if (!object || object->state) Fail("sets the state of a value that is no new object");
    object->state = std::move(state);
  }

 private:
  [[noreturn]] static void Fail(const std::string& what) { throw Refusal(what); }

  void PushTuple(NodeList items) {
    Pickled::Tuple tuple;
    tuple.items.assign(items.begin(), items.end());
    stack_.Push(Pickled{std::move(tuple)});
  }

  void AppendItems(NodeList items) {
    auto* list = std::get_if<Pickled::List>(&stack_.Top()->v);
    if (!list) Fail("appends to what is no list");
    list->items.insert(list->items.end(), items.begin(), items.end());
  }
  void SetItems(const NodeList& items) {
    auto* dict = std::get_if<Pickled::Dict>(&stack_.Top()->v);
    if (!dict) Fail("sets an item of a value that is no dictionary");
    if (items.size() % 2 != 0) Fail("sets a key without a value");
    for (size_t i = 0; i < items.size(); i += 2) dict->items.emplace_back(items[i], items[i + 1]);
  }

  void Call(const std::string& name, const Pickled::Tuple& args) {
    const auto needs = [&](size_t least) {
      if (args.items.size() < least) Fail(fmt::format("gives {} too few arguments", Printable(name)));
    };
    // All functions that a pickle may name. A new one must only make data.
    if (name == "torch._utils._rebuild_tensor_v2") {
      needs(5);
      stack_.Push(Pickled{RebuildTensor(args, stack_.placeholders(), tensors_)});
    } else if (name == "torch._utils._rebuild_qtensor") {
      needs(6);
      stack_.Push(Pickled{RebuildQuantized(args, stack_.placeholders(), tensors_)});
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
    // Sets the type of the list itself, not of a copy: other places of the pickle refer to the same list.
    const auto node = std::const_pointer_cast<Pickled>(args.items[0]);
    std::string type = PickledTypeOf(name, args);
    if (auto* items = std::get_if<Pickled::List>(&node->v)) items->type = type;
    if (auto* items = std::get_if<Pickled::Dict>(&node->v)) items->type = type;
    stack_.Push(Slot(node));
  }

  const TensorReader& tensors_;
  PickleStack stack_;
  PickledPtr result_;
};

}  // namespace

PickledPtr Unpickle(std::string_view text, const std::string& what, const TensorReader& tensors) {
  return Unpickler(tensors).Run(text, what);
}

}  // namespace onnxport::torchscript
