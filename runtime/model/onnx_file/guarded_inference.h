// Runs ONNX's inference on an untrusted model.
#ifndef ONNXPORT_RUNTIME_MODEL_ONNX_FILE_GUARDED_INFERENCE_H_
#define ONNXPORT_RUNTIME_MODEL_ONNX_FILE_GUARDED_INFERENCE_H_

#include <cstdint>
#include <string>

#include "onnx/defs/shape_inference.h"
#include "onnx/onnx_pb.h"

namespace onnxport::onnx_file {

// Functions that call functions turn a few nodes into many. Inference takes microseconds for each.
constexpr int64_t kMostNodes = 5'000'000;

// Adds types to the model. Throws ONNX's exceptions if it is wrong. Throws Error if inference takes too much time or
// memory, if functions call each other too deep, or if there are too many nodes. Nodes of a function count at each
// call. `file` is its name in messages.
void InferShapes(onnx::ModelProto* model, const std::string& file, const onnx::ShapeInferenceOptions& options,
                 int64_t most_nodes = kMostNodes);

}  // namespace onnxport::onnx_file

#endif  // ONNXPORT_RUNTIME_MODEL_ONNX_FILE_GUARDED_INFERENCE_H_
