// ONNX's inference on a model of which nothing is known.
#ifndef ONNXPORT_RUNTIME_MODEL_ONNX_FILE_GUARDED_INFERENCE_H_
#define ONNXPORT_RUNTIME_MODEL_ONNX_FILE_GUARDED_INFERENCE_H_

#include <cstdint>
#include <string>

#include "onnx/defs/shape_inference.h"
#include "onnx/onnx_pb.h"

namespace onnxport::onnx_file {

// Functions that call functions make many nodes of few. A node takes microseconds.
constexpr int64_t kMostNodes = 5'000'000;

// Adds types to the model, and throws ONNX's exceptions where it is wrong. Throws Error where it takes more time or
// memory than it may, and for functions that call each other too deep. It also does for too many nodes, those of a
// function counted at each call. `file` is its name in messages.
void InferShapes(onnx::ModelProto* model, const std::string& file, const onnx::ShapeInferenceOptions& options,
                 int64_t most_nodes = kMostNodes);

}  // namespace onnxport::onnx_file

#endif  // ONNXPORT_RUNTIME_MODEL_ONNX_FILE_GUARDED_INFERENCE_H_
