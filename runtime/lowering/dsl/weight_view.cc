// A weight whose bytes are viewed as another dtype.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "runtime/lowering/build/emitter.h"
#include "runtime/lowering/dsl/hooks.h"

namespace onnxport::lowering::hooks {
namespace {

using ir::TensorData;
using ir::ValueId;

// As in torch.Tensor.view(dtype), the last axis has more or fewer elements.
std::vector<int64_t> ShapeOfView(const TensorData& data, DType to) {
  std::vector<int64_t> shape = data.shape;
  const int64_t was = ir::ByteSize(data.dtype);
  const int64_t is = ir::ByteSize(to);
  if (was == is) return shape;
  if (shape.empty()) throw Refusal("a tensor without axes has no view of a dtype of another size");
  if (shape.back() * was % is != 0) {
    throw Refusal(
        fmt::format("{} elements of {} are no whole number of {}", shape.back(), ir::Name(data.dtype), ir::Name(to)));
  }
  shape.back() = shape.back() * was / is;
  return shape;
}

// Adds a weight with the same bytes, and a name that says how they are viewed. Two requests give the same weight.
// `weight` is in the graph's list, which moves when a weight is added, so that comes last.
ValueId AddView(ir::Graph* graph, const ir::Weight& weight, TensorData view) {
  for (const ir::Weight& other : graph->weights) {
    if (other.data->bytes == view.bytes && other.data->dtype == view.dtype && other.data->shape == view.shape)
      return other.value;
  }
  ir::Value type;
  type.kind = ir::ValueKind::kTensor;
  type.dtype = view.dtype;
  type.dims = ir::Dims(view.shape.begin(), view.shape.end());
  const ValueId id = graph->AddValue(std::move(type));
  const std::string name = weight.name.empty() ? "" : fmt::format("{}.{}", weight.name, ir::Name(view.dtype));
  graph->weights.push_back(
      {.value = id, .name = name, .data = std::make_shared<TensorData>(std::move(view)), .constant = weight.constant});
  return id;
}

}  // namespace

Vals view_weight(Context& context) {
  Emitter& emitter = context.emitter();
  const ValueId self = context.arg(0).AsTensor().id;
  const DType to = context.arg(1).AsDType();
  const auto data = emitter.facts().DataOf(self);
  if (data == nullptr)
    throw Refusal("a tensor that is no weight has views of dtypes of the same size only, from opset 26 on");
  if (ir::ByteSize(data->dtype) == 0 || ir::ByteSize(to) == 0)
    throw Refusal("a dtype whose elements have no bytes of their own");
  TensorData view = {to, ShapeOfView(*data, to), data->bytes};
  const auto weight = std::ranges::find(emitter.graph().weights, self, &ir::Weight::value);
  if (weight == emitter.graph().weights.end())  // a Constant node
    return {Tensor{&emitter, emitter.Constant(to, std::move(view.shape), ir::BytesOf(*data->bytes))}};
  const ValueId id = AddView(&emitter.graph(), *weight, std::move(view));
  emitter.facts().SetData(id, std::ranges::find(emitter.graph().weights, id, &ir::Weight::value)->data);
  return {Tensor{&emitter, id}};
}

}  // namespace onnxport::lowering::hooks
