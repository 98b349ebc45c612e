// Parameters and buffers of a module that was read.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "runtime/sources/torchscript/archive/pickle.h"
#include "runtime/sources/torchscript/archive/program.h"

namespace onnxport::torchscript {
namespace {

enum class Kind : uint8_t { kParameter, kBuffer, kOther };

Kind KindOf(const Class& type, const std::string& name) {
  if (std::ranges::find(type.parameters, name) != type.parameters.end()) return Kind::kParameter;
  return std::ranges::find(type.buffers, name) != type.buffers.end() ? Kind::kBuffer : Kind::kOther;
}

// Visits the parameters and buffers that are tensors without a quantizer, at each of their places.
class Walk {
 public:
  using Visitor = std::function<void(Kind kind, const std::string& name, const PickledPtr& tensor)>;
  // Modules that are at several places are visited at the first one. `again` limits how many more visits they get, in
  // total.
  Walk(const Program& program, const Visitor& visitor, int again = 0)
      : program_(program), visitor_(visitor), again_(again) {}

  // Depth is bounded by kMaxPickleDepth.
  void Visit(const PickledPtr& value, const std::string& path) {
    const auto* object = value ? std::get_if<Pickled::Object>(&value->v) : nullptr;
    const auto type = object ? program_.classes.find(object->type) : program_.classes.end();
    if (type == program_.classes.end() || !object->state) return;
    if (!seen_.insert(value.get()).second && --again_ < 0) return;
    const auto* state = std::get_if<Pickled::Dict>(&object->state->v);
    if (state == nullptr || !open_.insert(value.get()).second) return;  // no module is inside itself
    for (const auto& [key, item] : state->items) {
      const auto* name = std::get_if<std::string>(&key->v);
      if (name == nullptr) continue;
      const std::string below = Below(path, *name);
      const Kind kind = KindOf(type->second, *name);
      if (kind == Kind::kOther) {
        Visit(item, below);
      } else if (IsPlainTensor(item)) {
        visitor_(kind, below, item);
      }
    }
    open_.erase(value.get());
  }

 private:
  static bool IsPlainTensor(const PickledPtr& value) {
    const auto* tensor = value ? std::get_if<Pickled::Tensor>(&value->v) : nullptr;
    return tensor != nullptr && tensor->data && !tensor->quantizer;
  }

  const Program& program_;
  const Visitor& visitor_;
  std::set<const Pickled*> seen_;
  std::set<const Pickled*> open_;
  int again_;
};

}  // namespace

void ReplaceState(Program* program, const ReplaceTensor& replace) {
  struct Place {
    std::string name;
    PickledPtr value;
    std::shared_ptr<const ir::TensorData> data;
  };
  // Find all places first: a tied weight is at several, and `replace` must get its original tensor at each.
  std::vector<Place> places;
  const Walk::Visitor visit = [&](Kind, const std::string& name, const PickledPtr& value) {
    places.push_back({name, value, std::get<Pickled::Tensor>(value->v).data});
  };
  // Modules that share modules that share modules may have too many places to visit.
  constexpr int kMostAgain = 1000;
  Walk(*program, visit, kMostAgain).Visit(program->module, "");
  // Only the program has this tree, so it may be changed.
  for (const Place& place : places)
    std::get<Pickled::Tensor>(std::const_pointer_cast<Pickled>(place.value)->v).data = replace(place.name, place.data);
}

std::vector<std::string> StateNames(const Program& program) {
  std::vector<std::string> names;
  std::vector<std::string> buffers;
  const Walk::Visitor visit = [&](Kind kind, const std::string& name, const PickledPtr&) {
    (kind == Kind::kParameter ? names : buffers).push_back(name);
  };
  Walk(program, visit).Visit(program.module, "");
  // All parameters of all modules come before the first buffer.
  names.insert(names.end(), buffers.begin(), buffers.end());
  return names;
}

}  // namespace onnxport::torchscript
