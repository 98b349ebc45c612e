#include "runtime/model/serializer/structure.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "onnx/onnx_pb.h"
#include "onnxport/version.h"
#include "runtime/ir/ir_version.h"
#include "runtime/lowering/types/op_info.h"
#include "runtime/model/serializer/graph_proto.h"
#include "runtime/model/serializer/node_metadata.h"
#include "runtime/model/serializer/wire.h"

namespace onnxport::serializer {
namespace {

using functions::Function;

constexpr int kModelFunction = 25;                  // field number in onnx.proto
constexpr int kIrVersionWithTypesInFunctions = 10;  // opset 21

std::optional<NodeMetadata> MetadataOfNodes(const ir::Graph& graph, const ir::Graph* source) {
  if (source == nullptr) return std::nullopt;
  return std::optional<NodeMetadata>(std::in_place, *source, graph.locations, ir::IrVersionOf(graph.opset));
}

void MakeGraphHead(const ir::Graph& graph, const ir::Graph* source, const Fields::Take& take) {
  std::optional<NodeMetadata> metadata = MetadataOfNodes(graph, source);
  GraphBuilder builder(graph, metadata ? &*metadata : nullptr);
  std::string field;
  for (const ir::Node& node : graph.body.nodes) {
    field.clear();
    builder.AppendNode(node, &field);
    take(field);
  }
  onnx::GraphProto proto;
  proto.set_name("main_graph");
  take(proto.SerializeAsString());
}

void MakeGraphTail(const ir::Graph& graph, bool state_as_inputs, const Fields::Take& take) {
  // Before IR version 4 an initializer was the default of an input.
  const bool all = ir::IrVersionOf(graph.opset) < ir::kIrVersionWithFreeInitializers;
  std::vector<ir::Weight> inputs;
  std::ranges::copy_if(graph.weights, std::back_inserter(inputs),
                       [&](const ir::Weight& weight) { return all || (state_as_inputs && !weight.constant); });
  GraphBuilder(graph, nullptr).MakeValues(graph.body, inputs, take);
}

std::string ModelHead(const ir::Graph& graph) {
  onnx::ModelProto proto;
  proto.set_ir_version(ir::IrVersionOf(graph.opset));
  proto.set_producer_name("onnxport");
  proto.set_producer_version(kVersion);
  return proto.SerializeAsString();
}

// The versions of other domains that the nodes need: the newest that an operator of theirs is from. One without a
// schema is of the first.
void AddDomains(const ir::Block& block, lowering::OpCatalog* ops, std::map<std::string, int>* domains) {
  for (const ir::Node& node : block.nodes) {
    if (const std::string_view domain = SplitOp(node.op).first; !domain.empty()) {
      const lowering::OpInfo* info = ops->Find(node.op);
      int& version = domains->try_emplace(std::string(domain), 1).first->second;
      version = std::max(version, info != nullptr ? info->since : 1);
    }
    for (const ir::Block& inner : node.blocks) AddDomains(inner, ops, domains);
  }
}

// The domains of the model as a whole. A function imports those that it uses in the same versions.
std::map<std::string, int> DomainsOf(const ir::Graph& graph, std::span<const Function> functions) {
  lowering::OpCatalog ops(graph.opset);
  std::map<std::string, int> domains{{"", graph.opset}};
  AddDomains(graph.body, &ops, &domains);
  for (const Function& function : functions) AddDomains(function.body, &ops, &domains);
  for (const auto& [domain, version] : graph.domains) {
    if (const auto used = domains.find(domain); used != domains.end()) used->second = std::max(used->second, version);
  }
  return domains;
}

void Import(const std::string& domain, int version, onnx::OperatorSetIdProto* import) {
  import->set_domain(domain);
  import->set_version(version);
}

void AddUsedDomains(const ir::Block& block, std::set<std::string>* used) {
  for (const ir::Node& node : block.nodes) {
    used->emplace(SplitOp(node.op).first);
    for (const ir::Block& inner : node.blocks) AddUsedDomains(inner, used);
  }
}

// "Linear of fc1, fc2 and 3 more modules"
std::string DocumentationOf(const Function& function) {
  constexpr size_t kMostPaths = 8;
  std::vector<std::string> paths;
  for (const std::string& path : function.paths) {
    if (std::ranges::find(paths, path) == paths.end()) paths.push_back(path);
  }
  const size_t shown = std::min(paths.size(), kMostPaths);
  std::string text =
      fmt::format("{} of {}", function.module->type, fmt::join(paths.begin(), paths.begin() + shown, ", "));
  if (shown < paths.size()) text += fmt::format(" and {} more modules", paths.size() - shown);
  if (function.paths.size() > 1) text += fmt::format("; the calls that its nodes name are those of {}", paths[0]);
  return Utf8(text);
}

std::string FunctionFields(const ir::Graph& graph, std::span<const Function> functions,
                           const std::map<std::string, int>& domains, const ir::Graph* source) {
  const bool with_types = ir::IrVersionOf(graph.opset) >= kIrVersionWithTypesInFunctions;
  std::optional<NodeMetadata> metadata = MetadataOfNodes(graph, source);
  GraphBuilder builder(graph, metadata ? &*metadata : nullptr);
  std::string fields;
  for (const Function& function : functions) {
    onnx::FunctionProto proto;
    if (metadata) {
      metadata->EnterFunction(*function.module);
      proto.set_doc_string(DocumentationOf(function));
    }
    builder.FillFunction(function, with_types, &proto);
    std::set<std::string> used{""};
    AddUsedDomains(function.body, &used);
    for (const std::string& domain : used) Import(domain, domains.at(domain), proto.add_opset_import());
    fields += FieldHeader(kModelFunction, static_cast<int64_t>(proto.ByteSizeLong()));
    proto.AppendToString(&fields);
  }
  return fields;
}

std::string ModelTail(const std::map<std::string, int>& domains, const Metadata& metadata) {
  onnx::ModelProto proto;
  for (const auto& [domain, version] : domains) Import(domain, version, proto.add_opset_import());
  for (const auto& [key, value] : metadata.properties) {
    auto* property = proto.add_metadata_props();
    property->set_key(key);
    property->set_value(value);
  }
  return proto.SerializePartialAsString();
}

}  // namespace

Structure BuildStructure(const ir::Graph& graph, std::span<const Function> functions, const Metadata& metadata,
                         bool state_as_inputs) {
  const ir::Graph* source = metadata.source;
  const std::map<std::string, int> domains = DomainsOf(graph, functions);
  Structure structure{
      .model_head = ModelHead(graph),
      .graph_head = Fields([&graph, source](const Fields::Take& take) { MakeGraphHead(graph, source, take); }),
      .graph_tail =
          Fields([&graph, state_as_inputs](const Fields::Take& take) { MakeGraphTail(graph, state_as_inputs, take); }),
      .model_tail = ModelTail(domains, metadata)};
  if (!functions.empty()) structure.model_tail += FunctionFields(graph, functions, domains, source);
  return structure;
}

}  // namespace onnxport::serializer
