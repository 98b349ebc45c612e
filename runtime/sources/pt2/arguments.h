// Reads the arguments of calls.
#ifndef ONNXPORT_RUNTIME_SOURCES_PT2_ARGUMENTS_H_
#define ONNXPORT_RUNTIME_SOURCES_PT2_ARGUMENTS_H_

#include <vector>

#include "runtime/aten/aten_schema.h"
#include "runtime/ir/graph.h"
#include "runtime/sources/pt2/json.h"
#include "runtime/sources/pt2/scope.h"

namespace onnxport::pt2 {

// Reads {"as_int": 3}, {"as_tensors": [..]}, ... as a host value or values of the scope. Graphs, operators and objects
// become a Word, which no operator accepts.
ir::Arg ReadArgument(const Json& argument, const Scope& scope);

// Converts to the schema's type: 1 -> 1.0 for a float, 2 -> [2, 2] for int[2].
ir::Arg Fit(ir::Arg arg, const ir::AtenType& type);

// Returns the arguments of a call by the schema's positions, with defaults. Without a schema they are in the file's
// order.
std::vector<ir::Arg> ReadArguments(const Json& inputs, const Scope& scope, const ir::AtenSchema* schema);

}  // namespace onnxport::pt2

#endif  // ONNXPORT_RUNTIME_SOURCES_PT2_ARGUMENTS_H_
