#include "runtime/onnx_file/onnx_page.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/onnx_file/read_model.h"
#include "runtime/onnx_file/summary.h"
#include "runtime/onnx_file/type_text.h"

namespace onnxport::onnx_file {
namespace {

// A browser shows no more rows in good time.
constexpr int kMostRows = 5000;

constexpr std::string_view kStyle = R"(
:root { color-scheme: light dark; --line: #8884; --bar: #4a90d955; --quiet: #888; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 76rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .2rem .8rem .2rem 0; border-bottom: 1px solid var(--line); }
th { color: var(--quiet); font-weight: 600; }
td { font-family: ui-monospace, monospace; font-size: .85rem; overflow-wrap: anywhere; }
td.number { text-align: right; white-space: nowrap; overflow-wrap: normal; }
td.bar { width: 30%; min-width: 6rem; }
td.bar div { background: var(--bar); height: 1.1em; }
)";

std::string Escaped(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '&':
        escaped += "&amp;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

std::string SizeText(int64_t bytes) {
  constexpr std::string_view kUnits[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  auto size = static_cast<double>(bytes);
  size_t unit = 0;
  for (; size >= 1024 && unit + 1 < std::size(kUnits); ++unit) size /= 1024;
  return unit == 0 ? fmt::format("{} bytes", bytes) : fmt::format("{:.1f} {}", size, kUnits[unit]);
}

class Page {
 public:
  void Begin(std::string_view title) {
    html_ += "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n";
    html_ += "<meta name=\"viewport\" content=\"width=device-width\"/>\n";
    html_ +=
        fmt::format("<title>{0}</title>\n<style>{1}</style>\n</head>\n<body>\n<h1>{0}</h1>\n", Escaped(title), kStyle);
  }
  std::string End() { return std::move(html_) + "</body>\n</html>\n"; }

  void Table(std::string_view title, std::initializer_list<std::string_view> columns) {
    if (!title.empty()) html_ += fmt::format("<h2>{}</h2>\n", Escaped(title));
    html_ += "<div class=\"scroll\"><table>\n";
    if (columns.size() == 0) return;
    html_ += "<tr>";
    for (const std::string_view column : columns) html_ += fmt::format("<th>{}</th>", Escaped(column));
    html_ += "</tr>\n";
  }
  void EndTable() { html_ += "</table></div>\n"; }
  void Row(std::initializer_list<std::string_view> cells) {
    html_ += "<tr>";
    for (const std::string_view cell : cells) html_ += fmt::format("<td>{}</td>", Escaped(cell));
    html_ += "</tr>\n";
  }
  // `share` of the largest, from 0 to 1, is drawn.
  void BarRow(std::initializer_list<std::string_view> cells, std::string_view number, double share) {
    html_ += "<tr>";
    for (const std::string_view cell : cells) html_ += fmt::format("<td>{}</td>", Escaped(cell));
    html_ += fmt::format("<td class=\"number\">{}</td>", Escaped(number));
    html_ += fmt::format("<td class=\"bar\"><div style=\"width: {:.1f}%\"></div></td></tr>\n", 100 * share);
  }
  void Left(size_t rows) {
    if (rows > kMostRows) html_ += fmt::format("<p>{} more are not shown.</p>\n", rows - kMostRows);
  }

 private:
  std::string html_;
};

double Share(int64_t part, int64_t largest) {
  return largest <= 0 ? 0 : std::clamp(static_cast<double>(part) / static_cast<double>(largest), 0.0, 1.0);
}

void AddFigures(const onnx::ModelProto& model, const Summary& summary, Page* page) {
  page->Table("Model", {});
  page->Row({"producer", model.producer_name() + " " + model.producer_version()});
  page->Row({"IR version", std::to_string(model.ir_version())});
  for (const auto& import : model.opset_import()) {
    page->Row({import.domain().empty() ? "opset" : "opset of " + import.domain(), std::to_string(import.version())});
  }
  page->Row({"nodes", std::to_string(summary.nodes)});
  page->Row({"weights", fmt::format("{}, {}", summary.weights.size(), SizeText(summary.weight_bytes))});
  if (model.functions_size() > 0) page->Row({"functions", std::to_string(model.functions_size())});
  for (const auto& entry : model.metadata_props()) page->Row({entry.key(), entry.value()});
  page->EndTable();
}

void AddPorts(const onnx::GraphProto& graph, const Summary& summary, Page* page) {
  const auto add = [&](std::string_view title, const auto& ports) {
    page->Table(title, {"name", "type"});
    for (const onnx::ValueInfoProto& port : ports) page->Row({port.name(), TypeText(port.type())});
    page->EndTable();
  };
  add("Inputs", graph.input());
  add("Outputs", graph.output());
  if (summary.axes.empty()) return;
  page->Table("Free axes", {"name", "where"});
  for (const auto& [name, places] : summary.axes) {
    std::string where;
    for (const std::string& place : places) where += (where.empty() ? "" : ", ") + place;
    page->Row({name, where});
  }
  page->EndTable();
}

void AddOperators(const Summary& summary, Page* page) {
  page->Table("Operators", {"operator", "nodes", ""});
  for (const auto& [name, count] : summary.operators) {
    page->BarRow({name}, std::to_string(count), Share(count, summary.operators.front().count));
  }
  page->EndTable();
}

void AddWeights(const Summary& summary, Page* page) {
  page->Table("Weights", {"name", "type", "size", ""});
  for (size_t i = 0; i < std::min<size_t>(summary.weights.size(), kMostRows); ++i) {
    const Summary::Weight& weight = summary.weights[i];
    const std::string name = weight.file.empty() ? weight.name : weight.name + " (in " + weight.file + ")";
    page->BarRow({name, weight.type}, SizeText(weight.bytes), Share(weight.bytes, summary.weights.front().bytes));
  }
  page->EndTable();
  page->Left(summary.weights.size());
}

template <typename Texts>
std::string Joined(const Texts& texts) {
  std::string joined;
  for (const std::string& text : texts) joined += (joined.empty() ? "" : ", ") + text;
  return joined;
}

using Nodes = google::protobuf::RepeatedPtrField<onnx::NodeProto>;

void AddNodes(std::string_view title, const Nodes& nodes, const std::map<std::string, std::string>& types, Page* page) {
  page->Table(title, {"gives", "type", "operator", "of"});
  for (int i = 0; i < std::min(nodes.size(), kMostRows); ++i) {
    const onnx::NodeProto& node = nodes[i];
    std::vector<std::string> given;
    for (const std::string& output : node.output()) {
      const auto type = types.find(output);
      if (!output.empty()) given.push_back(type == types.end() || type->second.empty() ? "?" : type->second);
    }
    page->Row(
        {Joined(node.output()), Joined(given), OperatorName(node.domain(), node.op_type()), Joined(node.input())});
  }
  page->EndTable();
  page->Left(static_cast<size_t>(nodes.size()));
}

void AddFunctions(const onnx::ModelProto& model, const Summary& summary, Page* page) {
  if (model.functions_size() == 0) return;
  page->Table("Functions", {"function", "nodes that call it", "takes", "gives", "nodes", "what it is"});
  for (const onnx::FunctionProto& function : model.functions()) {
    const std::string name = OperatorName(function.domain(), function.name());
    const auto calls = std::ranges::find(summary.operators, name, &Summary::Operator::name);
    page->Row({name, std::to_string(calls == summary.operators.end() ? 0 : calls->count), Joined(function.input()),
               Joined(function.output()), std::to_string(function.node_size()), function.doc_string()});
  }
  page->EndTable();
  for (const onnx::FunctionProto& function : model.functions()) {
    AddNodes("Nodes of " + OperatorName(function.domain(), function.name()), function.node(), TypesOf(function), page);
  }
}

}  // namespace

std::string OnnxToHtml(const archive::ByteSource& source) {
  onnx::ModelProto model = ReadModel(source);
  const std::map<std::string, std::string> types = InferTypes(&model);
  const Summary summary = Summarize(model);
  Page page;
  page.Begin(std::filesystem::path(source.name()).filename().string());
  AddFigures(model, summary, &page);
  AddPorts(model.graph(), summary, &page);
  AddOperators(summary, &page);
  AddWeights(summary, &page);
  AddNodes("Nodes", model.graph().node(), types, &page);
  AddFunctions(model, summary, &page);
  return page.End();
}

}  // namespace onnxport::onnx_file
