#include "runtime/verify/program/torch_values.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/dequantize.h>
#include <ATen/ops/from_blob.h>
#include <c10/core/TensorOptions.h>

#include <map>
#include <string>

#include "runtime/base/refusal.h"

namespace onnxport::verify {
namespace {

using ir::DType;

const std::map<DType, at::ScalarType>& ScalarTypes() {
  static const std::map<DType, at::ScalarType> types = {
      {DType::kFloat32, at::kFloat},
      {DType::kFloat64, at::kDouble},
      {DType::kFloat16, at::kHalf},
      {DType::kBFloat16, at::kBFloat16},
      {DType::kUInt8, at::kByte},
      {DType::kInt8, at::kChar},
      {DType::kInt16, at::kShort},
      {DType::kInt32, at::kInt},
      {DType::kInt64, at::kLong},
      {DType::kBool, at::kBool},
      {DType::kComplex64, at::kComplexFloat},
      {DType::kComplex128, at::kComplexDouble},
      {DType::kUInt16, at::kUInt16},
      {DType::kUInt32, at::kUInt32},
      {DType::kUInt64, at::kUInt64},
      {DType::kFloat8E4M3FN, at::kFloat8_e4m3fn},
      {DType::kFloat8E5M2, at::kFloat8_e5m2},
      {DType::kFloat8E8M0, at::kFloat8_e8m0fnu},
  };
  return types;
}

DType DTypeOf(at::ScalarType type) {
  for (const auto& [dtype, scalar_type] : ScalarTypes()) {
    if (scalar_type == type) return dtype;
  }
  throw Refusal(std::string("no ONNX dtype for ") + c10::toString(type));
}

}  // namespace

at::ScalarType ScalarTypeOf(DType dtype) {
  const auto type = ScalarTypes().find(dtype);
  if (type == ScalarTypes().end()) throw Refusal("no tensors of " + std::string(ir::Name(dtype)));
  return type->second;
}

at::Tensor ToTorch(const ort::Tensor& tensor) {
  // A copy, because the program may write to its inputs and ONNX Runtime gets the same ones afterwards.
  auto* data = const_cast<char*>(tensor.bytes.data());  // from_blob does not write; the clone owns its memory
  return at::from_blob(data, tensor.shape, at::TensorOptions().dtype(ScalarTypeOf(tensor.dtype))).clone();
}

ort::Tensor FromTorch(const at::Tensor& tensor) {
  const at::Tensor plain = tensor.is_quantized() ? at::dequantize(tensor) : tensor;
  // A conjugate or negated view is only marked so; without resolving it the bytes would be those of the base.
  const at::Tensor dense = plain.detach().resolve_conj().resolve_neg().contiguous();
  return {.name = {},
          .dtype = DTypeOf(dense.scalar_type()),
          .shape = dense.sizes().vec(),
          .bytes = std::string(static_cast<const char*>(dense.const_data_ptr()), dense.nbytes())};
}

}  // namespace onnxport::verify
