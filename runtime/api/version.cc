#include "onnxport/version.h"

#include "runtime/aten/aten_schema.h"
#include "runtime/serializer/onnx_text.h"

namespace onnxport {

std::string OnnxVersion() { return serializer::OnnxVersion(); }

std::string AtenSchemasOrigin() { return std::string(ir::AtenSchemasOrigin()); }

}  // namespace onnxport
