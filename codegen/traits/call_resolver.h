// `slice_scatter(base, part, dim, start, end, step)`: a call in terms of another call's arguments.
#ifndef ONNXPORT_CODEGEN_TRAITS_CALL_RESOLVER_H_
#define ONNXPORT_CODEGEN_TRAITS_CALL_RESOLVER_H_

#include <optional>
#include <string>

#include "codegen/model/spec.h"
#include "codegen/source/diagnostics.h"
#include "codegen/traits/resolve.h"
#include "runtime/aten/aten_schema.h"

namespace onnxport::codegen {

class CallResolver {
 public:
  // `view`: whose arguments the call may name. `has_part`: whether there is a `part`, the view's new value.
  CallResolver(const ir::AtenSchema& view, bool has_part, Diagnostics* diagnostics)
      : view_(view), has_part_(has_part), diagnostics_(diagnostics) {}

  // Nothing after reporting a mistake.
  std::optional<ResolvedCall> Resolve(const TraitTerm& expr);

 private:
  // Makes the value for the argument at `position` of `called` an operand of `call`.
  bool Bind(const TraitTerm& value, const ir::AtenSchema& called, int position, ResolvedCall* call);
  std::optional<op_traits::Operand> OperandOf(const TraitTerm& value);
  // `end(start, length)`, `sizes(base)`: words.h has them all.
  std::optional<op_traits::Operand> Function(const TraitTerm& value);
  // Its position in the view's schema; -1 after reporting that there is none.
  int8_t ViewArgument(const TraitTerm& name);
  bool Fail(const Place& place, std::string message);

  const ir::AtenSchema& view_;
  bool has_part_;
  Diagnostics* diagnostics_;
};

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_TRAITS_CALL_RESOLVER_H_
