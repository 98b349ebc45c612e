#include "onnxport/version.h"

#include "runtime/aten/aten_schema.h"
#include "runtime/onnx_file/onnx_text.h"

namespace onnxport {

std::string OnnxVersion() { return onnx_file::OnnxVersion(); }

std::string AtenSchemasOrigin() { return std::string(ir::AtenSchemasOrigin()); }

}  // namespace onnxport
