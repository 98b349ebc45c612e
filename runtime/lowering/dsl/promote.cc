// PyTorch's type promotion.
// Source: aten/src/ATen/native/TypeProperties.cpp `result_type`, c10/core/ScalarType.h `promoteTypes`.
#include <fmt/format.h>

#include "runtime/lowering/build/constants.h"
#include "runtime/lowering/build/emitter.h"
#include "runtime/lowering/build/tensor.h"
#include "runtime/lowering/dsl/context.h"

namespace onnxport::lowering {
namespace {

// The dtypes seen, by category.
struct Seen {
  DType tensors = DType::kUndefined;  // with dimensions
  DType scalars = DType::kUndefined;  // 0-d tensors
  DType numbers = DType::kUndefined;  // of the program
};

DType Join(DType a, DType b) {
  if (a == DType::kUndefined) return b;
  if (b == DType::kUndefined) return a;
  const DType joined = ir::Promote(a, b);
  if (joined == DType::kUndefined) {
    throw Refusal(Code::kDTypeIsNotTaken,
                  fmt::format("PyTorch has no common dtype for {} and {}", ir::Name(a), ir::Name(b)));
  }
  return joined;
}

// The lighter category only raises the kind (bool, int, float, complex) of the heavier one.
DType Combine(DType heavy, DType light) {
  if (heavy == DType::kUndefined) return light;
  if (light == DType::kUndefined || ir::IsComplex(heavy)) return heavy;
  if (ir::IsFloat(heavy)) {
    if (!ir::IsComplex(light)) return heavy;
    return heavy == DType::kFloat64 ? DType::kComplex128 : DType::kComplex64;
  }
  if (heavy == DType::kBool || ir::IsFloat(light) || ir::IsComplex(light)) return Join(heavy, light);
  return heavy;
}

void Add(const Val& value, Seen* seen) {
  if (value.is_number()) {
    seen->numbers = Join(seen->numbers, DefaultDType(value));
  } else if (value.is_tensor()) {
    const Tensor tensor = value.AsTensor();
    const DType dtype = ValueOf(tensor).dtype;
    if (tensor.emitter->facts().IsNumber(tensor.id)) {
      // A number of the program that is known only at run time: float64 then stands for PyTorch's default float.
      seen->numbers = Join(seen->numbers, dtype == DType::kFloat64 ? DType::kFloat32 : dtype);
    } else {
      DType& category = IsScalar(tensor) ? seen->scalars : seen->tensors;
      category = Join(category, dtype);
    }
  } else if (value.is_list()) {
    for (const Val& element : value.AsList()) Add(element, seen);
  } else if (!value.is_none()) {
    throw Refusal(fmt::format("{} takes no part in type promotion", value.ToString()));
  }
}

// Wraps an integer into the range of a dtype, as PyTorch does: -2 is 254 in uint8.
Val Wrapped(const Val& value, DType dtype) {
  if (!value.is_int() || !ir::IsInt(dtype) || ir::ByteSize(dtype) >= 8) return value;
  const int64_t span = int64_t{1} << (ir::ByteSize(dtype) * 8);
  const int64_t rest = ((value.AsInt() % span) + span) % span;
  return !ir::IsUnsigned(dtype) && rest >= span / 2 ? rest - span : rest;
}

}  // namespace

void Context::promote(std::initializer_list<Val*> values, PromoteKind kind) {
  Seen seen;
  bool tensors = false;
  for (const Val* value : values) {
    Add(*value, &seen);
    tensors = tensors || !is_static(*value);
  }
  DType result = Combine(seen.tensors, Combine(seen.scalars, seen.numbers));
  if (result == DType::kUndefined) return;
  if (kind == PromoteKind::kFloat && !ir::IsFloat(result) && !ir::IsComplex(result)) result = DType::kFloat32;
  for (Val* value : values) {
    if (tensors || kind == PromoteKind::kFloat) *value = Wrapped(cast(*value, result), result);
  }
}

}  // namespace onnxport::lowering
