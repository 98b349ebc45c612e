// Internal to host_ops: an instruction with its operands, and the rule that computes each.
#ifndef ONNXPORT_RUNTIME_LOWERING_HOST_HOST_RULES_H_
#define ONNXPORT_RUNTIME_LOWERING_HOST_HOST_RULES_H_

#include <algorithm>
#include <span>

#include "runtime/ir/instruction.h"
#include "runtime/lowering/dsl/context.h"

namespace onnxport::lowering {

// Operands computed at run time are 0-d tensors.
struct Host {
  Context& context;
  const Vals& args;

  const Val& a() const { return At(0); }
  const Val& b() const { return At(1); }
  const Val& At(size_t i) const { return args.at(i); }
  bool computed() const {
    return std::ranges::any_of(args, [](const Val& v) { return v.is_tensor(); });
  }
};

struct HostRule {
  ir::Instruction instruction;
  Val (*compute)(const Host&);
};

// Rules for numbers, sizes and bools.
std::span<const HostRule> NumberRules();
// Rules for lists of tensors whose length is known only at run time.
std::span<const HostRule> SequenceRules();
// Rules for tensors.
std::span<const HostRule> TensorRules();

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_HOST_HOST_RULES_H_
