#include "onnxport/version.h"

#include <fmt/core.h>

#include "onnxport/operators.h"
#include "runtime/cli/commands.h"

namespace onnxport::cli {

std::string VersionText() {
  const OpsetRange opsets = SupportedOpsets();
  return fmt::format("exporter {} ({})\nONNX {}, opsets {} to {}\noperator schemas of {}", kVersion, BuildText(),
                     OnnxVersion(), opsets.first, opsets.last, AtenSchemasOrigin());
}

}  // namespace onnxport::cli
