// ONNX's own rules.
#ifndef ONNXPORT_RUNTIME_MODEL_ONNX_FILE_CHECK_H_
#define ONNXPORT_RUNTIME_MODEL_ONNX_FILE_CHECK_H_

#include <string>

#include "runtime/archive/byte_source.h"

namespace onnxport::onnx_file {

// Holds the model against them: structure, schemas, inferred types. Operators of other domains are not looked at.
// `file` is the path of `source`, as files of weights lie beside it. Throws Error (kBadInput) that says which rule it
// breaks.
void CheckModel(const std::string& file, const archive::ByteSource& source);

}  // namespace onnxport::onnx_file

#endif  // ONNXPORT_RUNTIME_MODEL_ONNX_FILE_CHECK_H_
