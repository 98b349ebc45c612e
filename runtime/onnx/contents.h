// Follows the elements of small integer tensors through the nodes that compute sizes.
#ifndef ONNXPORT_RUNTIME_ONNX_CONTENTS_H_
#define ONNXPORT_RUNTIME_ONNX_CONTENTS_H_

#include <optional>

#include "runtime/ir/dim.h"
#include "runtime/onnx/inferred_type.h"
#include "runtime/onnx/node_view.h"
#include "runtime/onnx/op_facts.h"

namespace onnxport::onnx_ops {

// Computes the elements of the node's only result, a 0-d or 1-d int64 or int32 tensor of type `result`, from the types
// and contents of its inputs. Returns nothing if the operator's row has no rule or nothing is known.
std::optional<ir::Dims> PropagateContents(const OpFacts& facts, const NodeView& node, const InferredType& result);

}  // namespace onnxport::onnx_ops

#endif  // ONNXPORT_RUNTIME_ONNX_CONTENTS_H_
