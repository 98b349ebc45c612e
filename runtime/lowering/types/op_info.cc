#include "runtime/lowering/types/op_info.h"

#include <onnx/defs/schema.h>

#include <algorithm>
#include <limits>
#include <mutex>
#include <optional>

#include "runtime/lowering/types/node_schema.h"
#include "runtime/lowering/types/operator_forms.h"

namespace onnxport::lowering {
namespace {

// "tensor(float)" -> kFloat32; kUndefined for sequences, maps and types that the IR does not have.
ir::DType TensorDType(std::string_view type) {
  if (!type.starts_with("tensor(") || !type.ends_with(')')) return ir::DType::kUndefined;
  type = type.substr(7, type.size() - 8);
  if (type == "float") return ir::DType::kFloat32;
  if (type == "double") return ir::DType::kFloat64;
  return ir::ParseDType(type).value_or(ir::DType::kUndefined);
}

// "seq(tensor(float))" -> "tensor(float)"; empty for other types.
std::string_view SequenceElement(std::string_view type) {
  if (!type.starts_with("seq(") || !type.ends_with(')')) return {};
  return type.substr(4, type.size() - 5);
}

// Parameters with the same variable have one type: Add's A, B and C share `T`. A concrete type is its own variable,
// with one dtype.
int VariableOf(const onnx::OpSchema::FormalParameter& parameter, OpInfo* info) {
  const std::string& name = parameter.GetTypeStr();
  for (size_t i = 0; i < info->variables.size(); ++i) {
    if (info->variables[i].name == name) return static_cast<int>(i);
  }
  TypeVariable variable{name, {}, {}};
  for (const std::string* type : parameter.GetTypes()) {
    const std::string_view element = SequenceElement(*type);
    const ir::DType dtype = TensorDType(element.empty() ? *type : element);
    if (dtype != ir::DType::kUndefined) (element.empty() ? variable.allowed : variable.sequences).Add(dtype);
  }
  info->variables.push_back(std::move(variable));
  return static_cast<int>(info->variables.size() - 1);
}

FormalParameter Parameter(const onnx::OpSchema::FormalParameter& parameter, OpInfo* info) {
  return {.name = parameter.GetName(),
          .variable = VariableOf(parameter, info),
          .optional = parameter.GetOption() == onnx::OpSchema::Optional,
          .variadic = parameter.GetOption() == onnx::OpSchema::Variadic,
          .homogeneous = parameter.GetIsHomogeneous()};
}

AttributeKind KindOf(onnx::AttributeProto::AttributeType type) {
  switch (type) {
    case onnx::AttributeProto::INT:
      return AttributeKind::kInt;
    case onnx::AttributeProto::FLOAT:
      return AttributeKind::kFloat;
    case onnx::AttributeProto::STRING:
      return AttributeKind::kString;
    case onnx::AttributeProto::TENSOR:
      return AttributeKind::kTensor;
    case onnx::AttributeProto::INTS:
      return AttributeKind::kInts;
    case onnx::AttributeProto::FLOATS:
      return AttributeKind::kFloats;
    case onnx::AttributeProto::STRINGS:
      return AttributeKind::kStrings;
    default:
      return AttributeKind::kOther;
  }
}

std::unique_ptr<const OpInfo> Read(const onnx::OpSchema& schema) {
  auto info = std::make_unique<OpInfo>();
  info->name = schema.Name();
  info->since = schema.SinceVersion();
  info->deprecated = schema.Deprecated();
  for (const auto& parameter : schema.inputs()) info->inputs.push_back(Parameter(parameter, info.get()));
  for (const auto& parameter : schema.outputs()) {
    info->outputs.push_back(Parameter(parameter, info.get()));
  }
  for (const auto& [name, attribute] : schema.attributes()) {
    info->attributes.push_back({name, KindOf(attribute.type), attribute.required});
  }
  info->min_inputs = schema.min_input();
  info->max_inputs = schema.max_input();
  info->min_outputs = schema.min_output();
  info->max_outputs = schema.max_output();
  info->schema = &schema;
  return info;
}

int VariableOf(const NodeParameter& parameter, const NodeSchema& schema, OpInfo* info) {
  const auto known = std::ranges::find(info->variables, parameter.type, &TypeVariable::name);
  if (known != info->variables.end()) return static_cast<int>(known - info->variables.begin());
  const auto type = std::ranges::find(schema.types, parameter.type, &NodeType::name);
  const ir::DTypeSet dtypes =
      type == schema.types.end() ? ir::DTypeSet{ir::ParseDType(parameter.type).value()} : type->dtypes;
  info->variables.push_back({parameter.type, dtypes, {}});
  return static_cast<int>(info->variables.size() - 1);
}

// The parameters, and their least and greatest number.
std::vector<FormalParameter> Parameters(const std::vector<NodeParameter>& parameters, const NodeSchema& schema,
                                        OpInfo* info, int* min, int* max) {
  using enum NodeParameter::Count;
  std::vector<FormalParameter> formal;
  for (const NodeParameter& parameter : parameters) {
    const bool variadic = parameter.count == kAny || parameter.count == kSome;
    formal.push_back({.name = parameter.name,
                      .variable = VariableOf(parameter, schema, info),
                      .optional = parameter.count == kOptional,
                      .variadic = variadic,
                      .homogeneous = true});
    if (parameter.count == kOne || parameter.count == kSome) *min = static_cast<int>(formal.size());
    *max = variadic ? std::numeric_limits<int>::max() : static_cast<int>(formal.size());
  }
  return formal;
}

std::unique_ptr<const OpInfo> Read(const NodeSchema& schema) {
  auto info = std::make_unique<OpInfo>();
  info->name = schema.name;
  info->since = schema.version;
  info->inputs = Parameters(schema.inputs, schema, info.get(), &info->min_inputs, &info->max_inputs);
  info->outputs = Parameters(schema.outputs, schema, info.get(), &info->min_outputs, &info->max_outputs);
  for (const NodeAttribute& attribute : schema.attributes) {
    info->attributes.push_back({attribute.name, attribute.kind, attribute.required});
  }
  info->declared = &schema;
  return info;
}

// A requested schema. The OpInfo points into `schema`, so both live equally long. `all` never erases an element.
struct Made {
  explicit Made(const OperatorForm& form) : schema(form.make()) {
    schema->Finalize();
    info = Read(*schema);
  }
  explicit Made(const NodeSchema& declared) : info(Read(declared)) {}
  std::optional<onnx::OpSchema> schema;
  std::unique_ptr<const OpInfo> info;
};

// Each is made once per process.
template <typename Source>
const OpInfo* InfoOf(const Source& source) {
  static std::mutex mutex;
  static auto* all = new std::unordered_map<const Source*, std::unique_ptr<const Made>>;
  const std::lock_guard lock(mutex);
  std::unique_ptr<const Made>& made = (*all)[&source];
  if (!made) made = std::make_unique<Made>(source);
  return made->info.get();
}

const FormalParameter* At(const std::vector<FormalParameter>& parameters, size_t position) {
  if (position < parameters.size()) return &parameters[position];
  // Concat's only parameter stands for any number of inputs.
  if (!parameters.empty() && parameters.back().variadic) return &parameters.back();
  return nullptr;
}

}  // namespace

const FormalParameter* OpInfo::input(size_t position) const { return At(inputs, position); }

const FormalParameter* OpInfo::output(size_t position) const { return At(outputs, position); }

const TypeVariable& OpInfo::VariableOf(const FormalParameter& parameter) const {
  return variables[static_cast<size_t>(parameter.variable)];
}

const AttributeInfo* OpInfo::FindAttribute(std::string_view name) const {
  const auto found = std::ranges::find(attributes, name, &AttributeInfo::name);
  return found == attributes.end() ? nullptr : &*found;
}

int OpInfo::FindInput(std::string_view name) const {
  const auto found = std::ranges::find(inputs, name, &FormalParameter::name);
  return found == inputs.end() ? -1 : static_cast<int>(found - inputs.begin());
}

const OpInfo* OpCatalog::Find(std::string_view op) {
  if (const auto found = infos_.find(op); found != infos_.end()) return found->second;
  // Also stores that there is none, because a spec may ask at each call if an operator exists.
  return infos_.emplace(op, Look(op)).first->second;
}

const OpInfo* OpCatalog::Look(std::string_view op) const {
  // Names of declared operators begin with a domain ("acme.Foo"), so none hides one of ONNX's.
  if (const NodeSchema* declared = FindNodeSchema(op)) return InfoOf(*declared);
  const OperatorForm* form = FindForm(op, opset_);
  return form != nullptr ? InfoOf(*form) : nullptr;
}

}  // namespace onnxport::lowering
