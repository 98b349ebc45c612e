// Infers the results of a node in a user's domain from the schema that its spec declares.
#ifndef ONNXPORT_RUNTIME_LOWERING_TYPES_DECLARED_TYPES_H_
#define ONNXPORT_RUNTIME_LOWERING_TYPES_DECLARED_TYPES_H_

#include <optional>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/lowering/types/node_schema.h"

namespace onnxport::lowering {

// Returns the sizes of each output that follow from the inputs. Throws Refusal if the inputs contradict the schema.
std::vector<std::optional<ir::Dims>> DeclaredDims(const NodeSchema& schema, const ir::Graph& graph,
                                                  const ir::Node& node);

// Throws Refusal if one name stands for a free axis and for a number, because the axis would not stay free. Two free
// axes may be equal; the model checks that at run time.
void CheckDeclaredSizes(const NodeSchema& schema, const ir::Graph& graph, const ir::Node& node);

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_TYPES_DECLARED_TYPES_H_
