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

// Adds types to the model, and throws what ONNX throws where it is wrong. Throws Error where it takes more time or
// memory than it is given, for functions that call each other too deep, and for more nodes, those of a function counted
// at each call. `file`: what messages call it.
void InferShapes(onnx::ModelProto* model, const std::string& file, const onnx::ShapeInferenceOptions& options,
                 int64_t most_nodes = kMostNodes);

}  // namespace onnxport::onnx_file

#endif  // ONNXPORT_RUNTIME_MODEL_ONNX_FILE_GUARDED_INFERENCE_H_
