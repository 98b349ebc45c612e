#include <fmt/format.h>

#include <vector>

#include "onnxport/options.h"
#include "runtime/cli/commands.h"
#include "runtime/cli/messages.h"

namespace onnxport::cli {

int RunOptions(bool json) {
  const std::vector<OptionInfo> options = ListOptions();
  if (json) {
    Say(ToJson(options));
    return 0;
  }
  for (const OptionInfo& option : options)
    SayLine(fmt::format("{:<28} {:<8} {} {}", option.name, option.form, option.flag, option.takes));
  return 0;
}

}  // namespace onnxport::cli
