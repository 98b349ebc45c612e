#include <chrono>

#include "onnxport/inspect.h"
#include "runtime/cli/child.h"
#include "runtime/cli/commands.h"
#include "runtime/cli/messages.h"

namespace onnxport::cli {

int RunCheck(const CheckArguments& arguments) {
  if (const auto status = RunInChild(arguments.model, arguments.max_seconds)) return *status;
  ExportOptions limits;
  if (arguments.max_seconds != 0) {
    limits.deadline = std::chrono::steady_clock::now() + std::chrono::seconds(arguments.max_seconds);
  }
  const auto mistake = CheckOnnx(arguments.model, limits);
  return mistake ? Fail(*mistake) : 0;
}

}  // namespace onnxport::cli
