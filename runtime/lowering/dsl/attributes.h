// Attribute values as the operator schemas want them.
#ifndef ONNXPORT_RUNTIME_LOWERING_DSL_ATTRIBUTES_H_
#define ONNXPORT_RUNTIME_LOWERING_DSL_ATTRIBUTES_H_

#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/lowering/dsl/context.h"
#include "runtime/lowering/types/op_info.h"

namespace onnxport::lowering {

class Emitter;

// Sorted by name; None is left out. `named` are attributes of the schema. An int becomes a float or a list of one where
// the schema has those, a dtype its number; a tensor attribute takes a constant. Throws Refusal for a missing attribute
// that the schema requires, and a value of another kind or one known only at run time.
std::vector<ir::Attribute> ToAttributes(Emitter* emitter, const OpInfo& op, const NamedArgs& named);

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_DSL_ATTRIBUTES_H_
