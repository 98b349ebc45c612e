// The set of values that an expression of the spec language may have, as far as it is known at build time.
#ifndef ONNXPORT_CODEGEN_CHECK_KIND_H_
#define ONNXPORT_CODEGEN_CHECK_KIND_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "codegen/check/dtypes.h"
#include "codegen/model/expr.h"
#include "runtime/aten/aten_schema.h"
#include "runtime/lowering/dsl/kinds.h"

namespace onnxport::codegen {

// A set of possible values. `x: weight if present(weight) else 1` is kTensor | kInt with all dtypes. A set may be too
// large: then fewer mistakes are found, but no false ones. So two branches are joined, and only a condition makes a set
// smaller.
struct Kind {
  using enum lowering::kinds::Bit;

  uint16_t bits = 0;
  ir::DTypeSet dtypes = {};             // of tensors
  std::shared_ptr<const Kind> element;  // of lists; null: unknown
  std::vector<Kind> items;              // of lists of known length with elements of different kinds; may be empty

  // An expression that never returns (`refuse(...)`) fits everywhere, but it is not None.
  bool May(uint16_t which) const { return (bits & which) != 0 || (bits == 0 && which != kNone); }
  bool Only(uint16_t which) const { return bits != 0 && (bits & ~which) == 0; }
  // True if the kind is anything, after a mistake, or if there is no value, because the call is refused.
  bool unknown() const { return bits == kAnything || bits == 0; }
  Kind Without(uint16_t which) const;
  Kind Element() const;  // Anything when unknown
};

Kind Of(uint16_t bits);
Kind AnyKind();
Kind TensorKind(ir::DTypeSet dtypes);
Kind ListOf(Kind element);
Kind ItemsOf(std::vector<Kind> items);
Kind Join(const Kind& a, const Kind& b);
bool Same(const Kind& a, const Kind& b);
Kind KindOfLiteral(const Expr& literal);
Kind KindOfArgument(const ir::AtenType& type);

// "a tensor", "an int or None", "a list of int": for messages.
std::string ToText(const Kind& kind);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_CHECK_KIND_H_
