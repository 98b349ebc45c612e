#include "runtime/sources/torchscript/interpret/boundary/attributes.h"

#include <fmt/format.h>

#include <unordered_set>
#include <utility>

#include "runtime/sources/torchscript/archive/pickle.h"
#include "runtime/sources/torchscript/interpret/values/leaves.h"
#include "runtime/trace/state_remarks.h"

namespace onnxport::torchscript {
namespace {

using Cells = std::vector<std::pair<CellPtr, std::string>>;

// Collects the cells directly in a value, and in its tuples.
void AddCells(const Value& value, const std::string& path, Cells* cells) {
  if (const auto* cell = value.As<CellPtr>()) cells->emplace_back(*cell, path);
  if (const auto* tuple = value.As<TuplePtr>()) {
    for (size_t i = 0; i < (*tuple)->items.size(); ++i) {
      AddCells((*tuple)->items[i], Below(path, std::to_string(i)), cells);
    }
  }
}

// Compares the old and the new value of an attribute.
class Changes {
 public:
  Changes(bool kept, trace::Tracer* tracer) : kept_(kept), tracer_(*tracer) {}

  void Look(const std::string& path, const Value& before, const Value& now) {
    const auto* was_tuple = before.As<TuplePtr>();
    const auto* is_tuple = now.As<TuplePtr>();
    if (was_tuple && is_tuple && (*was_tuple)->items.size() == (*is_tuple)->items.size()) {
      for (size_t i = 0; i < (*was_tuple)->items.size(); ++i) {
        Look(Below(path, std::to_string(i)), (*was_tuple)->items[i], (*is_tuple)->items[i]);
      }
      return;
    }
    const auto* was = before.As<Tensor>();
    const auto* is = now.As<Tensor>();
    if (was && is) {
      tensors_.push_back({path, was->id, is->id});
    } else if (!Same(before, now)) {
      NoTensor(path, before, now);
    }
  }

  void Tell() {
    std::vector<std::pair<ir::ValueId, ir::Arg>> values;
    for (const TensorChange& change : tensors_) {
      if (change.before == change.now || tracer_.IsFailed(change.now)) continue;
      if (!kept_ || IsAlone(change)) values.emplace_back(change.before, ir::Arg{change.now});
    }
    tracer_.kept_state().Become(values);
  }

 private:
  struct TensorChange {
    std::string path;
    ir::ValueId before;
    ir::ValueId now;
  };

  void NoTensor(const std::string& path, const Value& before, const Value& now) {
    if (const auto* missing = now.As<Missing>(); missing && missing->reported) return;
    if (!kept_) return tracer_.findings().Remark(trace::NotKeptRemark(path));
    tracer_.Fail("", {Code::kStateIsNotKept,
                      fmt::format("`{}` of the module is {} before the call and {} after it; only a tensor can be kept "
                                  "(register_buffer), of one type and shape",
                                  path, KindOf(before), KindOf(now))});
  }

  // In the next call, two attributes may be the same tensor, and a write to one would change the other. But a model
  // would have two inputs. Or the two were one tensor before, for which the model has one input.
  bool IsAlone(const TensorChange& change) {
    for (const TensorChange& other : tensors_) {
      if (&other == &change) continue;
      const bool were_one = other.before == change.before && other.now != change.now;
      const bool are_one = other.before != change.before && tracer_.kept_state().MayShareMemory(other.now, change.now);
      if (!were_one && !are_one) continue;
      tracer_.Fail("",
                   {Code::kStateIsNotKept,
                    fmt::format("`{}` and `{}` of the module {} one tensor {} the call, which a model cannot keep; "
                                "clone one of them",
                                change.path, other.path, are_one ? "may be" : "are", are_one ? "after" : "before")});
      return false;
    }
    return true;
  }

  const bool kept_;
  trace::Tracer& tracer_;
  std::vector<TensorChange> tensors_;
};

}  // namespace

Attributes::Attributes(const Value& module) {
  Cells rest;
  AddCells(module, "", &rest);
  std::unordered_set<const Cell*> seen;
  while (!rest.empty()) {
    const auto [cell, path] = std::move(rest.back());
    rest.pop_back();
    if (!seen.insert(cell.get()).second) continue;
    kept_.push_back({cell, path, cell->attributes, cell->items});
    for (const auto& [name, value] : cell->attributes) AddCells(value, Below(path, name), &rest);
    for (size_t i = 0; i < cell->items.size(); ++i) AddCells(cell->items[i], Below(path, std::to_string(i)), &rest);
  }
}

void Attributes::TellChanges(bool kept, trace::Tracer* tracer) const {
  tracer->places().Set(ir::LocationId::kNone);  // they belong to the program's end, not to a call
  Changes changes(kept, tracer);
  for (const Kept& object : kept_) {
    for (const auto& [name, before] : object.attributes) {
      const auto now = object.cell->attributes.find(name);
      if (now != object.cell->attributes.end()) changes.Look(Below(object.path, name), before, now->second);
    }
    // A list with another length is another value, whatever its elements are.
    const ValueList& items = object.cell->items;
    const bool resized = items.size() != object.items.size() || object.cell->is_dynamic();
    if (resized) changes.Look(object.path, Value{None{}}, Value{object.cell});
    for (size_t i = 0; !resized && i < items.size(); ++i) {
      changes.Look(Below(object.path, std::to_string(i)), object.items[i], items[i]);
    }
  }
  changes.Tell();
}

}  // namespace onnxport::torchscript
