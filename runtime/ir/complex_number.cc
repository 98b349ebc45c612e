#include "runtime/ir/complex_number.h"

#include <array>
#include <cstring>
#include <span>
#include <string>

namespace onnxport::ir {
namespace {

template <typename T>
std::shared_ptr<const TensorData> Make(DType dtype, const std::array<double, 2>& parts) {
  const std::array<T, 2> cast = {static_cast<T>(parts[0]), static_cast<T>(parts[1])};
  std::string bytes(sizeof cast, '\0');
  std::memcpy(bytes.data(), cast.data(), sizeof cast);
  return MakeTensor(dtype, {}, std::move(bytes));
}

}  // namespace

Arg ComplexNumber(double real, double imaginary) { return {Make<double>(DType::kComplex128, {real, imaginary})}; }

std::shared_ptr<const TensorData> WithDType(const TensorData& number, DType dtype) {
  const std::string bytes = BytesOf(*number.bytes);
  std::array<double, 2> parts;
  std::memcpy(parts.data(), bytes.data(), sizeof parts);
  return dtype == DType::kComplex64 ? Make<float>(dtype, parts) : Make<double>(DType::kComplex128, parts);
}

}  // namespace onnxport::ir
