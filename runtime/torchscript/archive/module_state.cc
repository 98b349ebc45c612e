// Parameters and buffers of a module that was read.
#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "runtime/torchscript/archive/pickle.h"
#include "runtime/torchscript/archive/program.h"

namespace onnxport::torchscript {
namespace {

class Walk {
 public:
  Walk(const Program& program, const ReplaceTensor& replace) : program_(program), replace_(replace) {}

  // Depth is bounded by kMaxPickleDepth.
  void Visit(const PickledPtr& value, const std::string& path) {
    const auto* object = value ? std::get_if<Pickled::Object>(&value->v) : nullptr;
    const auto type = object ? program_.classes.find(object->type) : program_.classes.end();
    if (type == program_.classes.end() || !object->state || !seen_.insert(value.get()).second) return;
    const auto* state = std::get_if<Pickled::Dict>(&object->state->v);
    if (state == nullptr) return;
    for (const auto& [key, item] : state->items) {
      const auto* name = std::get_if<std::string>(&key->v);
      if (name == nullptr) continue;
      const std::string below = path.empty() ? *name : path + "." + *name;
      if (IsState(type->second, *name)) {
        Replace(item, below);
      } else {
        Visit(item, below);
      }
    }
  }

 private:
  static bool IsState(const Class& type, const std::string& name) {
    return std::ranges::find(type.parameters, name) != type.parameters.end() ||
           std::ranges::find(type.buffers, name) != type.buffers.end();
  }

  // The program is the only one that has the tree.
  void Replace(const PickledPtr& value, const std::string& name) {
    auto* tensor = value ? std::get_if<Pickled::Tensor>(&std::const_pointer_cast<Pickled>(value)->v) : nullptr;
    if (tensor == nullptr || !tensor->data || tensor->quantizer) return;
    if (seen_.insert(value.get()).second) tensor->data = replace_(name, tensor->data);
  }

  const Program& program_;
  const ReplaceTensor& replace_;
  std::set<const Pickled*> seen_;
};

}  // namespace

void ReplaceState(Program* program, const ReplaceTensor& replace) {
  Walk(*program, replace).Visit(program->module, "");
}

}  // namespace onnxport::torchscript
