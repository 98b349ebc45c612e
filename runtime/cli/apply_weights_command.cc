#include <fmt/core.h>

#include <utility>

#include "onnxport/apply_weights.h"
#include "runtime/cli/commands.h"
#include "runtime/cli/messages.h"
#include "runtime/cli/progress.h"
#include "runtime/cli/signals.h"

namespace onnxport::cli {

int RunApplyWeights(ApplyWeightsArguments arguments) {
  if (!arguments.mistakes.empty()) return Fail(Report(ErrorKind::kUsage, std::move(arguments.mistakes)));
  if (arguments.out.empty()) arguments.out = arguments.model;
  const Signals signals;
  ProgressBar bar;
  SaveOptions options = arguments.saving;
  options.stop = signals.token();
  options.progress = [&bar](std::string_view, int64_t done, int64_t total) { bar.Update(done, total); };
  const auto applied = ApplyWeights(arguments.model, Source::File(arguments.weights), arguments.out, options);
  bar.Clear();
  if (!applied) return Fail(applied.error());
  for (const std::string& remark : applied->remarks) TellLine(fmt::format("exporter: note: {}", remark));
  TellLeftBehind(applied->files, arguments.out);
  return 0;
}

}  // namespace onnxport::cli
