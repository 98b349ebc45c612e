#include "runtime/serializer/version.h"

#include <fmt/core.h>

#include "runtime/aten/aten_schema.h"
#include "runtime/cli/commands.h"
#include "runtime/lowering/dsl/dispatch.h"
#include "runtime/serializer/onnx_text.h"

namespace onnxport::cli {

std::string VersionText() {
  const lowering::OpsetRange opsets = lowering::SupportedOpsets();
  return fmt::format("exporter {}\nONNX {}, opsets {} to {}\noperator schemas of {}", kVersion,
                     serializer::OnnxVersion(), opsets.first, opsets.last, ir::AtenSchemasOrigin());
}

}  // namespace onnxport::cli
