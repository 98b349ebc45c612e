// Checks a model with ONNX's own rules.
#ifndef ONNXPORT_RUNTIME_MODEL_ONNX_FILE_CHECK_H_
#define ONNXPORT_RUNTIME_MODEL_ONNX_FILE_CHECK_H_

#include <string>

#include "runtime/archive/byte_source.h"

namespace onnxport::onnx_file {

// Checks structure, schemas and inferred types. Operators of other domains are not checked. `file` is the path of
// `source`, because weight files are in its folder. Throws Error (kBadInput) that names the broken rule.
void CheckModel(const std::string& file, const archive::ByteSource& source);

}  // namespace onnxport::onnx_file

#endif  // ONNXPORT_RUNTIME_MODEL_ONNX_FILE_CHECK_H_
