// Sets of element types.
#ifndef ONNXPORT_RUNTIME_IR_DTYPE_SET_H_
#define ONNXPORT_RUNTIME_IR_DTYPE_SET_H_

#include <bit>
#include <cstdint>
#include <initializer_list>
#include <string>

#include "runtime/ir/dtype.h"

namespace onnxport::ir {

class DTypeSet {
 public:
  constexpr DTypeSet() = default;
  constexpr DTypeSet(std::initializer_list<DType> dtypes) {
    for (const DType dtype : dtypes) Add(dtype);
  }

  constexpr void Add(DType dtype) { bits_ |= Bit(dtype); }
  constexpr bool Has(DType dtype) const { return (bits_ & Bit(dtype)) != 0; }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr bool single() const { return std::has_single_bit(bits_); }
  // The type with the lowest number; kUndefined if the set is empty.
  constexpr DType first() const { return empty() ? DType::kUndefined : static_cast<DType>(std::countr_zero(bits_)); }

  friend constexpr DTypeSet operator&(DTypeSet a, DTypeSet b) { return DTypeSet(a.bits_ & b.bits_); }
  friend constexpr DTypeSet operator|(DTypeSet a, DTypeSet b) { return DTypeSet(a.bits_ | b.bits_); }
  friend constexpr DTypeSet operator-(DTypeSet a, DTypeSet b) { return DTypeSet(a.bits_ & ~b.bits_); }
  friend constexpr bool operator==(DTypeSet, DTypeSet) = default;

  // "float32, int64", in the order of the types' numbers.
  std::string ToString() const;

 private:
  constexpr explicit DTypeSet(uint32_t bits) : bits_(bits) {}
  static constexpr uint32_t Bit(DType dtype) { return uint32_t{1} << static_cast<int>(dtype); }
  uint32_t bits_ = 0;  // bit n: the type with number n
};

}  // namespace onnxport::ir

#endif  // ONNXPORT_RUNTIME_IR_DTYPE_SET_H_
