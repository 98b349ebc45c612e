// Converts attribute values to the types in the operator schemas.
#ifndef ONNXPORT_RUNTIME_LOWERING_DSL_ATTRIBUTES_H_
#define ONNXPORT_RUNTIME_LOWERING_DSL_ATTRIBUTES_H_

#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/lowering/dsl/context.h"
#include "runtime/lowering/types/op_info.h"

namespace onnxport::lowering {

class Emitter;

// Returns them sorted by name; None is left out. `named` are attributes of the schema. If the schema has a float or a
// list, an int becomes a float or a list of one. A dtype becomes its number, and a tensor attribute takes a constant.
// Throws Refusal for a missing required attribute, for a value of another kind, and for one known only at run time.
std::vector<ir::Attribute> ToAttributes(Emitter* emitter, const OpInfo& op, const NamedArgs& named);

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_DSL_ATTRIBUTES_H_
