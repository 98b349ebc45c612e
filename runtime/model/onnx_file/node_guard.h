// Nodes that ONNX's inference must not see.
#ifndef ONNXPORT_RUNTIME_MODEL_ONNX_FILE_NODE_GUARD_H_
#define ONNXPORT_RUNTIME_MODEL_ONNX_FILE_NODE_GUARD_H_

#include <cstdint>
#include <optional>

#include "onnx/defs/schema.h"
#include "onnx/defs/shape_inference.h"

namespace onnxport::onnx_file {

// Holds inputs, results and attributes against the schema: how many there are, and of what type. Throws
// onnx::InferenceError, for which ONNX leaves the node's results without a type (or says that the model is wrong).
void CheckNode(const onnx::OpSchema& schema, onnx::InferenceContext& node);

// How many elements its inputs have whose contents are followed; nothing where they are too many. A tensor of a stated
// size stands for as many elements, and a chain of a few nodes doubles them again and again.
std::optional<int64_t> ElementsOf(onnx::DataPropagationContext& node);

}  // namespace onnxport::onnx_file

#endif  // ONNXPORT_RUNTIME_MODEL_ONNX_FILE_NODE_GUARD_H_
