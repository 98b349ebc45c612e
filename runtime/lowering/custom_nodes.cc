#include "runtime/lowering/custom_nodes.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/aten/aten_schema.h"
#include "runtime/lowering/build/emitter.h"
#include "runtime/lowering/dsl/custom_node.h"
#include "runtime/lowering/dsl/dispatch.h"

namespace onnxport::lowering {
namespace {

using ir::ValueKind;

std::string_view WithoutOverload(std::string_view op) { return op.substr(0, op.find('.')); }

std::vector<std::string> ArgumentNames(const CustomNodes::Target& target, const ir::Node& call) {
  if (!target.arguments.empty()) return target.arguments;
  std::vector<std::string> names;
  if (const ir::AtenSchema* schema = ir::FindAtenSchema(call.op)) {
    for (const ir::AtenArgument& argument : schema->arguments) names.push_back(argument.name);
  } else {
    for (const ir::Attribute& attribute : call.attributes) names.push_back(attribute.name);
  }
  return names;
}

bool HoldsTensors(const Val& value) {
  return value.is_tensor() || (value.is_list() && std::ranges::any_of(value.AsList(), HoldsTensors));
}

// Distributes arguments, in order, to inputs and attributes of the node.
class Distribution {
 public:
  Distribution(Emitter* emitter, const ir::Node& call, std::vector<std::string> names, CustomNode* node)
      : emitter_(*emitter), schema_(ir::FindAtenSchema(call.op)), names_(std::move(names)), node_(*node) {}

  void Place(const Vals& args) {
    for (size_t i = 0; i < args.size(); ++i) {
      if (HoldsTensors(args[i]) && !IsNumber(args[i])) {
        PlaceTensors(i, args[i]);
      } else if (args[i].is_none()) {
        PlaceNone(i);
      } else {
        node_.attributes.emplace_back(NameOf(i), args[i]);
      }
    }
  }

 private:
  bool IsNumber(const Val& value) const { return value.is_tensor() && emitter_.facts().IsNumber(value.AsTensor().id); }

  std::string NameOf(size_t i) const {
    if (i < names_.size() && !names_[i].empty()) return names_[i];
    throw Refusal(
        Code::kCustomNodeDoesNotFit,
        fmt::format("what its argument {} is called is not known, which is the name of an attribute of the node; state "
                    "the names of all arguments: <<map: ns::op(x, factor)={}>>",
                    i, node_.op));
  }

  void PlaceTensors(size_t i, const Val& value) {
    if (after_list_ || !open_.empty()) {
      throw Refusal(Code::kCustomNodeDoesNotFit,
                    fmt::format("which inputs of the node its tensors are is not certain: {} before argument {} {}",
                                after_list_ ? "a list" : "None as argument " + open_, i,
                                after_list_ ? "has any number of them" : "may stand for a tensor, or not"));
    }
    if (value.is_tensor()) return node_.inputs.push_back(value);
    for (const Val& element : value.AsList()) {
      if (!element.is_none() && (!element.is_tensor() || IsNumber(element))) {
        throw Refusal(Code::kCustomNodeDoesNotFit, fmt::format("argument {} is a list of tensors and other things", i));
      }
      node_.inputs.push_back(element);
    }
    after_list_ = true;
  }

  // Only a schema can tell if a tensor is missing.
  void PlaceNone(size_t i) {
    if (schema_ == nullptr) {
      open_ = std::to_string(i);
    } else if (schema_->arguments[i].type.kind == ir::AtenKind::kTensor) {
      node_.inputs.emplace_back();
    }
  }

  const Emitter& emitter_;
  const ir::AtenSchema* schema_;
  std::vector<std::string> names_;
  CustomNode& node_;
  bool after_list_ = false;
  std::string open_;  // an argument that is None and may be a tensor
};

// Results that the program does not use have no stated type.
void StateTypes(const ir::Node& call, const ir::StatedTypes& stated, CustomNode* node) {
  for (const ir::Value* type : stated) {
    if (type == nullptr) {
      throw Refusal(Code::kCustomNodeDoesNotFit,
                    fmt::format("one of the results of {} is not used, and so has no type in the file", call.op));
    }
    if (type->kind != ValueKind::kTensor)
      throw Refusal(Code::kCustomNodeDoesNotFit, "it gives a number; a node of ONNX gives tensors");
    node->results.emplace_back();
    node->results.back().dtype = type->dtype;
    node->results.back().dims = type->dims;
  }
}

std::string GuessTypes(const Emitter& emitter, const ir::Node& call, CustomNode* node) {
  const auto first = std::ranges::find_if(node->inputs, &Val::is_tensor);
  if (first == node->inputs.end()) {
    throw Refusal(Code::kCustomNodeDoesNotFit,
                  "it takes no tensor, and the file does not say of what dtype its result is; export from a .pt2");
  }
  ir::Value type;
  type.dtype = emitter.value(first->AsTensor().id).dtype;
  const ir::AtenSchema* schema = ir::FindAtenSchema(call.op);
  node->results.assign(schema == nullptr ? 1 : schema->results.size(), type);
  return fmt::format("; what it gives is taken to be {}, as its first tensor is", ir::Name(type.dtype));
}

// One result is a value; several are a list if the schema says so.
Vals AsResults(const ir::Node& call, Vals made) {
  const ir::AtenSchema* schema = ir::FindAtenSchema(call.op);
  const bool list = schema != nullptr && schema->results.size() == 1 && schema->results[0].type.list;
  return list ? Vals{Val(std::move(made))} : made;
}

}  // namespace

std::optional<CustomNodes::Target> TargetOf(const CustomNodes& nodes, const ir::Operator& asked) {
  if (asked.instruction()) return std::nullopt;
  const std::string_view op = asked;
  for (const std::string_view name : {op, WithoutOverload(op)}) {
    if (const auto found = nodes.targets.find(name); found != nodes.targets.end()) return found->second;
  }
  const size_t colons = op.find("::");
  const std::string_view space = op.substr(0, colons);
  if (!nodes.fallthrough || colons == std::string_view::npos || space == "prim") return std::nullopt;
  // An entry that only gives the reason for a refusal does not count.
  if (std::ranges::any_of(RowsOf(op), [](const auto& row) { return row.refusal == nullptr; })) return std::nullopt;
  return CustomNodes::Target{.node = fmt::format("{}.{}", space, WithoutOverload(op).substr(colons + 2)),
                             .arguments = {}};
}

Vals LowerToCustomNode(Emitter* emitter, const CustomNodes::Target& target, const ir::Node& call, const Vals& args,
                       const ir::StatedTypes* stated, std::string* remark) {
  if (ir::FindAtenSchema(call.op) == nullptr && WithoutOverload(call.op).ends_with('_')) {
    throw Refusal(Code::kCustomNodeDoesNotFit, "by its name it writes to its arguments, which no node of ONNX does");
  }
  Context context(emitter, args);
  CustomNode node{.op = target.node, .version = 0, .inputs = {}, .attributes = {}, .results = {}};
  const size_t dot = target.node.rfind('.');
  const std::string domain = dot == std::string::npos ? "" : target.node.substr(0, dot);
  Distribution(emitter, call, ArgumentNames(target, call), &node).Place(args);
  *remark = fmt::format("{} is exported as the node {}{}", call.op, target.node.substr(dot + 1),
                        domain.empty() ? "" : fmt::format(" of domain {}, which the runtime must have", domain));
  if (stated != nullptr) {
    StateTypes(call, *stated, &node);
  } else {
    *remark += GuessTypes(*emitter, call, &node);
  }
  return AsResults(call, EmitCustomNode(&context, node));
}

}  // namespace onnxport::lowering
