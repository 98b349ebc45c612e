#include "onnxport/inspect.h"
#include "runtime/cli/commands.h"
#include "runtime/cli/messages.h"
#include "runtime/cli/options.h"

namespace onnxport::cli {

int RunInspect(ExportArguments arguments) {
  if (const auto mistake = Complete(&arguments)) return Fail(*mistake);
  const auto text = Inspect(Source::File(arguments.model), arguments.options);
  if (!text) return Fail(text.error());
  Say(*text);
  return 0;
}

}  // namespace onnxport::cli
