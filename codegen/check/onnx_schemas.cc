#include "codegen/check/onnx_schemas.h"

#include <onnx/defs/schema.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace onnxport::codegen {
namespace {

using ir::DType;
using onnx::AttributeProto;
using onnx::OpSchema;

ir::DType TensorType(std::string_view type) {
  static const std::map<std::string_view, DType> kTypes = {
      {"tensor(float)", DType::kFloat32},       {"tensor(double)", DType::kFloat64},
      {"tensor(float16)", DType::kFloat16},     {"tensor(bfloat16)", DType::kBFloat16},
      {"tensor(uint8)", DType::kUInt8},         {"tensor(uint16)", DType::kUInt16},
      {"tensor(uint32)", DType::kUInt32},       {"tensor(uint64)", DType::kUInt64},
      {"tensor(int8)", DType::kInt8},           {"tensor(int16)", DType::kInt16},
      {"tensor(int32)", DType::kInt32},         {"tensor(int64)", DType::kInt64},
      {"tensor(bool)", DType::kBool},           {"tensor(string)", DType::kString},
      {"tensor(complex64)", DType::kComplex64}, {"tensor(complex128)", DType::kComplex128},
  };
  const auto found = kTypes.find(type);
  return found == kTypes.end() ? DType::kUndefined : found->second;
}

OnnxParameter ToParameter(const OpSchema::FormalParameter& from) {
  OnnxParameter to;
  to.name = from.GetName();
  to.optional = from.GetOption() == OpSchema::Optional;
  to.variadic = from.GetOption() == OpSchema::Variadic;
  to.same_types = from.GetIsHomogeneous();
  to.type = from.GetTypeStr();
  to.tensor = false;
  for (const std::string* type : from.GetTypes()) {
    to.tensor = to.tensor || type->starts_with("tensor(");
    if (const DType dtype = TensorType(*type); dtype != DType::kUndefined) to.dtypes.Add(dtype);
  }
  return to;
}

OnnxAttributeType ToAttributeType(AttributeProto::AttributeType type) {
  switch (type) {
    case AttributeProto::INT:
      return OnnxAttributeType::kInt;
    case AttributeProto::INTS:
      return OnnxAttributeType::kInts;
    case AttributeProto::FLOAT:
      return OnnxAttributeType::kFloat;
    case AttributeProto::FLOATS:
      return OnnxAttributeType::kFloats;
    case AttributeProto::STRING:
      return OnnxAttributeType::kString;
    case AttributeProto::STRINGS:
      return OnnxAttributeType::kStrings;
    case AttributeProto::TENSOR:
      return OnnxAttributeType::kTensor;
    default:
      return OnnxAttributeType::kOther;
  }
}

OnnxSchema ToSchema(const OpSchema& from) {
  OnnxSchema to;
  to.name = from.domain().empty() ? from.Name() : from.domain() + "." + from.Name();
  to.since = from.SinceVersion();
  to.deprecated = from.Deprecated();
  for (const auto& input : from.inputs()) to.inputs.push_back(ToParameter(input));
  for (const auto& output : from.outputs()) to.outputs.push_back(ToParameter(output));
  for (const auto& [name, attribute] : from.attributes())
    to.attributes.push_back({name, ToAttributeType(attribute.type), attribute.required});
  std::ranges::sort(to.attributes, {}, &OnnxAttribute::name);
  to.min_inputs = from.min_input();
  to.max_inputs = from.max_input();
  to.min_outputs = from.min_output();
  to.max_outputs = from.max_output();
  return to;
}

using Versions = std::map<int, OnnxSchema>;

const std::map<std::string, Versions, std::less<>>& AllSchemas() {
  static const auto* all = [] {
    auto* schemas = new std::map<std::string, Versions, std::less<>>;
    for (const OpSchema& from : onnx::OpSchemaRegistry::get_all_schemas_with_history()) {
      OnnxSchema to = ToSchema(from);
      (*schemas)[to.name].emplace(to.since, std::move(to));
    }
    return schemas;
  }();
  return *all;
}

const OnnxParameter* ParameterAt(const std::vector<OnnxParameter>& list, size_t position) {
  if (position < list.size()) return &list[position];
  return !list.empty() && list.back().variadic ? &list.back() : nullptr;
}

}  // namespace

const OnnxAttribute* OnnxSchema::FindAttribute(std::string_view attribute) const {
  const auto found = std::ranges::find(attributes, attribute, &OnnxAttribute::name);
  return found == attributes.end() ? nullptr : &*found;
}

int OnnxSchema::FindInput(std::string_view input) const {
  const auto found = std::ranges::find(inputs, input, &OnnxParameter::name);
  return found == inputs.end() ? -1 : static_cast<int>(found - inputs.begin());
}

const OnnxParameter* OnnxSchema::InputAt(size_t position) const { return ParameterAt(inputs, position); }
const OnnxParameter* OnnxSchema::OutputAt(size_t position) const { return ParameterAt(outputs, position); }

std::string_view Name(OnnxAttributeType type) {
  switch (type) {
    case OnnxAttributeType::kInt:
      return "an int";
    case OnnxAttributeType::kInts:
      return "a list of ints";
    case OnnxAttributeType::kFloat:
      return "a float";
    case OnnxAttributeType::kFloats:
      return "a list of floats";
    case OnnxAttributeType::kString:
      return "a string";
    case OnnxAttributeType::kStrings:
      return "a list of strings";
    case OnnxAttributeType::kTensor:
      return "a tensor";
    case OnnxAttributeType::kOther:
      return "a graph or a type";
  }
  return "";
}

int FirstOpset() { return 7; }

int LastOpset() {
  static const int last = onnx::OpSchemaRegistry::DomainToVersionRange::Instance().Map().at(onnx::ONNX_DOMAIN).second;
  return last;
}

const OnnxSchema* FindOnnxSchema(std::string_view op, int opset) {
  const auto versions = AllSchemas().find(op);
  if (versions == AllSchemas().end()) return nullptr;
  const auto next = versions->second.upper_bound(opset);
  return next == versions->second.begin() ? nullptr : &std::prev(next)->second;
}

std::vector<const OnnxSchema*> OnnxVersions(std::string_view op) {
  std::vector<const OnnxSchema*> list;
  const auto versions = AllSchemas().find(op);
  if (versions == AllSchemas().end()) return list;
  for (const auto& [since, schema] : versions->second) list.push_back(&schema);
  return list;
}

const std::vector<std::string_view>& OnnxOperators() {
  static const auto* names = [] {
    auto* list = new std::vector<std::string_view>;
    for (const auto& [name, versions] : AllSchemas())
      if (name.find('.') == name.npos) list->push_back(name);
    return list;
  }();
  return *names;
}

}  // namespace onnxport::codegen
