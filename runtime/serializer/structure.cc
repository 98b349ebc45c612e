#include "runtime/serializer/structure.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "onnx/onnx_pb.h"
#include "onnxport/version.h"
#include "runtime/base/error.h"
#include "runtime/base/internal_error.h"
#include "runtime/base/interruption.h"
#include "runtime/ir/ir_version.h"
#include "runtime/lowering/types/op_info.h"
#include "runtime/serializer/node_metadata.h"
#include "runtime/serializer/wire.h"

namespace onnxport::serializer {
namespace {

using onnx::AttributeProto;

constexpr int kGraphNode = 1;  // field number in onnx.proto

// "com.microsoft.Gelu" -> {"com.microsoft", "Gelu"}
std::pair<std::string, std::string> SplitOp(const std::string& op) {
  const size_t dot = op.rfind('.');
  if (dot == std::string::npos) return {"", op};
  return {op.substr(0, dot), op.substr(dot + 1)};
}

void FillTensor(const ir::TensorData& data, const std::string& name, onnx::TensorProto* proto) {
  for (const int64_t dim : data.shape) proto->add_dims(dim);
  proto->set_data_type(static_cast<int>(data.dtype));
  if (!name.empty()) proto->set_name(name);
}

void FillType(const ir::Value& value, onnx::TypeProto* type) {
  if (value.kind == ir::ValueKind::kSequence) type = type->mutable_sequence_type()->mutable_elem_type();
  auto* tensor = type->mutable_tensor_type();
  tensor->set_elem_type(static_cast<int>(value.dtype));
  if (!value.dims) return;
  auto* shape = tensor->mutable_shape();
  for (const ir::Dim& dim : *value.dims) {
    auto* out = shape->add_dim();
    if (dim.is_number()) out->set_dim_value(dim.number());
    if (dim.is_symbolic()) out->set_dim_param(dim.ToString());
  }
}

class AttributeBuilder {
 public:
  AttributeBuilder(const std::string& op, int opset, const ir::Attribute& attribute, AttributeProto* proto)
      : op_(op), opset_(opset), name_(attribute.name), proto_(proto) {
    proto_->set_name(attribute.name);
    std::visit(*this, attribute.value.v);
  }

  void operator()(bool value) { SetInt(value); }
  void operator()(int64_t value) { SetInt(value); }
  void operator()(ir::DType value) { SetInt(static_cast<int64_t>(value)); }
  void operator()(double value) {
    proto_->set_type(AttributeProto::FLOAT);
    proto_->set_f(static_cast<float>(value));
  }
  void operator()(const std::string& value) {
    proto_->set_type(AttributeProto::STRING);
    proto_->set_s(value);
  }
  void operator()(const ir::Word& value) { (*this)(value.text); }
  void operator()(const std::shared_ptr<const ir::TensorData>& value) {
    proto_->set_type(AttributeProto::TENSOR);
    FillTensor(*value, "", proto_->mutable_t());
    std::string* bytes = proto_->mutable_t()->mutable_raw_data();
    bytes->reserve(ByteCount(*value));
    StreamChecked(*value, name_, [bytes](std::span<const std::byte> piece) {
      bytes->append(reinterpret_cast<const char*>(piece.data()), piece.size());
    });
  }
  void operator()(const ir::ArgList& list) {
    proto_->set_type(list.empty() ? SchemaType() : TypeOf(list));
    for (const ir::Arg& element : list) Append(element);
  }
  void operator()(ir::None) { Fail("no value"); }
  void operator()(ir::ValueId) { Fail("a value of the graph"); }

 private:
  void SetInt(int64_t value) {
    proto_->set_type(AttributeProto::INT);
    proto_->set_i(value);
  }

  AttributeProto::AttributeType TypeOf(const ir::ArgList& list) {
    bool floats = false;
    for (const ir::Arg& element : list) {
      if (std::holds_alternative<std::string>(element.v)) return AttributeProto::STRINGS;
      floats = floats || std::holds_alternative<double>(element.v);
    }
    return floats ? AttributeProto::FLOATS : AttributeProto::INTS;
  }

  // An empty list does not tell what it is a list of.
  AttributeProto::AttributeType SchemaType() {
    const lowering::OpInfo* info = lowering::OpCatalog(opset_).Find(op_);
    const lowering::AttributeInfo* attribute = info != nullptr ? info->FindAttribute(name_) : nullptr;
    if (attribute == nullptr) return AttributeProto::INTS;
    if (attribute->kind == lowering::AttributeKind::kFloats) return AttributeProto::FLOATS;
    if (attribute->kind == lowering::AttributeKind::kStrings) return AttributeProto::STRINGS;
    return AttributeProto::INTS;
  }

  void Append(const ir::Arg& element) {
    const auto* integer = std::get_if<int64_t>(&element.v);
    const auto* boolean = std::get_if<bool>(&element.v);
    const auto* real = std::get_if<double>(&element.v);
    const auto* text = std::get_if<std::string>(&element.v);
    const bool whole = integer != nullptr || boolean != nullptr;
    const int64_t number = integer != nullptr ? *integer : boolean != nullptr && *boolean;
    switch (proto_->type()) {
      case AttributeProto::INTS:
        if (whole) return proto_->add_ints(number);
        break;
      case AttributeProto::FLOATS:
        if (whole || real != nullptr) return proto_->add_floats(static_cast<float>(real != nullptr ? *real : number));
        break;
      default:
        if (text != nullptr) return proto_->add_strings(*text);
    }
    Fail("a list of mixed kinds");
  }

  [[noreturn]] void Fail(std::string_view what) {
    throw InternalError(fmt::format("attribute `{}` of {} is {}", name_, op_, what));
  }

  const std::string& op_;
  int opset_;
  const std::string& name_;
  AttributeProto* proto_;
};

void AddPort(const ir::Value& value, onnx::ValueInfoProto* proto) {
  proto->set_name(value.name);
  FillType(value, proto->mutable_type());
}

// Names of the attributes that hold a node's blocks, in their order.
std::vector<std::string_view> BlockAttributes(const std::string& op) {
  if (op == "If") return {"then_branch", "else_branch"};
  return {"body"};
}

// Whether something is known that a reader could want.
bool HasType(const ir::Value& value) { return value.dtype != ir::DType::kUndefined; }

class GraphBuilder {
 public:
  // `metadata` may be null.
  GraphBuilder(const ir::Graph& graph, NodeMetadata* metadata) : graph_(graph), metadata_(metadata) {}

  // The node as a field of a GraphProto.
  std::string NodeField(const ir::Node& node) {
    node_.Clear();
    FillNode(node, &node_);
    const std::string metadata = metadata_ != nullptr ? metadata_->FieldsOf(node.location) : "";
    const size_t size = node_.ByteSizeLong();
    std::string field = FieldHeader(kGraphNode, static_cast<int64_t>(size + metadata.size()));
    node_.AppendToString(&field);
    return field + metadata;
  }

  // Inputs, outputs and the types of what lies between.
  void FillValues(const ir::Block& block, const std::vector<ir::Weight>& weight_inputs, onnx::GraphProto* proto) {
    for (const ir::ValueId input : block.inputs) AddPort(graph_.value(input), proto->add_input());
    for (const ir::Weight& weight : weight_inputs) AddPort(graph_.value(weight.value), proto->add_input());
    std::unordered_set<ir::ValueId> outputs;
    for (const ir::Arg& output : block.outputs) {
      outputs.insert(*output.value());
      AddPort(graph_.value(*output.value()), proto->add_output());
    }
    for (const ir::Node& node : block.nodes) {
      for (const ir::ValueId made : node.outputs) {
        if (made == ir::ValueId::kNone || outputs.contains(made) || !HasType(graph_.value(made))) continue;
        AddPort(graph_.value(made), proto->add_value_info());
      }
    }
  }

 private:
  // All but its metadata.
  void FillNode(const ir::Node& node, onnx::NodeProto* proto) {
    Interruption::Check();
    const auto [domain, type] = SplitOp(node.op);
    proto->set_op_type(type);
    if (!domain.empty()) proto->set_domain(domain);
    proto->set_name(node.name);
    for (const ir::Arg& input : node.inputs) {
      proto->add_input(input.is_none() ? "" : graph_.value(*input.value()).name);
    }
    for (const ir::ValueId output : node.outputs) {
      proto->add_output(output == ir::ValueId::kNone ? "" : graph_.value(output).name);
    }
    for (const ir::Attribute& attribute : node.attributes) {
      AttributeBuilder(node.op, graph_.opset, attribute, proto->add_attribute());
    }
    const std::vector<std::string_view> names = BlockAttributes(node.op);
    for (size_t i = 0; i < node.blocks.size(); ++i) {
      AttributeProto* attribute = proto->add_attribute();
      attribute->set_name(std::string(names[i]));
      attribute->set_type(AttributeProto::GRAPH);
      FillBlock(node.blocks[i], fmt::format("{}_{}", node.name, names[i]), attribute->mutable_g());
    }
  }

  void FillBlock(const ir::Block& block, const std::string& name, onnx::GraphProto* proto) {
    for (const ir::Node& node : block.nodes) {
      onnx::NodeProto* made = proto->add_node();
      FillNode(node, made);
      if (metadata_ != nullptr) made->MergeFromString(metadata_->FieldsOf(node.location));
    }
    proto->set_name(name);
    FillValues(block, {}, proto);
  }

  const ir::Graph& graph_;
  NodeMetadata* metadata_;
  onnx::NodeProto node_;  // of NodeField; what it has allocated serves the next
};

std::string GraphHead(const ir::Graph& graph, const Metadata& metadata) {
  std::optional<NodeMetadata> described;
  if (metadata.source != nullptr) described.emplace(*metadata.source, ir::IrVersionOf(graph.opset));
  GraphBuilder builder(graph, described ? &*described : nullptr);
  std::string head;
  for (const ir::Node& node : graph.body.nodes) head += builder.NodeField(node);
  onnx::GraphProto proto;
  proto.set_name("main_graph");
  return head + proto.SerializeAsString();
}

std::string GraphTail(const ir::Graph& graph, bool state_as_inputs) {
  onnx::GraphProto proto;
  const bool all = ir::IrVersionOf(graph.opset) < ir::kIrVersionWithFreeInitializers;
  std::vector<ir::Weight> inputs;
  std::ranges::copy_if(graph.weights, std::back_inserter(inputs),
                       [&](const ir::Weight& weight) { return all || (state_as_inputs && !weight.constant); });
  GraphBuilder(graph, nullptr).FillValues(graph.body, inputs, &proto);
  return proto.SerializeAsString();
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
    if (const std::string domain = SplitOp(node.op).first; !domain.empty()) {
      const lowering::OpInfo* info = ops->Find(node.op);
      int& version = domains->try_emplace(domain, 1).first->second;
      version = std::max(version, info != nullptr ? info->since : 1);
    }
    for (const ir::Block& inner : node.blocks) AddDomains(inner, ops, domains);
  }
}

std::string ModelTail(const ir::Graph& graph, const Metadata& metadata) {
  lowering::OpCatalog ops(graph.opset);
  std::map<std::string, int> domains{{"", graph.opset}};
  AddDomains(graph.body, &ops, &domains);
  for (const auto& [domain, version] : graph.domains) {
    if (const auto used = domains.find(domain); used != domains.end()) used->second = std::max(used->second, version);
  }
  onnx::ModelProto proto;
  for (const auto& [domain, version] : domains) {
    auto* import = proto.add_opset_import();
    import->set_domain(domain);
    import->set_version(version);
  }
  for (const auto& [key, value] : metadata.properties) {
    auto* property = proto.add_metadata_props();
    property->set_key(key);
    property->set_value(value);
  }
  return proto.SerializePartialAsString();
}

}  // namespace

Structure BuildStructure(const ir::Graph& graph, const Metadata& metadata, bool state_as_inputs) {
  return {.model_head = ModelHead(graph),
          .graph_head = GraphHead(graph, metadata),
          .graph_tail = GraphTail(graph, state_as_inputs),
          .model_tail = ModelTail(graph, metadata)};
}

std::string TensorHeader(const ir::Graph& graph, const ir::Weight& weight, const External* external) {
  onnx::TensorProto proto;
  FillTensor(*weight.data, graph.value(weight.value).name, &proto);
  if (external != nullptr) {
    const auto add = [&proto](std::string_view key, const std::string& value) {
      auto* entry = proto.add_external_data();
      entry->set_key(std::string(key));
      entry->set_value(value);
    };
    add("location", external->file);
    add("offset", fmt::format("{}", external->offset));
    add("length", fmt::format("{}", external->length));
    proto.set_data_location(onnx::TensorProto::EXTERNAL);
  }
  return proto.SerializeAsString();
}

int64_t ByteCount(const ir::TensorData& data) {
  int64_t count = ir::ByteSize(data.dtype);
  if (count == 0)
    throw Error(ErrorKind::kCannotExport, fmt::format("a weight of type {} cannot be stored", ir::Name(data.dtype)));
  for (const int64_t dim : data.shape) {
    if (dim < 0 || __builtin_mul_overflow(count, dim, &count)) {
      throw Error(ErrorKind::kBadInput, fmt::format("a tensor dimension of {} is negative or too large", dim));
    }
  }
  return count;
}

void StreamChecked(const ir::TensorData& data, const std::string& name,
                   const std::function<void(std::span<const std::byte>)>& sink) {
  const int64_t wanted = ByteCount(data);
  int64_t seen = 0;
  data.bytes->Stream([&](std::span<const std::byte> piece) {
    seen += static_cast<int64_t>(piece.size());
    if (seen <= wanted) sink(piece);
  });
  if (seen != wanted) {
    throw Error(ErrorKind::kBadInput, fmt::format("`{}` has {} bytes; its type and shape need {}", name, seen, wanted));
  }
}

}  // namespace onnxport::serializer
