// From what a spec writes (`Clip(x, min=0)`) to a node that the operator's schema allows.
#ifndef ONNXPORT_RUNTIME_LOWERING_DSL_PLACEMENT_H_
#define ONNXPORT_RUNTIME_LOWERING_DSL_PLACEMENT_H_

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "runtime/lowering/dsl/context.h"

namespace onnxport::lowering {

// Places the arguments as `Context::op` describes, casts as `compute_in` says, checks every dtype against the schema,
// converts the attributes and adds the node. Throws Refusal.
std::vector<ir::ValueId> EmitPlaced(Emitter* emitter, std::string_view op, std::span<const Input> inputs,
                                    std::span<const Named> named, size_t outputs);

// The result of the node `op` in the graph of the tensors among the operands; host operands become constants of their
// dtype.
Val EmitOn(std::string_view op, const Inputs& operands);

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_DSL_PLACEMENT_H_
