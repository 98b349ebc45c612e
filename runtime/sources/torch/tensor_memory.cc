#include "runtime/sources/torch/tensor_memory.h"

#include <ATen/core/Tensor.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "runtime/archive/strided.h"
#include "runtime/base/error.h"

namespace onnxport::torch_export {
namespace {

constexpr uint64_t kMostHeld = uint64_t{16} << 20;  // bytes of a tensor with strides, twice

class TensorMemory : public ir::TensorBytes {
 public:
  explicit TensorMemory(at::Tensor tensor) : tensor_(std::move(tensor)) {}

  void Stream(const ir::ByteSink& sink) const override {
    if (tensor_.numel() == 0) return;
    if (tensor_.is_contiguous()) {
      // In one piece, without a copy.
      return sink({static_cast<const std::byte*>(tensor_.const_data_ptr()), tensor_.nbytes()});
    }
    const archive::StridedView view = {.shape = tensor_.sizes().vec(),
                                       .strides = tensor_.strides().vec(),
                                       .first = static_cast<uint64_t>(tensor_.storage_offset()),
                                       .item = static_cast<uint64_t>(tensor_.itemsize())};
    // A transposed view, or every second element: in order of the view, 16 MiB at a time.
    const auto* memory = static_cast<const std::byte*>(tensor_.storage().data());
    archive::StreamInOrder(
        view, kMostHeld,
        [memory](uint64_t begin, std::span<std::byte> out) { std::memcpy(out.data(), memory + begin, out.size()); },
        sink);
  }
  const void* storage() const override { return tensor_.storage().unsafeGetStorageImpl(); }

 private:
  at::Tensor tensor_;
};

}  // namespace

std::optional<ir::DType> DTypeOf(at::ScalarType type) {
  using ir::DType;
  static constexpr std::pair<at::ScalarType, DType> kTypes[] = {
      {at::kFloat, DType::kFloat32},
      {at::kDouble, DType::kFloat64},
      {at::kHalf, DType::kFloat16},
      {at::kBFloat16, DType::kBFloat16},
      {at::kByte, DType::kUInt8},
      {at::kChar, DType::kInt8},
      {at::kShort, DType::kInt16},
      {at::kInt, DType::kInt32},
      {at::kLong, DType::kInt64},
      {at::kBool, DType::kBool},
      {at::kUInt16, DType::kUInt16},
      {at::kUInt32, DType::kUInt32},
      {at::kUInt64, DType::kUInt64},
      {at::kComplexFloat, DType::kComplex64},
      {at::kComplexDouble, DType::kComplex128},
      {at::kFloat8_e4m3fn, DType::kFloat8E4M3FN},
      {at::kFloat8_e4m3fnuz, DType::kFloat8E4M3FNUZ},
      {at::kFloat8_e5m2, DType::kFloat8E5M2},
      {at::kFloat8_e5m2fnuz, DType::kFloat8E5M2FNUZ},
      {at::kFloat8_e8m0fnu, DType::kFloat8E8M0},
  };
  const auto* found = std::ranges::find(kTypes, type, &std::pair<at::ScalarType, DType>::first);
  return found == std::end(kTypes) ? std::nullopt : std::optional(found->second);
}

ir::Value TypeOf(const at::Tensor& tensor) {
  const auto refuse = [&](const std::string& what) {
    throw Error(Code::kNoOnnxType, fmt::format("a tensor of {}: ONNX has no word for it", what));
  };
  if (tensor.layout() != at::kStrided) refuse("another layout than strided");
  const std::optional<ir::DType> dtype = DTypeOf(tensor.scalar_type());
  if (!dtype) refuse(std::string("dtype ") + c10::toString(tensor.scalar_type()));
  ir::Value type;
  type.dtype = *dtype;
  type.dims.emplace(tensor.sizes().begin(), tensor.sizes().end());
  type.strides.emplace(tensor.strides().begin(), tensor.strides().end());
  return type;
}

std::shared_ptr<const ir::TensorData> DataOf(const at::Tensor& tensor) {
  if (tensor.is_meta()) {
    return ir::MakeAbsent(TypeOf(tensor).dtype, tensor.sizes().vec(), tensor.storage().unsafeGetStorageImpl(),
                          "the value of a weight is needed, which is on the meta device");
  }
  if (!tensor.device().is_cpu()) {
    throw Error(ErrorKind::kCannotExport,
                fmt::format("a weight is on the device '{}': move the module to the CPU", tensor.device().str()));
  }
  if (tensor.is_conj() || tensor.is_neg()) {
    throw Error(ErrorKind::kCannotExport,
                "a weight is conjugated or negated when it is read: call .resolve_conj() "
                "or .resolve_neg() on it");
  }
  auto data = std::make_shared<ir::TensorData>();
  data->dtype = TypeOf(tensor).dtype;
  data->shape = tensor.sizes().vec();
  data->bytes = std::make_shared<TensorMemory>(tensor.detach());
  return data;
}

}  // namespace onnxport::torch_export
