#include "runtime/lowering/types/operator_forms.h"

#include <onnx/defs/operator_sets.h>

#include <algorithm>
#include <iterator>
#include <tuple>

namespace onnxport::lowering {
namespace {

#define ONNXPORT_FORM(name, since) \
  {#name, since, &onnx::GetOpSchema<onnx::ONNX_OPERATOR_SET_SCHEMA_CLASS_NAME(Onnx, since, name)>},

constexpr OperatorForm kForms[] = {
#include "runtime/lowering/types/operator_forms.inc"  // made from ONNX's list of its operators
};

#undef ONNXPORT_FORM

constexpr bool Before(const OperatorForm& a, const OperatorForm& b) {
  return std::tie(a.name, a.since) < std::tie(b.name, b.since);
}
static_assert(std::ranges::is_sorted(kForms, Before));

}  // namespace

std::span<const OperatorForm> OperatorForms() { return kForms; }

// Squeeze has forms of opsets 1, 11 and 13. For 12, the first newer form is that of 13, and the one before it is right.
// A deprecated form is found, too: OpInfo says so.
const OperatorForm* FindForm(std::string_view name, int opset) {
  const OperatorForm* after = std::ranges::upper_bound(kForms, OperatorForm{name, opset}, Before);
  if (after == std::begin(kForms)) return nullptr;
  const OperatorForm* form = std::prev(after);
  return form->name == name ? form : nullptr;
}

}  // namespace onnxport::lowering
