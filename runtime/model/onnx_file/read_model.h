// Reads existing ONNX files.
#ifndef ONNXPORT_RUNTIME_MODEL_ONNX_FILE_READ_MODEL_H_
#define ONNXPORT_RUNTIME_MODEL_ONNX_FILE_READ_MODEL_H_

#include "onnx/onnx_pb.h"
#include "runtime/archive/byte_source.h"

namespace onnxport::onnx_file {

// Returns the model, with the weights inside the file. Throws Error (kBadInput) if it cannot be read or is no ONNX
// model.
onnx::ModelProto ReadModel(const archive::ByteSource& source);

}  // namespace onnxport::onnx_file

#endif  // ONNXPORT_RUNTIME_MODEL_ONNX_FILE_READ_MODEL_H_
