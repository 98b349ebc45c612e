// Quantizes and dequantizes tensors, and returns their scale, zero point and integers.
#include <cstdint>
#include <optional>
#include <span>

#include "runtime/sources/torchscript/interpret/quantized/quantized.h"
#include "runtime/sources/torchscript/interpret/values/leaves.h"

namespace onnxport::torchscript {
namespace quantized_tensors {
namespace {

// c10::ScalarType of quantized tensors.
std::optional<ir::DType> IntegerType(const Value& dtype) {
  if (const auto* known = dtype.As<ir::DType>()) return *known;
  const auto* number = dtype.As<int64_t>();
  if (!number) return std::nullopt;
  switch (*number) {
    case 12:
      return ir::DType::kInt8;
    case 13:
      return ir::DType::kUInt8;
    case 14:
      return ir::DType::kInt32;
    default:
      return std::nullopt;
  }
}

int64_t ScalarTypeOf(ir::DType dtype) { return dtype == ir::DType::kInt8 ? 12 : dtype == ir::DType::kUInt8 ? 13 : 14; }

std::optional<Value> QuantizePerTensor(const CallSite& call) {
  if (call.size() != 4) return std::nullopt;
  const auto dtype = IntegerType(call.At(3));
  if (!dtype || !call.As<Tensor>(0))
    throw Refusal(onnxport::Code::kNoQuantizedForm, "only to qint8, quint8 and qint32, one tensor at a time");
  const char* overload = call.As<Tensor>(1) ? "aten::quantize_per_tensor.tensor_qparams" : "aten::quantize_per_tensor";
  const Value made = call.RunAll(overload, {LeafArg(call.At(0)), LeafArg(call.At(1)), LeafArg(call.At(2)), {*dtype}});
  return call.grids->Remember(made, {.dtype = *dtype, .scale = call.At(1), .zero_point = call.At(2)}, *call.tracer);
}

std::optional<Value> QuantizePerChannel(const CallSite& call) {
  if (call.size() != 5) return std::nullopt;
  const auto dtype = IntegerType(call.At(4));
  const auto* axis = call.As<int64_t>(3);
  if (!dtype || !axis)
    throw Refusal(onnxport::Code::kNoQuantizedForm, "only to qint8, quint8 and qint32, with a known axis");
  const Value made =
      call.RunAll(call.op, {LeafArg(call.At(0)), LeafArg(call.At(1)), LeafArg(call.At(2)), {*axis}, {*dtype}});
  return call.grids->Remember(made, {.dtype = *dtype, .scale = call.At(1), .zero_point = call.At(2), .axis = *axis},
                              *call.tracer);
}

// Returns another tensor, which is not quantized.
std::optional<Value> Dequantize(const CallSite& call) {
  if (call.size() != 1 || !call.grids->Of(call.At(0))) return std::nullopt;
  const Value plain = call.RunAll("aten::dequantize.self", {LeafArg(call.At(0))});
  return call.grids->Of(plain) ? call.RunAll("aten::alias", {LeafArg(call.At(0))}) : plain;
}

// ---- properties of one tensor

const Grid* GridOfOne(const CallSite& call) { return call.size() == 1 ? call.grids->Of(call.At(0)) : nullptr; }

template <Value Grid::* kPart>
std::optional<Value> Part(const CallSite& call) {
  const Grid* grid = GridOfOne(call);
  return grid ? std::optional(grid->*kPart) : std::nullopt;
}

std::optional<Value> Axis(const CallSite& call) {
  const Grid* grid = GridOfOne(call);
  return grid ? std::optional(Value{grid->axis}) : std::nullopt;
}

template <bool kAnswer>
std::optional<Value> Answer(const CallSite& call) {
  return GridOfOne(call) ? std::optional(Value{kAnswer}) : std::nullopt;
}

// The integers of the tensor, if they are whole bytes.
const Grid* WholeBytes(const CallSite& call) {
  const Grid* grid = GridOfOne(call);
  if (grid && grid->per_byte > 1) throw Refusal(onnxport::Code::kNoQuantizedForm, "is not exported of 4-bit elements");
  return grid;
}

std::optional<Value> DType(const CallSite& call) {
  const Grid* grid = WholeBytes(call);
  return grid ? std::optional(Value{ScalarTypeOf(grid->dtype)}) : std::nullopt;
}

std::optional<Value> ElementSize(const CallSite& call) {
  const Grid* grid = WholeBytes(call);
  return grid ? std::optional(Value{ir::ByteSize(grid->dtype)}) : std::nullopt;
}

std::optional<Value> Integers(const CallSite& call) {
  const Grid* grid = WholeBytes(call);
  if (!grid) return std::nullopt;
  if (grid->integers != ir::ValueId::kNone) return Value{Tensor{grid->integers}};
  const ir::Arg tensor = LeafArg(call.At(0));
  if (grid->axis < 0)
    return call.RunAll("qdq::int_repr", {tensor, LeafArg(grid->scale), LeafArg(grid->zero_point), {grid->dtype}});
  return call.RunAll("qdq::int_repr_per_channel",
                     {tensor, LeafArg(grid->scale), LeafArg(grid->zero_point), {grid->axis}, {grid->dtype}});
}

constexpr BuiltinRow kRows[] = {
    {"aten::quantize_per_tensor", QuantizePerTensor},
    {"aten::quantize_per_channel", QuantizePerChannel},
    {"aten::dequantize", Dequantize},
    {"aten::q_scale", Part<&Grid::scale>},
    {"aten::q_per_channel_scales", Part<&Grid::scale>},
    {"aten::q_zero_point", Part<&Grid::zero_point>},
    {"aten::q_per_channel_zero_points", Part<&Grid::zero_point>},
    {"aten::q_per_channel_axis", Axis},
    {"prim::is_quantized", Answer<true>},
    {"aten::is_floating_point", Answer<false>},
    {"prim::dtype", DType},
    {"prim::itemsize", ElementSize},
    {"aten::element_size", ElementSize},
    {"aten::int_repr", Integers},
};

}  // namespace
}  // namespace quantized_tensors

std::span<const BuiltinRow> QuantizedTensorBuiltins() { return quantized_tensors::kRows; }

}  // namespace onnxport::torchscript
