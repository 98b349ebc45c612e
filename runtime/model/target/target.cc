#include "runtime/model/target/target.h"

#include <algorithm>

namespace onnxport::target {

const Target* FindTarget(std::string_view name) {
  const auto found = std::ranges::find(Targets(), name, &Target::name);
  return found == Targets().end() ? nullptr : &*found;
}

const Form* FindForm(const Target& target, std::string_view op, int opset) {
  const Form* found = nullptr;
  for (const Form& form : std::ranges::equal_range(target.forms, op, {}, &Form::op)) {
    if (form.since <= opset) found = &form;
  }
  return found == nullptr || !found->present ? nullptr : found;
}

}  // namespace onnxport::target
