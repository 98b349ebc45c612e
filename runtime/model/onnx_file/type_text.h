// Types of ONNX as text.
#ifndef ONNXPORT_RUNTIME_MODEL_ONNX_FILE_TYPE_TEXT_H_
#define ONNXPORT_RUNTIME_MODEL_ONNX_FILE_TYPE_TEXT_H_

#include <map>
#include <string>

#include "onnx/onnx_pb.h"

namespace onnxport::onnx_file {

// "float32[batch,3]", "sequence of float32[?]", "float32" where the rank is unknown; "" where nothing is known.
std::string TypeText(const onnx::TypeProto& type);

// The types of the values of the model's graph by their names, its inputs and outputs included. Those that the file
// does not state are inferred, in graphs of nodes, too, and added to the model. Throws Error where that takes more time
// or memory than it is given (guarded_inference.h).
std::map<std::string, std::string> InferTypes(onnx::ModelProto* model, const std::string& file);

// Those that a function states of its values.
std::map<std::string, std::string> TypesOf(const onnx::FunctionProto& function);

}  // namespace onnxport::onnx_file

#endif  // ONNXPORT_RUNTIME_MODEL_ONNX_FILE_TYPE_TEXT_H_
