// The results of a node of a user's domain, by the schema that its spec declares.
#ifndef ONNXPORT_RUNTIME_LOWERING_TYPES_DECLARED_TYPES_H_
#define ONNXPORT_RUNTIME_LOWERING_TYPES_DECLARED_TYPES_H_

#include <optional>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/lowering/types/node_schema.h"

namespace onnxport::lowering {

// The sizes of each output, as far as they follow. Throws Refusal where the inputs contradict the schema.
std::vector<std::optional<ir::Dims>> DeclaredDims(const NodeSchema& schema, const ir::Graph& graph,
                                                  const ir::Node& node);

// Throws Refusal where a free axis would not stay free: where one name stands for it and for a number. Two free axes
// may be equal, and a run of the model checks that.
void CheckDeclaredSizes(const NodeSchema& schema, const ir::Graph& graph, const ir::Node& node);

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_TYPES_DECLARED_TYPES_H_
