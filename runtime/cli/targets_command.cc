#include <fmt/format.h>

#include <vector>

#include "onnxport/operators.h"
#include "runtime/cli/commands.h"
#include "runtime/cli/messages.h"

namespace onnxport::cli {

int RunTargets(bool json) {
  const std::vector<TargetInfo> targets = ListTargets();
  if (json) {
    Say(ToJson(targets));
    return 0;
  }
  for (const auto& [name, title, opsets, source, date] : targets) {
    const std::string range = fmt::format("{}-{}", opsets.first, opsets.last);
    Say(fmt::format("{:<9} {:<5} {}\n{:16}{}, {}\n", name, range, title, "", source, date));
  }
  return 0;
}

}  // namespace onnxport::cli
