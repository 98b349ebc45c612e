#include "onnxport/files.h"
#include "onnxport/inspect.h"
#include "runtime/cli/child.h"
#include "runtime/cli/commands.h"
#include "runtime/cli/messages.h"
#include "runtime/cli/options.h"

namespace onnxport::cli {
namespace {

int WritePage(const ExportArguments& arguments) {
  std::vector<std::string> others;
  const auto page = InspectAsHtml(Source::File(arguments.model), arguments.options, &others);
  if (!page) return Fail(page.error());
  others.push_back(arguments.model);
  const auto mistake = WriteOutput(arguments.html, *page, others);
  return mistake ? Fail(*mistake) : 0;
}

}  // namespace

int RunInspect(ExportArguments arguments) {
  if (const auto mistake = Complete(&arguments)) return Fail(*mistake);
  if (const auto status = RunInChild(arguments.model, arguments.max_seconds)) return *status;
  if (!arguments.html.empty()) return WritePage(arguments);
  const auto text = Inspect(Source::File(arguments.model), arguments.options);
  if (!text) return Fail(text.error());
  Say(*text);
  return 0;
}

}  // namespace onnxport::cli
