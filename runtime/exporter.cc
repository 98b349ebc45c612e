#include "runtime/exporter.h"

#include <fmt/core.h>
#include <sys/stat.h>

#include <chrono>
#include <future>
#include <memory>
#include <utility>

#include "runtime/archive/archive.h"
#include "runtime/base/memory_budget.h"
#include "runtime/border.h"
#include "runtime/inputs/input_spec.h"
#include "runtime/lowering/types/op_info.h"
#include "runtime/passes/passes.h"
#include "runtime/pt2/pt2.h"
#include "runtime/pt2/replay/replay.h"
#include "runtime/torchscript/archive/program.h"
#include "runtime/torchscript/torchscript.h"
#include "runtime/trace/walk.h"

namespace onnxport {
namespace {

// Notes how long each stage took.
class Timer {
 public:
  explicit Timer(ExportReport* report) : report_(report) {}
  void Finish(std::string_view stage) {
    const Clock::time_point now = Clock::now();
    report_->stages.push_back({stage, std::chrono::duration<double, std::milli>(now - start_).count()});
    start_ = now;
  }

 private:
  using Clock = std::chrono::steady_clock;
  ExportReport* report_;
  Clock::time_point start_ = Clock::now();
};

std::vector<inputs::InputSpec> ParseInputs(const std::vector<std::string>& texts) {
  std::vector<inputs::InputSpec> specs;
  for (const std::string& text : texts) specs.push_back(inputs::ParseInputSpec(text));
  return specs;
}

trace::Traced TracePt2(const std::shared_ptr<const archive::Archive>& archive,
                       const std::vector<inputs::InputSpec>& specs, const ExportOptions& options,
                       std::future<void>* schemas, Timer* timer, ExportReport* report) {
  ir::Graph program = pt2::ReadPt2(archive, &report->remarks);
  if (!specs.empty()) inputs::ApplyInputSpecs(&program, specs);
  timer->Finish("read");
  schemas->get();
  timer->Finish("wait for schemas");
  return trace::Trace([&](int opset) { return pt2::Replay(program, opset); }, options.opset);
}

trace::Traced TraceTorchScript(const std::shared_ptr<const archive::Archive>& archive,
                               const std::vector<inputs::InputSpec>& specs, const ExportOptions& options,
                               std::future<void>* schemas, Timer* timer) {
  const torchscript::Program program = torchscript::ReadProgram(archive, {.trust_source = options.trust_source});
  timer->Finish("read");
  schemas->get();
  timer->Finish("wait for schemas");
  return torchscript::Interpret(program, {.opset = options.opset, .method = options.method, .inputs = specs});
}

ir::Graph ReadAndLower(const std::string& model, const ExportOptions& options, ExportReport* report) {
  passes::CheckNames(options.disabled_passes);
  const std::vector<inputs::InputSpec> specs = ParseInputs(options.inputs);
  Timer timer(report);
  std::future<void> schemas = std::async(std::launch::async, lowering::PreloadSchemas);
  const auto archive = archive::Archive::Open(model);
  const MemoryBudget budget(model, archive->size());
  trace::Traced traced = torchscript::IsTorchScript(*archive)
                             ? TraceTorchScript(archive, specs, options, &schemas, &timer)
                             : TracePt2(archive, specs, options, &schemas, &timer, report);
  report->remarks.insert(report->remarks.end(), traced.remarks.begin(), traced.remarks.end());
  ir::Graph graph = std::move(traced.onnx);
  timer.Finish("trace");
  passes::Run(&graph, {.disabled = options.disabled_passes,
                       .naming = {.input_names = options.input_names, .output_names = options.output_names}});
  timer.Finish("passes");
  if (graph.body.outputs.empty()) {
    throw Error(ErrorKind::kCannotExport,
                fmt::format("{} returns nothing that an ONNX model can give: return at least one tensor", model));
  }
  report->nodes = static_cast<int64_t>(graph.body.nodes.size());
  report->weights = static_cast<int64_t>(graph.weights.size());
  return graph;
}

// Renaming over the model would destroy what the export was made from.
void CheckApart(const std::string& model, const std::string& out) {
  struct stat a, b;
  if (::stat(model.c_str(), &a) == 0 && ::stat(out.c_str(), &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino) {
    throw Error(ErrorKind::kUsage, fmt::format("{} is the model itself; name another output", out));
  }
}

}  // namespace

ir::Graph Convert(const std::string& model, const ExportOptions& options, ExportReport* report) {
  ExportReport unused;
  if (report == nullptr) report = &unused;
  return AtBorder([&] { return ReadAndLower(model, options, report); });
}

ExportReport Export(const std::string& model, const std::string& out, const ExportOptions& options) {
  return AtBorder([&] {
    CheckApart(model, out);
    ExportReport report;
    const ir::Graph graph = ReadAndLower(model, options, &report);
    if (options.converted) options.converted();
    Timer timer(&report);
    report.files =
        serializer::Write(graph, out, {.external_data = options.external_data, .progress = options.progress});
    timer.Finish("write");
    return report;
  });
}

}  // namespace onnxport
