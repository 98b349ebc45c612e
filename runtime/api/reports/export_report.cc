#include "onnxport/export_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <type_traits>
#include <variant>
#include <vector>

#include "onnxport/text.h"
#include "onnxport/version.h"
#include "runtime/api/border/border.h"
#include "runtime/api/border/shape_text.h"
#include "runtime/api/options/options_report.h"
#include "runtime/api/reports/sarif.h"
#include "runtime/api/reports/save_report_json.h"
#include "runtime/base/error.h"

namespace onnxport {
namespace {

using nlohmann::ordered_json;

ordered_json ShapeOf(const std::vector<Dim>& dims) {
  ordered_json shape = ordered_json::array();
  for (const Dim& dim : dims) shape.push_back(dim.is_number() ? ordered_json(dim.number()) : ordered_json(dim.Text()));
  return shape;
}

ordered_json PortsOf(const std::vector<Port>& ports) {
  ordered_json json = ordered_json::array();
  for (const Port& port : ports) {
    ordered_json& made = json.emplace_back(ordered_json{{"name", port.name}, {"dtype", Name(port.dtype)}});
    if (port.sequence) made["sequence"] = true;
    if (port.dims) made["shape"] = ShapeOf(*port.dims);
  }
  return json;
}

ordered_json StateJson(const Model& model, const Model::State& kept) {
  const auto input = std::ranges::find(model.inputs(), kept.input, &Port::name);
  ordered_json json = PortsOf({*input})[0];
  json.erase("name");
  json["input"] = kept.input;
  json["output"] = kept.output;
  if (!kept.weight.empty()) json["first_value"] = kept.weight;
  return json;
}

void AddModel(const Model& model, OptionName name, ordered_json* json) {
  (*json)["inputs"] = PortsOf(model.inputs());
  (*json)["outputs"] = PortsOf(model.outputs());
  for (const Model::FreeAxis& axis : model.axes()) {
    ordered_json& made = (*json)["axes"][axis.name] = {{"input", axis.input}, {"axis", axis.axis}};
    if (axis.min) made["min"] = *axis.min;
    if (axis.max) made["max"] = *axis.max;
  }
  for (const Model::State& kept : model.state()) (*json)["state"].push_back(StateJson(model, kept));
  for (const Model::Operator& op : model.operators()) {
    ordered_json made = {{"name", op.name}, {"calls", op.calls}};
    if (!op.spec.empty()) made["spec"] = op.spec;
    made["nodes"] = op.nodes;
    (*json)["operators"].push_back(std::move(made));
  }
  for (const Model::Function& function : model.functions()) {
    (*json)["functions"].push_back({{"name", function.name}, {"calls", function.calls}, {"nodes", function.nodes}});
  }
  (*json)["nodes"] = model.nodes();
  (*json)["weights"] = model.weights();
  for (const Warning& warning : model.warnings(name)) {
    (*json)["warnings"].push_back({{"code", Number(warning.code)}, {"text", warning.text}});
  }
  if (const auto remarks = model.remarks(name); !remarks.empty()) (*json)["remarks"] = remarks;
}

void AddTimes(const Model& model, ordered_json* json) {
  for (const Model::Stage& stage : model.stages()) {
    (*json)["stages"].push_back({{"name", stage.name}, {"ms", stage.time.count()}});
  }
}

// The keys in the order in which a person reads: what ran, on what, with what result; then the options, the model, the
// files.
ordered_json JsonOf(const ExportRecord& record) {
  ordered_json json = {
      {"tool", {{"name", "onnxport"}, {"version", kVersion}, {"build", BuildText()}, {"onnx", OnnxVersion()}}},
      {"source", record.source},
      {"result", record.failure != nullptr ? Name(record.failure->kind()) : "exported"},
      {"options", OptionsOf(record.options)}};
  if (record.model != nullptr) AddModel(*record.model, record.option_name, &json);
  if (record.model != nullptr && record.times) AddTimes(*record.model, &json);
  if (record.files) json["files"] = JsonOf(*record.files);
  if (record.failure != nullptr) json["failure"] = ordered_json::parse(record.failure->With(record.option_name).Json());
  return json;
}

// ---- Markdown

// In a table or a list: no line ends, nothing that Markdown would read.
std::string Cell(std::string_view text) {
  std::string out;
  for (const char c : VisibleName(text)) {
    if (std::string_view("|`*_<>[]\\").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

// The cell of a remark whose lines are ours (Model::remarks): spaces replace the ends of lines.
std::string JoinedCell(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return Cell(text);
}

std::string PortsMarkdown(std::string_view title, const std::vector<Port>& ports) {
  std::string text = fmt::format("\n## {}\n\n| name | type |\n| --- | --- |\n", title);
  for (const Port& port : ports) {
    const std::string type = std::string(Name(port.dtype)) + (port.dims ? ShapeText(*port.dims) : "");
    text += fmt::format("| {} | {} |\n", Cell(port.name), Cell(port.sequence ? "list[" + type + "]" : type));
  }
  return text;
}

std::string ModelMarkdown(const Model& model, OptionName name) {
  std::string text = PortsMarkdown("Inputs", model.inputs()) + PortsMarkdown("Outputs", model.outputs());
  if (!model.state().empty()) text += "\n## State\n\n| input | its new value | first value |\n| --- | --- | --- |\n";
  for (const Model::State& kept : model.state()) {
    text += fmt::format("| {} | {} | {} |\n", Cell(kept.input), Cell(kept.output), Cell(kept.weight));
  }
  text += "\n## Operators\n\n| operator | calls | nodes | by |\n| --- | --- | --- | --- |\n";
  for (const Model::Operator& op : model.operators()) {
    std::string nodes;
    for (const auto& [name, count] : op.nodes) nodes += fmt::format("{}{} {}", nodes.empty() ? "" : ", ", count, name);
    text += fmt::format("| {} | {} | {} | {} |\n", Cell(op.name), op.calls, Cell(nodes), Cell(op.spec));
  }
  if (const auto functions = model.functions(); !functions.empty()) {
    text += "\n## Functions\n\n| function | calls | nodes |\n| --- | --- | --- |\n";
    for (const Model::Function& function : functions) {
      text += fmt::format("| {} | {} | {} |\n", Cell(function.name), function.calls, function.nodes);
    }
  }
  text += fmt::format("\n{} nodes, {} weights\n", model.nodes(), model.weights());
  const auto add = [&text](const char* title, const std::vector<std::string>& remarks) {
    if (!remarks.empty()) text += fmt::format("\n## {}\n\n", title);
    for (const std::string& remark : remarks) text += fmt::format("* {}\n", JoinedCell(remark));
  };
  std::vector<std::string> warnings;
  for (const Warning& warning : model.warnings(name)) {
    warnings.push_back(fmt::format("{}: {}", Number(warning.code), warning.text));
  }
  add("Warnings", warnings);
  add("Remarks", model.remarks(name));
  return text;
}

std::string TimesMarkdown(const Model& model) {
  std::string text = "\n## Times\n\n| stage | ms |\n| --- | --- |\n";
  for (const Model::Stage& stage : model.stages())
    text += fmt::format("| {} | {:.1f} |\n", stage.name, stage.time.count());
  return text;
}

std::string FailureMarkdown(const Report& failure) {
  std::string text = "\n## What failed\n\n";
  if (!failure.headline().empty()) text += Cell(failure.headline()) + ":\n\n";
  for (const Diagnostic& diagnostic : failure.diagnostics()) {
    text += fmt::format("* {}: ", Number(diagnostic.code));
    if (!diagnostic.op.empty()) text += fmt::format("{} ({} calls): ", Cell(diagnostic.op), diagnostic.calls);
    text += Cell(diagnostic.reason);
    if (diagnostic.opset != 0) text += fmt::format("; opset {} can express it", diagnostic.opset);
    text += '\n';
    for (const CallSite& site : diagnostic.sites) text += fmt::format("  * {}\n", Cell(site.Text()));
  }
  return text;
}

std::string MarkdownOf(const ExportRecord& record) {
  std::string text = fmt::format("# Export of {}\n\n", Cell(record.source));
  text += fmt::format("onnxport {}: {}\n\n## Options\n\n", kVersion,
                      record.failure != nullptr ? Name(record.failure->kind()) : "exported");
  const ordered_json options = OptionsOf(record.options);
  for (const auto& [key, value] : options.items()) {
    text += fmt::format("* {}: {}\n", key, Cell(value.dump(-1, ' ', false, ordered_json::error_handler_t::replace)));
  }
  // A failure and a model may both be there: an export can succeed and its file fail to be written.
  if (record.failure != nullptr) text += FailureMarkdown(record.failure->With(record.option_name));
  if (record.model != nullptr) text += ModelMarkdown(*record.model, record.option_name);
  if (record.model != nullptr && record.times) text += TimesMarkdown(*record.model);
  return Visible(text);
}

}  // namespace

Result<ReportFormat> ReportFormatOf(std::string_view file) {
  return AtBorder([&] {
    if (file.ends_with(".json")) return ReportFormat::kJson;
    if (file.ends_with(".md")) return ReportFormat::kMarkdown;
    if (file.ends_with(".sarif")) return ReportFormat::kSarif;
    throw Error(ErrorKind::kUsage, fmt::format("report '{}': its name ends in .json, .md or .sarif", file));
  });
}

std::string TextOf(const ExportRecord& record, ReportFormat format) {
  if (format == ReportFormat::kMarkdown) return MarkdownOf(record);
  ordered_json json = JsonOf(record);
  if (format == ReportFormat::kSarif) {
    // SARIF has no words for a model: the whole record goes along as the properties of the run.
    json = SarifOf(record, std::move(json));
  }
  return Visible(json.dump(2, ' ', false, ordered_json::error_handler_t::replace)) + "\n";
}

}  // namespace onnxport
