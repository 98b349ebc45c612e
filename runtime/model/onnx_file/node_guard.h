// Stops nodes that ONNX's inference must not see.
#ifndef ONNXPORT_RUNTIME_MODEL_ONNX_FILE_NODE_GUARD_H_
#define ONNXPORT_RUNTIME_MODEL_ONNX_FILE_NODE_GUARD_H_

#include <cstdint>
#include <optional>

#include "onnx/defs/schema.h"
#include "onnx/defs/shape_inference.h"

namespace onnxport::onnx_file {

// Checks the number and types of inputs, results and attributes against the schema. Throws onnx::InferenceError: ONNX
// then leaves the results without a type (or says that the model is wrong).
void CheckNode(const onnx::OpSchema& schema, onnx::InferenceContext& node);

// Returns the number of elements of the inputs with tracked contents; nothing if there are too many. A tensor of a
// stated size counts with its elements, because a chain of a few nodes may double them again and again.
std::optional<int64_t> ElementsOf(onnx::DataPropagationContext& node);

}  // namespace onnxport::onnx_file

#endif  // ONNXPORT_RUNTIME_MODEL_ONNX_FILE_NODE_GUARD_H_
