#include "runtime/model/onnx_file/onnx_page.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runtime/model/onnx_file/data_files.h"
#include "runtime/model/onnx_file/html_page.h"
#include "runtime/model/onnx_file/module_tree.h"
#include "runtime/model/onnx_file/read_model.h"
#include "runtime/model/onnx_file/summary.h"
#include "runtime/model/onnx_file/type_text.h"

namespace onnxport::onnx_file {
namespace {

// A browser is too slow for more rows.
constexpr int kMostRows = 5000;

// Rows of which no more than kMostRows are shown.
void AddLeft(size_t rows, HtmlPage* page) {
  if (rows > kMostRows) page->Text(fmt::format("{} more are not shown.", rows - kMostRows));
}

// Sizes that a hostile file states may be anything, also negative (summary.cc).
double Share(int64_t part, int64_t largest) {
  return largest <= 0 ? 0 : std::clamp(static_cast<double>(part) / static_cast<double>(largest), 0.0, 1.0);
}

void AddFigures(const onnx::ModelProto& model, const Summary& summary, HtmlPage* page) {
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

void AddPorts(const onnx::GraphProto& graph, const Summary& summary, HtmlPage* page) {
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

void AddOperators(const Summary& summary, HtmlPage* page) {
  page->Table("Operators", {"operator", "nodes", ""});
  for (const auto& [name, count] : summary.operators) {
    page->BarRow({name}, std::to_string(count), Share(count, summary.operators.front().count));
  }
  page->EndTable();
}

void AddWeights(const Summary& summary, HtmlPage* page) {
  page->Table("Weights", {"name", "type", "size", ""});
  for (size_t i = 0; i < std::min<size_t>(summary.weights.size(), kMostRows); ++i) {
    const Summary::Weight& weight = summary.weights[i];
    const std::string name = weight.file.empty() ? weight.name : weight.name + " (in " + weight.file + ")";
    page->BarRow({name, weight.type}, SizeText(weight.bytes), Share(weight.bytes, summary.weights.front().bytes));
  }
  page->EndTable();
  AddLeft(summary.weights.size(), page);
}

template <typename Texts>
std::string Joined(const Texts& texts) {
  std::string joined;
  for (const std::string& text : texts) joined += (joined.empty() ? "" : ", ") + text;
  return joined;
}

using Nodes = google::protobuf::RepeatedPtrField<onnx::NodeProto>;
using Types = std::map<std::string, std::string>;

void AddNode(const onnx::NodeProto& node, const Types& types, HtmlPage* page) {
  std::vector<std::string> given;
  for (const std::string& output : node.output()) {
    const auto type = types.find(output);
    if (!output.empty()) given.push_back(type == types.end() || type->second.empty() ? "?" : type->second);
  }
  page->Row({Joined(node.output()), Joined(given), OperatorName(node.domain(), node.op_type()), Joined(node.input())});
}

constexpr std::initializer_list<std::string_view> kNodeColumns = {"gives", "type", "operator", "of"};

void AddNodes(std::string_view title, const Nodes& nodes, const Types& types, HtmlPage* page) {
  page->Table(title, kNodeColumns);
  for (int i = 0; i < std::min(nodes.size(), kMostRows); ++i) AddNode(nodes[i], types, page);
  page->EndTable();
  AddLeft(static_cast<size_t>(nodes.size()), page);
}

// The nodes of a graph, as groups within groups.
class NodeGroups {
 public:
  NodeGroups(const Nodes& nodes, const Types& types, HtmlPage* page) : nodes_(nodes), types_(types), page_(page) {}

  void Add(const ModuleTree& module) {
    if (!module.nodes.empty()) {
      page_->Table("", kNodeColumns);
      for (const int i : module.nodes) {
        if (shown_++ < kMostRows) AddNode(nodes_[i], types_, page_);
      }
      page_->EndTable();
    }
    for (const ModuleTree& one : module.modules) {
      if (shown_ >= kMostRows) return;
      const std::string weights = one.weight_bytes == 0 ? "" : ", " + SizeText(one.weight_bytes) + " of weights";
      const std::string nodes = fmt::format("{} node{}", one.all_nodes, one.all_nodes == 1 ? "" : "s");
      // A group that only contains other groups is open from the start.
      page_->Group(one.name, nodes + weights, one.nodes.empty());
      Add(one);
      page_->EndGroup();
    }
  }

 private:
  const Nodes& nodes_;
  const Types& types_;
  HtmlPage* page_;
  int shown_ = 0;
};

void AddModules(const onnx::GraphProto& graph, const Summary& summary, const Types& types, HtmlPage* page) {
  page->Section("Nodes");
  NodeGroups(graph.node(), types, page).Add(ModulesOf(graph, summary.weights));
  AddLeft(static_cast<size_t>(graph.node_size()), page);
}

void AddFunctions(const onnx::ModelProto& model, const Summary& summary, HtmlPage* page) {
  if (model.functions_size() == 0) return;
  std::unordered_map<std::string, int64_t> calls;
  for (const auto& [name, count] : summary.operators) calls.emplace(name, count);
  const int shown = std::min(model.functions_size(), kMostRows);
  page->Table("Functions", {"function", "nodes that call it", "takes", "gives", "nodes", "what it is"});
  for (int i = 0; i < shown; ++i) {
    const onnx::FunctionProto& function = model.functions(i);
    const std::string name = OperatorName(function.domain(), function.name());
    const auto found = calls.find(name);
    page->Row({name, std::to_string(found == calls.end() ? 0 : found->second), Joined(function.input()),
               Joined(function.output()), std::to_string(function.node_size()), function.doc_string()});
  }
  page->EndTable();
  AddLeft(static_cast<size_t>(model.functions_size()), page);
  for (int i = 0; i < shown; ++i) {
    const onnx::FunctionProto& function = model.functions(i);
    AddNodes("Nodes of " + OperatorName(function.domain(), function.name()), function.node(), TypesOf(function), page);
  }
}

}  // namespace

std::string OnnxToHtml(const archive::ByteSource& source, std::vector<std::string>* data_files) {
  onnx::ModelProto model = ReadModel(source);
  if (data_files != nullptr) *data_files = DataFilesOf(model, source.name());
  const Types types = InferTypes(&model, source.name());
  const Summary summary = Summarize(model);
  HtmlPage page(std::filesystem::path(source.name()).filename().string());
  AddFigures(model, summary, &page);
  AddPorts(model.graph(), summary, &page);
  AddOperators(summary, &page);
  AddWeights(summary, &page);
  AddModules(model.graph(), summary, types, &page);
  AddFunctions(model, summary, &page);
  return page.End();
}

}  // namespace onnxport::onnx_file
