// Operators of ATen on quantized tensors.
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "runtime/aten/aten_schema.h"
#include "runtime/aten/op_traits.h"
#include "runtime/sources/torchscript/interpret/quantized/quantized.h"
#include "runtime/sources/torchscript/interpret/values/leaves.h"

namespace onnxport::torchscript {
namespace {

// Other operators pass their operands on: queries, lists, casts.
bool GivesTensors(const std::string& base_name) {
  const auto is_tensor = [](const ir::AtenArgument& result) { return result.type.kind == ir::AtenKind::kTensor; };
  return std::ranges::any_of(ir::OverloadsOf(base_name), [&](std::string_view overload) {
    const ir::AtenSchema* schema = ir::FindAtenSchema(overload);
    return schema && std::ranges::any_of(schema->results, is_tensor);
  });
}

// Rounds the values to the grid.
Value Requantize(const CallSite& call, const Value& value, const Grid& grid) {
  if (const auto* tuple = value.As<TuplePtr>()) {
    TupleValue made{{}, (*tuple)->type};
    for (const Value& item : (*tuple)->items) made.items.push_back(Requantize(call, item, grid));
    return {MakeOwned<const TupleValue>(std::move(made))};
  }
  if (!value.As<Tensor>() || call.tracer->IsFailed(value.As<Tensor>()->id)) return value;
  if (grid.axis >= 0)
    throw Refusal(onnxport::Code::kNoQuantizedForm, "an operator on a tensor that is quantized per channel");
  const Value made = call.RunAll("aten::quantize_per_tensor",
                                 {LeafArg(value), LeafArg(grid.scale), LeafArg(grid.zero_point), {grid.dtype}});
  return call.grids->Remember(made, grid, *call.tracer);
}

// The grid to which the operator's results are rounded.
Grid TargetOf(const op_traits::OpTraits& traits, const Grid& grid) {
  Grid target = grid;
  if (traits.quantized == op_traits::Quantized::kGrid) {
    target.scale = {traits.grid.scale};
    target.zero_point = {grid.dtype == ir::DType::kInt8 ? traits.grid.qint8_zero_point : traits.grid.quint8_zero_point};
  }
  return target;
}

}  // namespace

// `x.relu_()` is `x.copy_(relu(x))`, so the written values are on the grid.
Value CallOnGrid(const CallSite& call, const Grid& grid, const FloatCall& call_float) {
  if (call.size() == 1 && grid.per_byte > 1 && call.grids->Of(call.At(0)) != nullptr)
    throw Refusal(onnxport::Code::kNoQuantizedForm, "is not exported of 4-bit elements");
  const std::string& op = call.op;
  const bool in_place = op.ends_with('_') && !op.ends_with("__");
  const std::string name = in_place ? op.substr(0, op.size() - 1) : op;
  if (!GivesTensors(name)) return call_float(op, call.args, call.keywords);
  const op_traits::OpTraits& traits = op_traits::QuantizedTraitsOf(name);
  if (traits.quantized == op_traits::Quantized::kUnsupported)
    throw Refusal(onnxport::Code::kNoQuantizedForm, "is not supported on quantized tensors; dequantize before it");
  if (traits.quantized == op_traits::Quantized::kKept)
    return call.grids->Remember(call_float(op, call.args, call.keywords), grid, *call.tracer);
  const Grid target = TargetOf(traits, grid);
  const Value made = Requantize(call, call_float(name, call.args, call.keywords), target);
  if (!in_place) return made;
  return call.grids->Remember(call_float("aten::copy_", {call.At(0), made}, {}), target, *call.tracer);
}

}  // namespace onnxport::torchscript
