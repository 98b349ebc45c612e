// Tracks which float tensors are quantized, and how. Operators that only move elements keep the grid. Operators that
// compute new numbers (quantized/on_grid.cc) set a new grid.
#include "runtime/sources/torchscript/interpret/values/grids.h"

#include "runtime/sources/torchscript/interpret/values/leaves.h"

namespace onnxport::torchscript {

const Grid* Grids::Of(const Value& value) const {
  const auto* tensor = value.As<Tensor>();
  const auto found = tensor ? grids_.find(tensor->id) : grids_.end();
  return found == grids_.end() ? nullptr : &found->second;
}

const Grid* Grids::First(const ValueList& args, const Keywords& keywords) const {
  if (grids_.empty()) return nullptr;
  // Also in lists: `cat([a, b])` is a call on quantized tensors.
  const auto of = [&](const Value& value) -> const Grid* {
    const CellPtr* list = AsList(value);
    if (!list) return Of(value);
    for (const Value& item : (*list)->items) {
      if (const Grid* grid = Of(item)) return grid;
    }
    return nullptr;
  };
  for (const Value& value : args) {
    if (const Grid* grid = of(value)) return grid;
  }
  for (const auto& [name, value] : keywords) {
    if (const Grid* grid = of(value)) return grid;
  }
  return nullptr;
}

Value Grids::Remember(Value made, const Grid& grid, const trace::Tracer& tracer) {
  if (const auto* tensor = made.As<Tensor>()) {
    // A quantized tensor is represented by float32 values. Indices and masks among the results are not on a grid.
    if (tracer.TypeOf(tensor->id).dtype == ir::DType::kFloat32) {
      Grid known = grid;
      known.integers = ir::ValueId::kNone;
      Set(tensor->id, std::move(known));
    }
  } else if (const auto* tuple = made.As<TuplePtr>()) {
    for (const Value& item : (*tuple)->items) Remember(item, grid, tracer);
  } else if (const auto* cell = made.As<CellPtr>()) {
    for (const Value& item : (*cell)->items) Remember(item, grid, tracer);
  }
  return made;
}

bool Grids::Join(ir::ValueId a, ir::ValueId b, ir::ValueId joined) {
  const auto first = grids_.find(a);
  const auto second = grids_.find(b);
  if (first == grids_.end() && second == grids_.end()) return true;
  // If only one side is quantized, the result has no integer type.
  if (first == grids_.end() || second == grids_.end()) return false;
  const Grid& x = first->second;
  const Grid& y = second->second;
  if (x.dtype != y.dtype || x.axis != y.axis || !Same(x.scale, y.scale) || !Same(x.zero_point, y.zero_point))
    return false;
  Grid grid = x;
  // They belong to one of the two, but the result may be the other one.
  grid.integers = ir::ValueId::kNone;
  Set(joined, std::move(grid));
  return true;
}

}  // namespace onnxport::torchscript
