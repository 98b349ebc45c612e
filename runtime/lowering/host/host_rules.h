// Internal to host_ops: one call of a host operator, and the tables of them.
#ifndef ONNXPORT_RUNTIME_LOWERING_HOST_HOST_RULES_H_
#define ONNXPORT_RUNTIME_LOWERING_HOST_HOST_RULES_H_

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "runtime/lowering/dsl/context.h"

namespace onnxport::lowering {

// Operands that a run computes are 0-d tensors.
struct Host {
  Context& context;
  const Vals& args;

  const Val& a() const { return At(0); }
  const Val& b() const { return At(1); }
  const Val& At(size_t i) const {
    if (i >= args.size()) throw Refusal(fmt::format("operand {} is missing", i));
    return args[i];
  }
  bool computed() const {
    return std::ranges::any_of(args, [](const Val& v) { return v.is_tensor(); });
  }
};

using HostRule = Val (*)(const Host&);
using HostRules = std::unordered_map<std::string_view, HostRule>;

// On numbers, sizes and bools.
const HostRules& NumberRules();
// On lists of tensors whose length only a run knows.
const HostRules& SequenceRules();
// On tensors.
const HostRules& TensorRules();

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_HOST_HOST_RULES_H_
