#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "runtime/base/text.h"
#include "runtime/sources/torchscript/syntax/parser.h"
#include "runtime/sources/torchscript/torchscript.h"

namespace onnxport::torchscript {
namespace {

// Lists the tensors and the classes of the pickled objects. Depth is bounded by kMaxPickleDepth.
class Lister {
 public:
  void List(const PickledPtr& pickled, const std::string& path) {
    if (!pickled) return;
    if (const auto* tensor = std::get_if<Pickled::Tensor>(&pickled->v)) {
      // By its data, so that a tied weight is listed once, under its first name.
      if (tensor->data && seen_.insert(tensor->data.get()).second) ListTensor(*tensor, path);
      return;
    }
    if (!seen_.insert(pickled.get()).second) return;
    if (const auto* object = std::get_if<Pickled::Object>(&pickled->v)) {
      if (known_types_.insert(object->type).second) types_.push_back(object->type);
      List(object->state, path);
    } else if (const auto* dict = std::get_if<Pickled::Dict>(&pickled->v)) {
      for (const auto& [key, item] : dict->items) {
        const auto* name = key ? std::get_if<std::string>(&key->v) : nullptr;
        List(item, Below(path, name ? *name : "?"));
      }
    } else if (const auto* list = std::get_if<Pickled::List>(&pickled->v)) {
      for (size_t i = 0; i < list->items.size(); ++i) List(list->items[i], Below(path, std::to_string(i)));
    } else if (const auto* tuple = std::get_if<Pickled::Tuple>(&pickled->v)) {
      for (size_t i = 0; i < tuple->items.size(); ++i) List(tuple->items[i], Below(path, std::to_string(i)));
    }
  }

  const std::string& tensors() const { return tensors_; }
  const std::vector<std::string>& types() const { return types_; }

 private:
  void ListTensor(const Pickled::Tensor& tensor, const std::string& path) {
    tensors_ += fmt::format("  {}  {}[{}]{}\n", VisibleLine(path), ir::Name(tensor.data->dtype),
                            fmt::join(tensor.data->shape, ", "), tensor.quantizer ? "  quantized" : "");
  }

  std::set<const void*> seen_;
  std::set<std::string> known_types_;
  std::vector<std::string> types_;
  std::string tensors_;
};

}  // namespace

std::string Describe(const Program& program) {
  Lister lister;
  lister.List(program.module, "");
  for (size_t i = 0; i < program.constants.size(); ++i)
    lister.List(program.constants[i], fmt::format("CONSTANTS.c{}", i));
  std::string text = fmt::format("parameters, buffers and constants:\n{}", lister.tensors());
  for (const std::string& name : lister.types()) {
    const auto type = program.classes.find(name);
    if (type == program.classes.end()) continue;
    text += fmt::format("\nclass {}:\n", VisibleLine(name));
    for (const Function& method : type->second.methods) text += ToText(method, 2);
  }
  for (const auto& [name, function] : program.functions)
    text += fmt::format("\n{}:\n{}", VisibleLine(name), ToText(function, 2));
  return text;
}

}  // namespace onnxport::torchscript
