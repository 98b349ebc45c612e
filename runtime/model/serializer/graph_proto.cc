#include "runtime/model/serializer/graph_proto.h"

#include <fmt/core.h>

#include <span>
#include <string_view>
#include <unordered_set>

#include "runtime/base/internal_error.h"
#include "runtime/base/interruption.h"
#include "runtime/lowering/types/op_info.h"
#include "runtime/model/serializer/tensor_proto.h"
#include "runtime/model/serializer/wire.h"
#include "runtime/onnx/op_facts.h"

namespace onnxport::serializer {
namespace {

using onnx::AttributeProto;

// Field numbers of onnx.proto, except kGraphInput.
constexpr int kGraphNode = 1;
constexpr int kGraphOutput = 12;
constexpr int kGraphValueInfo = 13;

void FillType(const ir::Value& value, onnx::TypeProto* type) {
  // The dtype and dims of a sequence are those of an element.
  if (value.kind == ir::ValueKind::kSequence) type = type->mutable_sequence_type()->mutable_elem_type();
  auto* tensor = type->mutable_tensor_type();
  tensor->set_elem_type(static_cast<int>(value.dtype));
  if (!value.dims) return;
  auto* shape = tensor->mutable_shape();
  // An unknown size becomes a dimension with neither number nor name; left out, it would lower the rank.
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
    // One float makes it a list of floats: `scales` of Upsample may be written [1, 1, 2.5, 2.5] in a spec.
    bool floats = false;
    for (const ir::Arg& element : list) {
      if (std::holds_alternative<std::string>(element.v)) return AttributeProto::STRINGS;
      floats = floats || std::holds_alternative<double>(element.v);
    }
    return floats ? AttributeProto::FLOATS : AttributeProto::INTS;
  }

  // The type of an empty list comes from the schema.
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

void FillPort(const ir::Value& value, onnx::ValueInfoProto* proto) {
  proto->set_name(value.name);
  FillType(value, proto->mutable_type());
}

// Returns true if anything useful is known.
bool HasType(const ir::Value& value) { return value.dtype != ir::DType::kUndefined; }

}  // namespace

std::pair<std::string_view, std::string_view> SplitOp(std::string_view op) {
  const size_t dot = op.rfind('.');
  if (dot == std::string_view::npos) return {"", op};
  return {op.substr(0, dot), op.substr(dot + 1)};
}

void GraphBuilder::AppendNode(const ir::Node& node, std::string* fields) {
  node_.Clear();
  FillNode(node, &node_);
  // Fields of a message may be in any order, so serialized metadata are appended to the node without parsing.
  metadata_text_.clear();
  if (metadata_ != nullptr) metadata_->AppendFieldsOf(node.location, &metadata_text_);
  AppendFieldHeader(kGraphNode, node_.ByteSizeLong() + metadata_text_.size(), fields);
  node_.AppendToString(fields);
  fields->append(metadata_text_);
}

void GraphBuilder::MakePort(int field, const ir::Value& value, const Fields::Take& take) {
  value_.Clear();
  FillPort(value, &value_);
  port_.clear();
  AppendFieldHeader(field, value_.ByteSizeLong(), &port_);
  value_.AppendToString(&port_);
  take(port_);
}

void GraphBuilder::MakeValues(const ir::Block& block, const std::vector<ir::Weight>& weight_inputs,
                              const Fields::Take& take) {
  for (const ir::ValueId input : block.inputs) MakePort(kGraphInput, graph_.value(input), take);
  for (const ir::Weight& weight : weight_inputs) MakePort(kGraphInput, graph_.value(weight.value), take);
  std::unordered_set<ir::ValueId> outputs;
  for (const ir::Arg& output : block.outputs) {
    outputs.insert(*output.value());
    MakePort(kGraphOutput, graph_.value(*output.value()), take);
  }
  for (const ir::Node& node : block.nodes) {
    for (const ir::ValueId made : node.outputs) {
      // Outputs have their types already.
      if (made == ir::ValueId::kNone || outputs.contains(made) || !HasType(graph_.value(made))) continue;
      MakePort(kGraphValueInfo, graph_.value(made), take);
    }
  }
}

void GraphBuilder::FillFunction(const functions::Function& function, bool with_types, onnx::FunctionProto* proto) {
  const auto [domain, name] = SplitOp(function.op);
  proto->set_domain(domain.data(), domain.size());
  proto->set_name(name.data(), name.size());
  const auto add_type = [&](const ir::Value& value) {
    if (with_types && HasType(value)) FillPort(value, proto->add_value_info());
  };
  for (const ir::ValueId input : function.body.inputs) {
    proto->add_input(graph_.value(input).name);
    add_type(graph_.value(input));
  }
  for (const ir::Arg& output : function.body.outputs) proto->add_output(graph_.value(*output.value()).name);
  for (const ir::Node& node : function.body.nodes) {
    FillNodeAndMetadata(node, proto->add_node());
    for (const ir::ValueId made : node.outputs) {
      if (made != ir::ValueId::kNone) add_type(graph_.value(made));
    }
  }
}

// All but its metadata.
void GraphBuilder::FillNode(const ir::Node& node, onnx::NodeProto* proto) {
  Interruption::Check();
  const auto [domain, type] = SplitOp(node.op);
  proto->set_op_type(type.data(), type.size());
  if (!domain.empty()) proto->set_domain(domain.data(), domain.size());
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
  const std::span<const std::string_view> names = onnx_ops::Find(node.op).blocks;
  for (size_t i = 0; i < node.blocks.size(); ++i) {
    AttributeProto* attribute = proto->add_attribute();
    attribute->set_name(std::string(names[i]));
    attribute->set_type(AttributeProto::GRAPH);
    FillBlock(node.blocks[i], fmt::format("{}_{}", node.name, names[i]), attribute->mutable_g());
  }
}

void GraphBuilder::FillNodeAndMetadata(const ir::Node& node, onnx::NodeProto* proto) {
  FillNode(node, proto);
  if (metadata_ == nullptr) return;
  std::string metadata;
  metadata_->AppendFieldsOf(node.location, &metadata);
  proto->MergeFromString(metadata);
}

void GraphBuilder::FillBlock(const ir::Block& block, const std::string& name, onnx::GraphProto* proto) {
  for (const ir::Node& node : block.nodes) FillNodeAndMetadata(node, proto->add_node());
  proto->set_name(name);
  std::string values;
  MakeValues(block, {}, [&values](std::string_view field) { values += field; });
  proto->MergeFromString(values);
}

}  // namespace onnxport::serializer
