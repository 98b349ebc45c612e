// Questions about dtypes: promotion, casting, what a tensor holds.
#include "runtime/ir/scalar_type.h"
#include "runtime/sources/torchscript/interpret/builtins/call_site.h"

namespace onnxport::torchscript {
namespace dtypes {
namespace {

using ir::DType;

DType DTypeOf(const ir::Value& type) {
  if (type.dtype == DType::kUndefined) throw Refusal("the dtype of the tensor is not known");
  return type.dtype;
}

std::optional<Value> DTypeNumber(const CallSite& call) {
  const ir::Value* type = TypeOfTensor(call);
  return type == nullptr ? std::nullopt : std::optional<Value>(Value{ir::ScalarTypeOf(DTypeOf(*type))});
}

template <bool (*F)(DType)>
std::optional<Value> HasDType(const CallSite& call) {
  const ir::Value* type = TypeOfTensor(call);
  return type == nullptr ? std::nullopt : std::optional<Value>(Value{F(DTypeOf(*type))});
}

bool IsSigned(DType dtype) { return dtype != DType::kBool && !ir::IsUnsigned(dtype); }

std::optional<Value> ElementSize(const CallSite& call) {
  const ir::Value* type = TypeOfTensor(call);
  return type == nullptr ? std::nullopt : std::optional<Value>(Value{ir::ByteSize(DTypeOf(*type))});
}

DType DTypeArg(const CallSite& call, size_t i) {
  const std::optional<DType> dtype = ir::DTypeOfScalarType(call.Int(i));
  if (!dtype) throw Refusal("dtype " + std::to_string(call.Int(i)) + " has no ONNX type");
  return *dtype;
}

std::optional<Value> PromoteTypes(const CallSite& call) {
  return Value{ir::ScalarTypeOf(ir::Promote(DTypeArg(call, 0), DTypeArg(call, 1)))};
}

// torch.can_cast: not from complex to real, from float to int, or from anything to bool.
std::optional<Value> CanCast(const CallSite& call) {
  const DType from = DTypeArg(call, 0), to = DTypeArg(call, 1);
  if (ir::IsComplex(from) && !ir::IsComplex(to)) return Value{false};
  if (ir::IsFloat(from) && ir::IsInt(to)) return Value{false};
  return Value{from == DType::kBool || to != DType::kBool};
}

DType PromoteKnown(DType a, DType b) {
  if (a == DType::kUndefined) return b;
  return b == DType::kUndefined ? a : ir::Promote(a, b);
}

// Tensors with axes have priority over those without, and these over numbers. The lower priority only wins with a
// higher category.
DType Combine(DType higher, DType lower) {
  if (higher == DType::kUndefined || ir::IsComplex(higher)) return higher == DType::kUndefined ? lower : higher;
  if (ir::IsFloat(higher)) return ir::IsComplex(lower) ? ir::Promote(higher, lower) : higher;
  if (higher == DType::kBool || ir::IsFloat(lower) || ir::IsComplex(lower)) return PromoteKnown(higher, lower);
  return higher;
}

DType NumberDType(const CallSite& call, const Value& number) {
  if (const auto* run = number.As<Number>()) {
    const ir::ValueKind kind = call.tracer->TypeOf(run->id).kind;
    return kind == ir::ValueKind::kFloat  ? DType::kFloat32
           : kind == ir::ValueKind::kBool ? DType::kBool
                                          : DType::kInt64;
  }
  return number.As<double>() != nullptr ? DType::kFloat32 : number.As<bool>() != nullptr ? DType::kBool : DType::kInt64;
}

std::optional<Value> ResultType(const CallSite& call) {
  DType with_axes = DType::kUndefined, without_axes = DType::kUndefined, numbers = DType::kUndefined;
  for (size_t i = 0; i < 2; ++i) {
    const ir::Value* type = TypeOfTensor(call, i);
    if (type == nullptr) {
      if (!IsNumber(call.At(i))) return std::nullopt;
      numbers = PromoteKnown(numbers, NumberDType(call, call.At(i)));
    } else if (!type->dims) {
      throw Refusal("the rank of the tensor is not known");
    } else {
      DType& level = type->dims->empty() ? without_axes : with_axes;
      level = PromoteKnown(level, DTypeOf(*type));
    }
  }
  return Value{ir::ScalarTypeOf(Combine(with_axes, Combine(without_axes, numbers)))};
}

constexpr BuiltinRow kRows[] = {
    {"prim::dtype", DTypeNumber},
    {"prim::itemsize", ElementSize},
    {"aten::element_size", ElementSize},
    {"aten::is_floating_point", HasDType<ir::IsFloat>},
    {"aten::is_complex", HasDType<ir::IsComplex>},
    {"aten::is_signed", HasDType<IsSigned>},
    {"aten::promote_types", PromoteTypes},
    {"aten::can_cast", CanCast},
    {"aten::result_type", ResultType},
};

}  // namespace
}  // namespace dtypes

std::span<const BuiltinRow> DTypeBuiltins() { return dtypes::kRows; }

}  // namespace onnxport::torchscript
