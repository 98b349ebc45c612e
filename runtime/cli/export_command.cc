#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "runtime/cli/commands.h"
#include "runtime/cli/messages.h"
#include "runtime/cli/progress.h"
#include "runtime/cli/watchdog.h"

namespace onnxport::cli {
namespace {

void PrintReport(const ExportReport& report, const std::string& out) {
  double all = 0;
  for (const ExportReport::Stage& stage : report.stages) {
    Tell(fmt::format("{:>9.1f} ms  {}\n", stage.milliseconds, stage.name));
    all += stage.milliseconds;
  }
  Tell(fmt::format("{:>9.1f} ms  in all\n", all));
  Tell(
      fmt::format("{}: {} nodes, {} weights, {} bytes\n", out, report.nodes, report.weights, report.files.model_bytes));
  if (!report.files.data_file.empty())
    Tell(fmt::format("{}: {} bytes\n", report.files.data_file, report.files.data_bytes));
}

void PrintAxes(const ExportArguments& arguments) {
  for (const AxisReport& axis : CheckAxes(arguments.model, arguments.options)) {
    Say(fmt::format("{} axis {} ({}): {}", axis.input, axis.axis, axis.size, axis.free ? "free" : "fixed"));
    if (!axis.together.empty()) Say(fmt::format(", together with {}", axis.together));
    Say("\n");
    for (size_t at = 0; at < axis.fixed_by.size();) {
      const size_t end = std::min(axis.fixed_by.find('\n', at), axis.fixed_by.size());
      Say(fmt::format("    {}\n", axis.fixed_by.substr(at, end - at)));
      at = end + 1;
    }
  }
}

}  // namespace

void RunExport(ExportArguments arguments) {
  Watchdog watchdog(arguments.max_seconds);
  if (arguments.check_axes) return PrintAxes(arguments);
  if (arguments.out.empty()) arguments.out = std::filesystem::path(arguments.model).stem().string() + ".onnx";
  Progress progress;
  arguments.options.progress = [&progress](int64_t done, int64_t total) { progress.Update(done, total); };
  arguments.options.converted = [&watchdog] { watchdog.Stop(); };
  const ExportReport report = Export(arguments.model, arguments.out, arguments.options);
  progress.Clear();
  for (const std::string& remark : report.remarks) Tell(fmt::format("exporter: note: {}\n", remark));
  if (arguments.verbose) PrintReport(report, arguments.out);
}

}  // namespace onnxport::cli
