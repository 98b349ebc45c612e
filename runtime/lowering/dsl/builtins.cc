// Builtins of the spec language that query or make tensors.
#include "runtime/lowering/dsl/builtins.h"

#include <fmt/format.h>

#include <cmath>

#include "runtime/lowering/build/constants.h"
#include "runtime/lowering/build/emitter.h"
#include "runtime/lowering/build/tensor.h"

namespace onnxport::lowering {
namespace {

// A number counts as a 0-d tensor, so entries need no case for `torch.add(x, 2)`.
const ir::Dims& DimsOf(const Val& tensor) {
  static const ir::Dims kScalar;
  if (tensor.is_number()) return kScalar;
  const ir::Value& value = ValueOf(tensor.AsTensor());
  if (value.kind == ir::ValueKind::kSequence) {
    throw Refusal(fmt::format("{} where a tensor is needed", tensor.ToString()));
  }
  if (!value.dims)
    throw Refusal(Code::kTypeIsNotKnown,
                  fmt::format("the rank of {} is not known; the file of torch.export states it", tensor.ToString()));
  return *value.dims;
}

Val DimAt(const Val& tensor, size_t axis) {
  const ir::Dim& dim = DimsOf(tensor)[axis];
  if (dim.is_number()) return dim.number();
  const Tensor t = tensor.AsTensor();
  return Tensor{t.emitter, t.emitter->sizes().Dimension(t.id, axis)};
}

size_t Axis(const Val& axis, const Val& tensor) {
  return static_cast<size_t>(normal_axis(axis, Val(DimsOf(tensor).size())).AsInt());
}

bool TestDType(const Val& value, bool (*test)(DType)) {
  if (value.is_none()) return false;
  return test(value.is_dtype() ? value.AsDType() : dtype(value).AsDType());
}

}  // namespace

Val rank(const Val& tensor) { return DimsOf(tensor).size(); }

Val dim(const Val& tensor, const Val& axis) {
  if (DimsOf(tensor).empty()) {
    throw Refusal(Code::kIndexIsOutside, fmt::format("{} has no dimension {}", tensor.ToString(), axis.ToString()));
  }
  return DimAt(tensor, Axis(axis, tensor));
}

Val dims(const Val& tensor) {
  Vals out;
  for (size_t i = 0; i < DimsOf(tensor).size(); ++i) out.push_back(DimAt(tensor, i));
  return out;
}

Val static_dims(const Val& tensor) {
  Vals out;
  for (const ir::Dim& dim : DimsOf(tensor)) {
    if (!dim.is_number()) {
      throw Refusal(fmt::format("the sizes of {} must be fixed here; {} is free", tensor.ToString(), dim.ToString()));
    }
    out.push_back(dim.number());
  }
  return out;
}

Val numel(const Val& tensor) { return product(dims(tensor)); }

Val dtype(const Val& value) {
  if (value.is_tensor()) return ValueOf(value.AsTensor()).dtype;
  if (value.is_number()) return DefaultDType(value);
  throw Refusal(Code::kTypeIsNotKnown, fmt::format("{} has no dtype", value.ToString()));
}

bool is_static(const Val& value) {
  if (value.is_tensor()) return false;
  if (!value.is_list()) return true;
  for (const Val& element : value.AsList()) {
    if (!is_static(element)) return false;
  }
  return true;
}

bool present(const Val& value) { return !value.is_none(); }

bool is_int(const Val& value) { return TestDType(value, ir::IsInt); }
bool is_float(const Val& value) { return TestDType(value, ir::IsFloat); }
bool is_bool(const Val& value) {
  return TestDType(value, [](DType dtype) { return dtype == DType::kBool; });
}
bool is_complex(const Val& value) { return TestDType(value, ir::IsComplex); }

bool is_sequence(const Val& value) {
  return value.is_tensor() && ValueOf(value.AsTensor()).kind == ir::ValueKind::kSequence;
}

Val cast(const Val& value, const Val& to) {
  if (value.is_text() || value.is_dtype())
    throw Refusal(fmt::format("{} cannot become {}", value.ToString(), to.ToString()));
  if (to.is_none()) return value;
  const DType target = to.is_dtype() ? to.AsDType() : dtype(to).AsDType();
  if (value.is_none()) return value;
  if (value.is_list()) return Map(value, [&](const Val& element) { return cast(element, target); });
  if (value.is_tensor()) {
    const Tensor t = value.AsTensor();
    return Tensor{t.emitter, t.emitter->Cast(t.id, target)};
  }
  if (target == DType::kBool) return static_cast<bool>(value);
  if (ir::IsInt(target)) return to_int(value);
  if (ir::IsFloat(target) || ir::IsComplex(target)) return value.AsFloat();
  throw Refusal(fmt::format("{} cannot become {}", value.ToString(), ir::Name(target)));
}

Val as_complex(const Val& parts) {
  const Tensor t = parts.AsTensor();
  return Tensor{t.emitter, t.emitter->AsComplex(t.id)};
}

Val as_real(const Val& complex) {
  const Tensor t = complex.AsTensor();
  return Tensor{t.emitter, t.emitter->PartsOf(t.id)};
}

LazyVal::LazyVal(Emitter* emitter) : blocks_(emitter->blocks()) {}

const Val& LazyVal::Get(FunctionRef<Val()> compute) {
  // Computed on first use, so no unused node is left. A value made within a branch is unknown outside and must be
  // computed again there. A value made at the top is known everywhere.
  if (!block_ || (*block_ != 0 && !blocks_.IsOpen(*block_))) {
    value_ = compute();
    block_ = blocks_.innermost();
  }
  return value_;
}

Val to_int(const Val& number) {
  if (number.is_tensor()) return cast(number, DType::kInt64);
  // Towards zero, like Python's int() and ONNX's Cast.
  if (number.is_float()) return floor(abs(number)) * (number.AsFloat() < 0 ? -1 : 1);
  return number.AsInt();
}

Val to_float(const Val& number) {
  if (number.is_tensor()) return is_float(number) ? number : cast(number, DType::kFloat32);
  if (number.is_text()) {
    if (number.AsText() == "inf") return HUGE_VAL;
    if (number.AsText() == "-inf") return -HUGE_VAL;
  }
  return number.AsFloat();
}

}  // namespace onnxport::lowering
