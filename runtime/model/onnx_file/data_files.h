// The files in which an ONNX model has weights.
#ifndef ONNXPORT_RUNTIME_MODEL_ONNX_FILE_DATA_FILES_H_
#define ONNXPORT_RUNTIME_MODEL_ONNX_FILE_DATA_FILES_H_

#include <string>
#include <vector>

#include "onnx/onnx_pb.h"

namespace onnxport::onnx_file {

// Paths of the files that the model of that path names, wherever in it: each once. Nothing says that they are there.
std::vector<std::string> DataFilesOf(const onnx::ModelProto& model, const std::string& path);

}  // namespace onnxport::onnx_file

#endif  // ONNXPORT_RUNTIME_MODEL_ONNX_FILE_DATA_FILES_H_
