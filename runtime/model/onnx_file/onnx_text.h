// Shows ONNX files as text.
#ifndef ONNXPORT_RUNTIME_MODEL_ONNX_FILE_ONNX_TEXT_H_
#define ONNXPORT_RUNTIME_MODEL_ONNX_FILE_ONNX_TEXT_H_

#include <string>

#include "runtime/archive/byte_source.h"

namespace onnxport::onnx_file {

// Returns the model in ONNX's own text form. After each node a comment has the types and shapes of its results,
// inferred if the file does not state them. Weights of more than a few elements are shown by type and shape, without
// bytes. Throws Error (kBadInput) for a file that cannot be read or is no ONNX model.
std::string OnnxToText(const archive::ByteSource& source);

// The version of ONNX that this program was built with.
std::string OnnxVersion();

}  // namespace onnxport::onnx_file

#endif  // ONNXPORT_RUNTIME_MODEL_ONNX_FILE_ONNX_TEXT_H_
