// Finds the files with the weights of an ONNX model.
#ifndef ONNXPORT_RUNTIME_MODEL_ONNX_FILE_DATA_FILES_H_
#define ONNXPORT_RUNTIME_MODEL_ONNX_FILE_DATA_FILES_H_

#include <string>
#include <vector>

#include "onnx/onnx_pb.h"

namespace onnxport::onnx_file {

// Returns the path of each file that the model at `path` names anywhere, once. The files may not exist.
std::vector<std::string> DataFilesOf(const onnx::ModelProto& model, const std::string& path);

}  // namespace onnxport::onnx_file

#endif  // ONNXPORT_RUNTIME_MODEL_ONNX_FILE_DATA_FILES_H_
