#include "codegen/check/node_types.h"

#include <fmt/format.h>

#include "codegen/check/dtypes.h"

namespace onnxport::codegen {

// The types that an input takes, those that `compute_in` leads to one of them included.
ir::DTypeSet NodeTypes::Allowed(const FormalParameter& input) const {
  ir::DTypeSet allowed = DTypesOf(input);
  if (!context_.compute_in) return allowed;
  for (const auto& [word, to] : context_.compute_in->to) {
    const auto dtype = ir::ParseDType(to);
    if (dtype && DTypesOf(input).Has(*dtype)) allowed = allowed | TypesOfClass(word);
  }
  return allowed;
}

// `compute_in` keeps every value, or says why it need not.
void NodeTypes::CheckLossless(const FormalParameter& input, ir::DTypeSet dtypes, const ExprPtr& expr) {
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
std::string NodeTypes::VariableName(const FormalParameter& input, int position) const {
  const std::string& name = schema_.VariableOf(input).name;
  return input.variadic && !input.homogeneous ? fmt::format("{}#{}", name, position) : name;
}

void NodeTypes::Check(const std::vector<std::pair<int, const Operand*>>& inputs) {
  for (const auto& [position, operand] : inputs) {
    const FormalParameter* input = schema_.input(position);
    if (!input || DTypesOf(*input).empty()) continue;
    const Kind kind = operand->splat ? operand->kind.Element() : operand->kind;
    // An operand that may also be a number is left out, since a number takes any dtype. Constants come after all
    // tensors, which decide what they become.
    if (!kind.Only(Kind::kTensor | Kind::kNone) || !kind.May(Kind::kTensor)) continue;
    AddTensor(*input, VariableName(*input, position), kind.dtypes, operand->expr);
  }
  for (const auto& [position, operand] : inputs)
    if (const FormalParameter* input = schema_.input(position); input && !operand->splat)
      CheckConstant(*input, position, *operand);
}

void NodeTypes::AddTensor(const FormalParameter& input, const std::string& name, ir::DTypeSet dtypes,
                          const ExprPtr& expr) {
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
void NodeTypes::CheckConstant(const FormalParameter& input, int position, const Operand& operand) {
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

ir::DTypeSet NodeTypes::TypesOf(const FormalParameter& output) const {
  const auto variable = variables_.find(schema_.VariableOf(output).name);
  return variable == variables_.end() || variable->second.conflict ? DTypesOf(output) : variable->second.dtypes;
}

}  // namespace onnxport::codegen
