#include "runtime/lowering/dsl/slice_bounds.h"

#include <cstdint>
#include <string_view>

#include "runtime/lowering/build/emitter.h"
#include "runtime/lowering/build/tensor.h"

namespace onnxport::lowering {
namespace {

// Finds a list of the call: an attribute up to opset 9, an input from 10 on; null if absent.
Val* Find(Vals* inputs, NamedArgs* attributes, std::string_view name, size_t position) {
  for (Named& attr : *attributes) {
    if (attr.name == name) return &attr.value;
  }
  return position < inputs->size() ? &(*inputs)[position] : nullptr;
}

Val FromEnd(const Val& bound, const Val& x, size_t axis) {
  const Tensor tensor = x.AsTensor();
  const auto& dims = ValueOf(tensor).dims;
  const auto at = SizeOf(bound);
  if (!bound.is_tensor() || !at || !dims || axis >= dims->size() || (*dims)[axis].is_unknown()) return bound;
  const ir::Dim distance = *at - (*dims)[axis];
  if (!distance.is_number()) return bound;
  // At or after the end: the largest number means the end, for any size.
  if (distance.number() >= 0) return INT64_MAX;
  // PyTorch would count a negative bound from the end again.
  const ir::Range range = TrustedBounds(*at, *tensor.emitter);
  return range.min && *range.min >= 0 ? Val(distance.number()) : bound;
}

}  // namespace

void SimplifySliceBounds(Vals* inputs, NamedArgs* attributes) {
  if (inputs->empty() || !(*inputs)[0].is_tensor()) return;
  const Val* axes = Find(inputs, attributes, "axes", 3);
  const Val* steps = Find(inputs, attributes, "steps", 4);
  if (axes && axes->is_none()) axes = nullptr;
  if (axes && (!axes->is_list() || !is_static(*axes))) return;
  if (steps && !steps->is_none() && (!steps->is_list() || !is_static(*steps) || min(*steps) < 1)) return;
  for (Val* bounds : {Find(inputs, attributes, "starts", 1), Find(inputs, attributes, "ends", 2)}) {
    if (!bounds || !bounds->is_list() || is_static(*bounds)) continue;
    Vals simpler = bounds->AsList();
    for (size_t i = 0; i < simpler.size(); ++i) {
      const Val axis = axes ? normal_axis((*axes)[i], rank((*inputs)[0])) : Val(i);
      simpler[i] = FromEnd(simpler[i], (*inputs)[0], static_cast<size_t>(axis.AsInt()));
    }
    *bounds = std::move(simpler);
  }
}

}  // namespace onnxport::lowering
