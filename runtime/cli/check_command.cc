#include "onnxport/inspect.h"
#include "runtime/cli/commands.h"
#include "runtime/cli/messages.h"

namespace onnxport::cli {

int RunCheck(const std::string& model) {
  const auto mistake = CheckOnnx(model);
  return mistake ? Fail(*mistake) : 0;
}

}  // namespace onnxport::cli
