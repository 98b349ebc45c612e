#include "codegen/check/node_check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "codegen/check/attribute_check.h"
#include "codegen/check/node_types.h"
#include "codegen/model/onnx_ops.h"
#include "runtime/lowering/types/node_schema.h"

namespace onnxport::codegen {
namespace {

std::vector<std::string_view> NamesOf(const auto& parameters) {
  std::vector<std::string_view> names;
  for (const auto& parameter : parameters) names.push_back(parameter.name);
  return names;
}

class NodeChecker {
 public:
  NodeChecker(const Expr& node, const NodeContext& context, const OpInfo& schema)
      : node_(node), context_(context), schema_(schema), types_(schema, context) {}

  Kind Check(const std::vector<Operand>& operands) {
    // Placed first, then counted, then looked at: types depend on which input an operand is.
    for (const Operand& operand : operands) operand.name.empty() ? AddPositional(operand) : AddNamed(operand);
    CheckArity();
    for (const auto& [position, operand] : inputs_) CheckInput(position, *operand);
    types_.Check(inputs_);
    CheckRequiredAttributes();
    return Result();
  }

 private:
  ir::DTypeSet DTypesOf(const FormalParameter& parameter) const { return schema_.VariableOf(parameter).allowed; }
  // Not sequences, optionals or maps only.
  bool TakesTensors(const FormalParameter& parameter) const { return !DTypesOf(parameter).empty(); }

  void Issue(const Place& place, const std::string& what, const std::string& more = "") {
    context_.issues->Add(place, context_.opset, what, more);
  }

  std::string Arguments() const {
    return fmt::format(" (inputs: {}; attributes: {})", fmt::join(NamesOf(schema_.inputs), ", "),
                       fmt::join(NamesOf(schema_.attributes), ", "));
  }

  // ---- placing ----

  void AddPositional(const Operand& operand) {
    if (operand.splat) splat_ = true;
    inputs_.emplace_back(positional_++, &operand);
  }

  void AddNamed(const Operand& operand) {
    if (operand.name == "outputs") {
      outputs_ = &operand;
      if (!operand.kind.May(Kind::kInt))
        Issue(operand.expr->place, "`outputs` is an int, here is " + ToText(operand.kind));
    } else if (const AttributeInfo* attribute = schema_.FindAttribute(operand.name)) {
      // An attribute at this opset may be an input at a later one (`axes` of Squeeze from 13 on). The spec writes
      // `axes=[0]` for both.
      attributes_[operand.name] = &operand;
      CheckAttribute(*attribute, schema_.name, operand, context_);
    } else if (const int position = schema_.FindInput(operand.name); position >= 0) {
      if (splat_ || position < positional_)
        Issue(operand.expr->place, fmt::format("`{}` is given its input `{}` twice", schema_.name, operand.name));
      inputs_.emplace_back(position, &operand);
    } else {
      auto names = NamesOf(schema_.inputs);
      for (const AttributeInfo& known : schema_.attributes) names.push_back(known.name);
      Issue(operand.expr->place, fmt::format("{} has no argument `{}`", schema_.name, operand.name),
            Arguments() + DidYouMean(operand.name, names));
    }
  }

  void CheckArity() {
    if (positional_ > schema_.max_inputs && !splat_)
      Issue(node_.place,
            fmt::format("{} takes at most {} inputs, here are {}", schema_.name, schema_.max_inputs, positional_),
            Arguments());
    for (size_t i = 0; i < schema_.inputs.size() && !splat_; ++i) {
      const FormalParameter& input = schema_.inputs[i];
      // `Concat(*parts)`: of a variadic input the schema says how many there must be, which `*` leaves open.
      const bool needed = input.variadic ? schema_.min_inputs > static_cast<int>(i) : !input.optional;
      const bool given =
          std::ranges::any_of(inputs_, [&](const auto& item) { return item.first == static_cast<int>(i); });
      if (needed && !given)
        Issue(node_.place, fmt::format("{} needs its input `{}`", schema_.name, input.name), Arguments());
    }
  }

  void CheckRequiredAttributes() {
    for (const AttributeInfo& attribute : schema_.attributes)
      if (attribute.required && !attributes_.contains(attribute.name))
        Issue(node_.place, fmt::format("{} needs its attribute `{}`", schema_.name, attribute.name));
  }

  // ---- inputs ----

  void CheckInput(int position, const Operand& operand) {
    const FormalParameter* input = schema_.input(position);
    if (operand.kind.unknown()) return;  // reported where it was found
    if (!input || operand.splat) return CheckSplat(input, operand);
    const bool list_of_tensors =
        operand.kind.Only(Kind::kList) && operand.kind.element && operand.kind.element->Only(Kind::kTensor);
    // Numbers and lists of numbers become constants, None an absent input.
    const uint16_t takes = Kind::kTensor | Kind::kNumber | Kind::kList | (input->optional ? Kind::kNone : 0);
    if (!operand.kind.May(takes))
      Issue(operand.expr->place,
            fmt::format("input `{}` of {} cannot be {}", input->name, schema_.name, ToText(operand.kind)));
    else if (!input->optional && operand.kind.May(Kind::kNone))
      Issue(operand.expr->place,
            fmt::format("input `{}` of {} is required, and this may be None", input->name, schema_.name));
    else if (list_of_tensors && TakesTensors(*input))
      Issue(operand.expr->place,
            fmt::format("input `{}` of {} is one tensor, here is a list of them", input->name, schema_.name),
            input->variadic ? "; write `*` before it" : "");
  }

  void CheckSplat(const FormalParameter* input, const Operand& operand) {
    if (input && operand.splat && !operand.kind.May(Kind::kList))
      Issue(operand.expr->place, fmt::format("`*` needs a list, here is {}", ToText(operand.kind)));
  }

  // ---- results ----

  ir::DTypeSet OutputTypes(const FormalParameter& output) const {
    // The dtype of Cast is its attribute's and no type variable's.
    if (schema_.name == "Cast")
      if (const auto to = attributes_.find("to"); to != attributes_.end() && to->second->expr->kind == ExprKind::kDType)
        return {to->second->expr->dtype};
    return types_.TypesOf(output);
  }

  Kind Output(size_t position) const {
    const FormalParameter* output = schema_.output(position);
    return output && TakesTensors(*output) ? TensorKind(OutputTypes(*output)) : AnyKind();
  }

  Kind Result() {
    // One output: the first; the others of LayerNormalization or Dropout are optional and left out.
    if (!outputs_) {
      if (schema_.min_outputs > 1)
        Issue(node_.place, fmt::format("{} has {} outputs, say `outputs={}`", schema_.name, schema_.min_outputs,
                                       schema_.min_outputs));
      return Output(0);
    }
    // `outputs=len(sizes)`: a list of a length that is known when the call is lowered.
    if (outputs_->expr->kind != ExprKind::kInt) return ListOf(Output(0));
    const int64_t count = outputs_->expr->int_value;
    if (count < schema_.min_outputs || count > schema_.max_outputs) {
      Issue(outputs_->expr->place, fmt::format("{} has {} outputs, not {}", schema_.name,
                                               schema_.min_outputs == schema_.max_outputs
                                                   ? fmt::format("{}", schema_.min_outputs)
                                                   : fmt::format("{} to {}", schema_.min_outputs, schema_.max_outputs),
                                               count));
      return ListOf(Output(0));
    }
    std::vector<Kind> items;
    for (int64_t i = 0; i < std::min<int64_t>(count, 64); ++i) items.push_back(Output(i));
    return ItemsOf(std::move(items));
  }

  const Expr& node_;
  const NodeContext& context_;
  const OpInfo& schema_;
  std::vector<std::pair<int, const Operand*>> inputs_;
  std::map<std::string, const Operand*> attributes_;
  NodeTypes types_;
  const Operand* outputs_ = nullptr;
  int positional_ = 0;
  bool splat_ = false;
};

// "; did you mean `acme.Foo`?"
std::string NearNode(std::string_view op) {
  std::vector<std::string_view> names;
  for (const lowering::NodeSchemaTable& table : lowering::NodeSchemaTables::All())
    for (const lowering::NodeSchema& schema : table.schemas()) names.push_back(schema.name);
  return DidYouMean(op, names);
}

}  // namespace

Kind CheckNode(const Expr& node, const std::vector<Operand>& operands, const NodeContext& context) {
  const OpInfo* schema = FindOp(node.text, context.opset);
  if (!schema) {
    const auto versions = FormsOf(node.text);
    const std::string more = versions.empty() ? "" : fmt::format("; it exists from opset {}", versions[0]->since);
    context.issues->Add(node.place, context.opset,
                        versions.empty() ? fmt::format("no schema of {} is known{}", node.text, NearNode(node.text))
                                         : fmt::format("{} does not exist", node.text),
                        more);
    return AnyKind();
  }
  if (schema->deprecated) {
    context.issues->Add(node.place, context.opset, fmt::format("{} is deprecated", node.text));
    return AnyKind();
  }
  return NodeChecker(node, context, *schema).Check(operands);
}

}  // namespace onnxport::codegen
