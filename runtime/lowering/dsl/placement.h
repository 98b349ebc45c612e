// Turns a node as a spec writes it (`Clip(x, min=0)`) into one that the operator's schema allows.
#ifndef ONNXPORT_RUNTIME_LOWERING_DSL_PLACEMENT_H_
#define ONNXPORT_RUNTIME_LOWERING_DSL_PLACEMENT_H_

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "runtime/lowering/dsl/context.h"

namespace onnxport::lowering {

// Places the arguments as `Context::op` describes and casts as `compute_in` says. Checks every dtype against the
// schema, converts the attributes and adds the node. Throws Refusal.
std::vector<ir::ValueId> EmitPlaced(Emitter* emitter, std::string_view op, std::span<const Input> inputs,
                                    std::span<const Named> named, size_t outputs);

// Adds the node `op` to the graph of the tensor operands, and returns its result. Host operands become constants of
// their dtype.
Val EmitOn(std::string_view op, const Inputs& operands);

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_DSL_PLACEMENT_H_
