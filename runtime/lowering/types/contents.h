// Elements of small integer tensors, followed through the nodes that compute sizes.
#ifndef ONNXPORT_RUNTIME_LOWERING_TYPES_CONTENTS_H_
#define ONNXPORT_RUNTIME_LOWERING_TYPES_CONTENTS_H_

#include <optional>

#include "runtime/ir/graph.h"
#include "runtime/lowering/types/inference.h"

namespace onnxport::lowering {

// The elements of the node's only result, a 0-d or 1-d int64 or int32 tensor of type `result`, as far as they follow
// from its inputs' types and contents; nothing when the operator is not followed or nothing is known.
std::optional<ir::Dims> PropagateContents(const ir::Graph& graph, const ir::Node& node, const InferredType& result);

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_TYPES_CONTENTS_H_
