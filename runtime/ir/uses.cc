#include "runtime/ir/uses.h"

#include <algorithm>

namespace onnxport::ir {

void Uses::Add(const Arg& arg) {
  if (const ValueId* id = arg.value()) used_[static_cast<size_t>(*id)] = true;
  if (arg.list() != nullptr) Add(*arg.list());
}

void Uses::Add(const std::vector<Arg>& args) {
  for (const Arg& arg : args) Add(arg);
}

bool Uses::Any(std::span<const ValueId> values) const {
  return std::ranges::any_of(values, [&](ValueId id) { return Has(id); });
}

}  // namespace onnxport::ir
