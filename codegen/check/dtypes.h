// Sets of element types.
#ifndef ONNXPORT_CODEGEN_CHECK_DTYPES_H_
#define ONNXPORT_CODEGEN_CHECK_DTYPES_H_

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "runtime/ir/dtype.h"

namespace onnxport::codegen {

// Bit n: the type with number n of ir::DType.
class DTypes {
 public:
  constexpr DTypes() = default;
  constexpr DTypes(std::initializer_list<ir::DType> types) {
    for (ir::DType type : types) bits_ |= Bit(type);
  }

  constexpr bool empty() const { return bits_ == 0; }
  constexpr bool Has(ir::DType type) const { return (bits_ & Bit(type)) != 0; }
  constexpr void Add(ir::DType type) { bits_ |= Bit(type); }

  friend constexpr DTypes operator&(DTypes a, DTypes b) { return DTypes(a.bits_ & b.bits_); }
  friend constexpr DTypes operator|(DTypes a, DTypes b) { return DTypes(a.bits_ | b.bits_); }
  friend constexpr DTypes operator-(DTypes a, DTypes b) { return DTypes(a.bits_ & ~b.bits_); }
  friend constexpr bool operator==(DTypes, DTypes) = default;

  // "{float32, int64}", in the order of the types' numbers.
  std::string ToString() const;

 private:
  constexpr explicit DTypes(uint32_t bits) : bits_(bits) {}
  static constexpr uint32_t Bit(ir::DType type) { return uint32_t{1} << static_cast<int>(type); }
  uint32_t bits_ = 0;
};

inline constexpr DTypes kFloatTypes = {ir::DType::kFloat16, ir::DType::kBFloat16, ir::DType::kFloat32,
                                       ir::DType::kFloat64};
inline constexpr DTypes kIntTypes = {ir::DType::kUInt8, ir::DType::kInt8, ir::DType::kInt16, ir::DType::kInt32,
                                     ir::DType::kInt64};
inline constexpr DTypes kBoolType = {ir::DType::kBool};
inline constexpr DTypes kComplexTypes = {ir::DType::kComplex64, ir::DType::kComplex128};
// What a tensor of a PyTorch program may have, quantized and complex ones aside.
inline constexpr DTypes kTensorTypes = kFloatTypes | kIntTypes | kBoolType;

// The classes of `compute_in` and of the support table: "int", "half", "bool", "double", "float"; empty for another
// word.
DTypes TypesOfClass(std::string_view word);

// The dtypes of which every value is one of `to`, exactly.
DTypes HeldBy(ir::DType to);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_CHECK_DTYPES_H_
