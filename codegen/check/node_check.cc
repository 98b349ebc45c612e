#include "codegen/check/node_check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>

#include "codegen/model/onnx_ops.h"
#include "runtime/lowering/types/node_schema.h"

namespace onnxport::codegen {
namespace {

std::vector<std::string_view> NamesOf(const auto& parameters) {
  std::vector<std::string_view> names;
  for (const auto& parameter : parameters) names.push_back(parameter.name);
  return names;
}

// An int attribute takes a number or a dtype, as `to` of Cast is one; a tensor (`value` of ConstantOfShape) is written
// as a number or a list of them.
uint16_t KindsOf(AttributeKind kind) {
  switch (kind) {
    case AttributeKind::kInt:
      return Kind::kNumber | Kind::kDType;
    case AttributeKind::kFloat:
      return Kind::kNumber;
    case AttributeKind::kString:
      return Kind::kText;
    case AttributeKind::kInts:
    case AttributeKind::kFloats:
    case AttributeKind::kStrings:
      return Kind::kList;
    case AttributeKind::kTensor:
      return Kind::kNumber | Kind::kList;
    case AttributeKind::kOther:
      return 0;
  }
  return 0;
}

uint16_t ElementsOf(AttributeKind kind) {
  return kind == AttributeKind::kStrings ? uint16_t{Kind::kText} : uint16_t{Kind::kNumber};
}

// For messages.
std::string_view Described(AttributeKind kind) {
  switch (kind) {
    case AttributeKind::kInt:
      return "an int";
    case AttributeKind::kInts:
      return "a list of ints";
    case AttributeKind::kFloat:
      return "a float";
    case AttributeKind::kFloats:
      return "a list of floats";
    case AttributeKind::kString:
      return "a string";
    case AttributeKind::kStrings:
      return "a list of strings";
    case AttributeKind::kTensor:
      return "a tensor";
    case AttributeKind::kOther:
      return "a graph or a type";
  }
  return "";
}

class NodeChecker {
 public:
  NodeChecker(const Expr& node, const NodeContext& context, const OpInfo& schema)
      : node_(node), context_(context), schema_(schema) {}

  Kind Check(const std::vector<Operand>& operands) {
    // Placed first, then counted, then looked at: types depend on which input an operand is.
    for (const Operand& operand : operands) operand.name.empty() ? AddPositional(operand) : AddNamed(operand);
    CheckArity();
    for (const auto& [position, operand] : inputs_) CheckInput(position, *operand);
    CheckTypes();
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
      // What is an attribute at this opset may be an input at a later one (`axes` of Squeeze from 13 on). The spec
      // writes `axes=[0]` for both.
      attributes_[operand.name] = &operand;
      CheckAttribute(*attribute, operand);
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

  // ---- kinds ----

  void CheckAttribute(const AttributeInfo& attribute, const Operand& operand) {
    const uint16_t takes = KindsOf(attribute.kind);
    const bool list = takes == Kind::kList;
    const bool fits = operand.kind.unknown() || operand.kind.Only(Kind::kNone) || operand.kind.May(takes);
    const bool elements_fit = !list || !operand.kind.May(Kind::kList) ||
                              (!operand.kind.element && operand.kind.items.empty()) ||
                              operand.kind.Element().May(ElementsOf(attribute.kind));
    if (takes == 0)
      Issue(operand.expr->place, fmt::format("attribute `{}` of {} is {}, which specs cannot give", attribute.name,
                                             schema_.name, Described(attribute.kind)));
    else if (!fits || !elements_fit)
      Issue(operand.expr->place, fmt::format("attribute `{}` of {} is {}, here is {}", attribute.name, schema_.name,
                                             Described(attribute.kind), ToText(operand.kind)));
    else if (attribute.required && operand.kind.May(Kind::kNone) && !operand.kind.unknown())
      Issue(operand.expr->place,
            fmt::format("attribute `{}` of {} is required, and this may be None", attribute.name, schema_.name));
  }

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

  // ---- type variables ----

  // What the variable may be, and who said so. ONNX's `T`: Add(A: T, B: T) -> C: T. Each tensor input narrows what T
  // may be; when nothing is left, no call could be right. An output of type T has what is left.
  struct Variable {
    ir::DTypeSet dtypes;
    ir::DTypeSet allowed;
    std::string inputs;  // "A: {float32}, B: {int64}"
    bool conflict = false;
  };

  // The types that an input takes, those that `compute_in` leads to one of them included.
  ir::DTypeSet Allowed(const FormalParameter& input) const {
    ir::DTypeSet allowed = DTypesOf(input);
    if (!context_.compute_in) return allowed;
    for (const auto& [word, to] : context_.compute_in->to) {
      const auto dtype = ir::ParseDType(to);
      if (dtype && DTypesOf(input).Has(*dtype)) allowed = allowed | TypesOfClass(word);
    }
    return allowed;
  }

  // `compute_in` keeps every value, or says why it need not.
  void CheckLossless(const FormalParameter& input, ir::DTypeSet dtypes, const ExprPtr& expr) {
    if (!context_.compute_in || !context_.compute_in->lossy.empty()) return;
    for (const auto& [word, to] : context_.compute_in->to) {
      const auto dtype = ir::ParseDType(to);
      if (!dtype || !DTypesOf(input).Has(*dtype)) continue;
      const ir::DTypeSet changed = (dtypes & TypesOfClass(word)) - DTypesOf(input) - HeldBy(*dtype);
      if (!changed.empty())
        Issue(expr->place,
              fmt::format("`compute_in` would compute {} in {}, which does not hold every value", ToText(changed), to),
              "; say with `lossy: reason` why that is right");
    }
  }

  // Heterogeneous variadic inputs have a variable each.
  std::string VariableName(const FormalParameter& input, int position) const {
    const std::string& name = schema_.VariableOf(input).name;
    return input.variadic && !input.homogeneous ? fmt::format("{}#{}", name, position) : name;
  }

  void CheckTypes() {
    for (const auto& [position, operand] : inputs_) {
      const FormalParameter* input = schema_.input(position);
      if (!input || !TakesTensors(*input)) continue;
      const Kind kind = operand->splat ? operand->kind.Element() : operand->kind;
      // What may be a number too is left out: it would take any dtype. Constants come after all tensors, which decide
      // what they become.
      if (!kind.Only(Kind::kTensor | Kind::kNone) || !kind.May(Kind::kTensor)) continue;
      AddTensor(*input, VariableName(*input, position), kind.dtypes, operand->expr);
    }
    for (const auto& [position, operand] : inputs_)
      if (const FormalParameter* input = schema_.input(position); input && !operand->splat)
        CheckConstant(*input, position, *operand);
  }

  void AddTensor(const FormalParameter& input, const std::string& name, ir::DTypeSet dtypes, const ExprPtr& expr) {
    const ir::DTypeSet allowed = Allowed(input);
    CheckLossless(input, dtypes, expr);
    const auto [known, is_new] = variables_.emplace(name, Variable{allowed, allowed, {}, false});
    Variable& variable = known->second;
    // Not a mistake: an operator that does not exist for int8 in ONNX is refused for int8. --notes lists them.
    if (const ir::DTypeSet left = (dtypes & kTensorTypes) - allowed; !left.empty() && context_.uncovered)
      context_.uncovered->push_back({expr->place, schema_.name, left});
    variable.inputs += fmt::format("{}`{}` is {}", is_new ? "" : ", ", input.name, ToText(dtypes));
    const ir::DTypeSet both = variable.dtypes & dtypes;
    if (both.empty() && !variable.conflict) {
      variable.conflict = true;
      const std::string takes = is_new ? fmt::format(", {} takes {}", schema_.name, ToText(DTypesOf(input))) : "";
      Issue(expr->place,
            fmt::format("no type fits {} of {}: {}{}",
                        is_new ? "`" + input.name + "`" : "all inputs of type `" + schema_.VariableOf(input).name + "`",
                        schema_.name, variable.inputs, takes));
    }
    if (!variable.conflict) variable.dtypes = both;
  }

  // A host number becomes a constant of the variable's type.
  void CheckConstant(const FormalParameter& input, int position, const Operand& operand) {
    if (operand.expr->kind != ExprKind::kFloat && operand.expr->kind != ExprKind::kInt) return;
    const auto variable = variables_.find(VariableName(input, position));
    const ir::DTypeSet types = variable == variables_.end() ? DTypesOf(input) : variable->second.dtypes;
    const bool whole = operand.expr->kind == ExprKind::kInt;
    const ir::DTypeSet numbers = types - kBoolType;
    const bool fits = whole ? !numbers.empty() : !(types & (kFloatTypes | kComplexTypes)).empty();
    if (!fits && !types.empty())
      Issue(operand.expr->place, fmt::format("the constant does not fit input `{}` of {}, which is {} here", input.name,
                                             schema_.name, ToText(types)));
  }

  // ---- results ----

  ir::DTypeSet OutputTypes(const FormalParameter& output) const {
    // The dtype of Cast is its attribute's and no type variable's.
    if (schema_.name == "Cast")
      if (const auto to = attributes_.find("to"); to != attributes_.end() && to->second->expr->kind == ExprKind::kDType)
        return {to->second->expr->dtype};
    const auto variable = variables_.find(schema_.VariableOf(output).name);
    return variable == variables_.end() || variable->second.conflict ? DTypesOf(output) : variable->second.dtypes;
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
  std::map<std::string, Variable> variables_;
  const Operand* outputs_ = nullptr;
  int positional_ = 0;
  bool splat_ = false;
};

// "; did you mean `acme.Foo`?"
std::string NearNode(std::string_view op) {
  std::vector<std::string_view> names;
  for (const lowering::NodeSchemaTable& table : lowering::NodeSchemaTables::All())
    for (const lowering::NodeSchema& schema : table.schemas) names.push_back(schema.name);
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
