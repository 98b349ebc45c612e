#include "runtime/lowering/reshape_target.h"

#include <algorithm>
#include <string_view>

#include "runtime/lowering/emitter.h"
#include "runtime/lowering/tensor.h"

namespace onnxport::lowering {
namespace {

bool IsPositive(const ir::Dim& size, const Emitter& emitter) {
  const ir::Range range = TrustedBounds(size, emitter);
  return range.min && *range.min > 0;
}

}  // namespace

void SimplifyReshapeTarget(Vals* inputs, const NamedArgs& attributes) {
  if (inputs->size() < 2 || !(*inputs)[0].is_tensor() || !(*inputs)[1].is_list() || is_static((*inputs)[1])) return;
  if (std::ranges::any_of(attributes, [](const Named& attr) { return std::string_view(attr.name) == "allowzero"; }))
    return;
  const Tensor x = (*inputs)[0].AsTensor();
  const Emitter& emitter = x.context->emitter();
  const auto& dims = ValueOf(x).dims;
  Vals sizes = (*inputs)[1].AsList();
  std::vector<size_t> computed;
  bool others_positive = true;  // so that -1 is decided
  for (size_t i = 0; i < sizes.size(); ++i) {
    const auto size = SizeOf(sizes[i]);
    if (!sizes[i].is_tensor()) {
      others_positive = others_positive && size && size->is_number() && size->number() > 0;
    } else if (size && dims && i < dims->size() && *size == (*dims)[i]) {
      others_positive = others_positive && IsPositive(*size, emitter);
      sizes[i] = 0;
    } else {
      computed.push_back(i);
    }
  }
  if (computed.size() == 1 && others_positive) sizes[computed[0]] = -1;
  (*inputs)[1] = std::move(sizes);
}

}  // namespace onnxport::lowering
