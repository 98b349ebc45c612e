// Checks the invariants of a graph before it is written.
#ifndef ONNXPORT_RUNTIME_MODEL_SERIALIZER_INVARIANTS_H_
#define ONNXPORT_RUNTIME_MODEL_SERIALIZER_INVARIANTS_H_

#include <span>

#include "runtime/ir/graph.h"
#include "runtime/model/functions/function.h"

namespace onnxport::serializer {

// Throws InternalError unless
//  1. every value used has a name, and no two have the same;
//  2. every value is defined once, before it is used: user input, weight, or output of an earlier node;
//  3. user inputs and outputs are tensors of a known dtype with no negative dimension;
//  4. node names are set and unique;
//  5. graph outputs are defined values, each listed once;
//  6. the same holds for each function by itself; a node that calls it is in the graph or in a later function, and has
//     as many inputs and outputs.
// A violation is a bug of this program. The check finds it before a bad file is written.
void CheckInvariants(const ir::Graph& graph, std::span<const functions::Function> functions = {});

}  // namespace onnxport::serializer

#endif  // ONNXPORT_RUNTIME_MODEL_SERIALIZER_INVARIANTS_H_
