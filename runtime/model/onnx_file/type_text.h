// Prints ONNX types as text.
#ifndef ONNXPORT_RUNTIME_MODEL_ONNX_FILE_TYPE_TEXT_H_
#define ONNXPORT_RUNTIME_MODEL_ONNX_FILE_TYPE_TEXT_H_

#include <map>
#include <string>

#include "onnx/onnx_pb.h"

namespace onnxport::onnx_file {

// "float32[batch,3]", "sequence of float32[?]", or "float32" if the rank is unknown; empty if nothing is known.
std::string TypeText(const onnx::TypeProto& type);

// Returns the types of the values of the model's graph by name, including inputs and outputs. Types that the file does
// not state are inferred, also in subgraphs, and added to the model. Throws Error if that takes too much time or memory
// (guarded_inference.h).
std::map<std::string, std::string> InferTypes(onnx::ModelProto* model, const std::string& file);

// The types that a function states for its values.
std::map<std::string, std::string> TypesOf(const onnx::FunctionProto& function);

}  // namespace onnxport::onnx_file

#endif  // ONNXPORT_RUNTIME_MODEL_ONNX_FILE_TYPE_TEXT_H_
