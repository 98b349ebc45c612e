#include "runtime/lowering/bindings.h"

#include <utility>

#include "runtime/lowering/build/args.h"

namespace onnxport::lowering {

void Bindings::Bind(ir::ValueId id, Val value) {
  const auto index = static_cast<size_t>(id);
  if (index >= bound_.size()) {
    vals_.resize(index + 1);
    bound_.resize(index + 1);
  }
  vals_[index] = std::move(value);
  bound_[index] = true;
}

Val Bindings::Find(ir::ValueId id) const {
  const auto index = static_cast<size_t>(id);
  if (index >= bound_.size() || !bound_[index]) throw Refusal("an argument is used before it is computed");
  return vals_[index];
}

Val Bindings::ToVal(const ir::Arg& arg) const {
  return lowering::ToVal(arg, [this](ir::ValueId id) { return Find(id); });
}

}  // namespace onnxport::lowering
