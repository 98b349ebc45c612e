#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <utility>

#include "onnxport/check_axes.h"
#include "onnxport/export_report.h"
#include "onnxport/files.h"
#include "runtime/cli/commands.h"
#include "runtime/cli/messages.h"
#include "runtime/cli/option_flags.h"
#include "runtime/cli/options.h"
#include "runtime/cli/progress.h"
#include "runtime/cli/signals.h"

namespace onnxport::cli {
namespace {

using Milliseconds = std::chrono::duration<double, std::milli>;

void PrintFigures(const Model& model, Milliseconds writing, const SaveReport& files, const std::string& out) {
  Milliseconds all = writing;
  for (const Model::Stage& stage : model.stages()) {
    Tell(fmt::format("{:>9.1f} ms  {}\n", stage.time.count(), stage.name));
    all += stage.time;
  }
  Tell(fmt::format("{:>9.1f} ms  write\n{:>9.1f} ms  in all\n", writing.count(), all.count()));
  for (const Model::Function& function : model.functions()) {
    TellLine(fmt::format("{:>6} calls of {}, {} nodes", function.calls, function.name, function.nodes));
  }
  TellLine(fmt::format("{}: {} nodes, {} weights, {} bytes", out, model.nodes(), model.weights(), files.model_bytes));
  if (!files.data_file.empty()) TellLine(fmt::format("{}: {} bytes", files.data_file, files.data_bytes));
}

// "1.2 MB"
std::string SizeText(int64_t bytes) {
  auto size = static_cast<double>(bytes);
  for (const char* unit : {"bytes", "KB", "MB"}) {
    if (size < 1000) return fmt::format("{:.3g} {}", size, unit);
    size /= 1000;
  }
  return fmt::format("{:.3g} GB", size);
}

// "x: float32[batch,3]"
std::string PortText(const Port& port) {
  std::string dims;
  for (const Dim& dim : port.dims.value_or(std::vector<Dim>())) dims += (dims.empty() ? "" : ",") + dim.Text();
  return fmt::format("{}: {}{}{}", port.name, port.sequence ? "sequence of " : "", Name(port.dtype),
                     port.dims ? "[" + dims + "]" : "");
}

// For people, who else would see nothing of an export that works.
void PrintSummary(const Model& model, Milliseconds writing, const SaveReport& files, const std::string& out) {
  std::string line =
      fmt::format("{}: {} {}, opset {}", out, model.nodes(), model.nodes() == 1 ? "node" : "nodes", model.opset());
  for (const Port& input : model.inputs()) line += ", " + PortText(input);
  Milliseconds all = writing;
  for (const Model::Stage& stage : model.stages()) all += stage.time;
  TellLine(fmt::format("{}, {}, {:.2f} s", line, SizeText(files.model_bytes + files.data_bytes), all.count() / 1000));
}

void PrintAxis(const AxisReport& report) {
  const auto [input, number] = report.axis;
  std::string line =
      fmt::format("{} axis {} ({}): {}", input, number, report.size.Text(), report.free ? "free" : "fixed");
  const char* before = ", together with ";
  for (const Axis& other : report.together) {
    line += fmt::format("{}{} axis {}", std::exchange(before, ", "), other.input, other.number);
  }
  SayLine(line);
  for (size_t at = 0; at < report.fixed_by.size();) {
    const size_t end = std::min(report.fixed_by.find('\n', at), report.fixed_by.size());
    SayLine(fmt::format("    {}", report.fixed_by.substr(at, end - at)));
    at = end + 1;
  }
}

int PrintAxes(const ExportArguments& arguments) {
  const auto axes = CheckAxes(Source::File(arguments.model), arguments.options);
  if (!axes) return Fail(axes.error());
  if (arguments.axes_as_json) {
    Say(ToJson(*axes));
    return 0;
  }
  for (const AxisReport& axis : *axes) PrintAxis(axis);
  return 0;
}

// The results of Save.
Result<SaveReport> Write(const Model& model, const ExportArguments& arguments) {
  ProgressBar bar;
  SaveOptions options = arguments.saving;
  options.stop = arguments.options.stop;
  options.progress = [&bar](std::string_view, int64_t done, int64_t total) { bar.Update(done, total); };
  const auto start = std::chrono::steady_clock::now();
  auto files = model.Save(arguments.out, options);
  // Remarks come after the bar is gone, else they would begin in the middle of its line.
  bar.Clear();
  if (!files) return files;
  const auto tell = [&](const std::string& kind, const std::string& text) {
    const size_t end = arguments.verbose ? text.npos : text.find('\n');
    Tell(fmt::format("exporter: {}: {}\n", kind, text.substr(0, end)));
  };
  for (const Warning& warning : model.warnings(OptionAsFlag)) {
    tell(fmt::format("warning[{}]", Number(warning.code)), warning.text);
  }
  for (const std::string& remark : model.remarks(OptionAsFlag)) tell("note", remark);
  TellLeftBehind(*files, arguments.out);
  const Milliseconds writing = std::chrono::steady_clock::now() - start;
  if (arguments.verbose) {
    PrintFigures(model, writing, *files, arguments.out);
  } else if (!arguments.quiet && ::isatty(STDERR_FILENO) != 0) {
    PrintSummary(model, writing, *files, arguments.out);
  }
  return files;
}

// The outcome of the export decides the exit status, even if the report cannot be written.
int Finish(int status, const ExportArguments& arguments, ExportRecord record) {
  if (arguments.report.empty()) return status;
  record.times = arguments.verbose;  // without times the same export gives the same record
  record.source = std::filesystem::path(arguments.model).filename().string();
  // The reader of the record typed the command, so its texts name flags, as the messages do.
  record.option_name = OptionAsFlag;
  std::vector<std::string> others = OtherFiles(arguments);
  // The name of the data file contains a hash of its bytes, so it is known only now.
  if (record.files) others.push_back(record.files->data_file);
  const std::string text = TextOf(record, *ReportFormatOf(arguments.report));
  const auto mistake = WriteOutput(arguments.report, text, others, arguments.saving.sync);
  if (!mistake) return status;
  const int failed = Fail(*mistake);
  return status == 0 ? failed : status;
}

}  // namespace

int RunExport(ExportArguments arguments) {
  if (arguments.out.empty()) arguments.out = std::filesystem::path(arguments.model).stem().string() + ".onnx";
  if (const auto mistake = Complete(&arguments)) return Fail(*mistake);
  // This comes before signals are caught: it writes no file that a stop would have to remove.
  if (arguments.check_axes) return PrintAxes(arguments);
  // Destroyed after everything that writes: its destructor may end the program with the signal.
  const Signals signals;
  arguments.options.stop = signals.token();
  ExportRecord record{.source = {}, .options = arguments.options};
  const auto model = Export(Source::File(arguments.model), arguments.options);
  if (!model) {
    record.failure = &model.error();
    return Finish(Fail(model.error()), arguments, record);
  }
  record.model = &*model;
  const auto files = Write(*model, arguments);
  if (files) {
    record.files = *files;
  } else {
    record.failure = &files.error();
  }
  return Finish(files ? 0 : Fail(files.error()), arguments, record);
}

}  // namespace onnxport::cli
