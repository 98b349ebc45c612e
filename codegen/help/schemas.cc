#include "codegen/help/schemas.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <functional>
#include <set>

#include "codegen/check/dtypes.h"
#include "codegen/check/opset_text.h"
#include "codegen/model/onnx_ops.h"

namespace onnxport::codegen {
namespace {

// In the order of AttributeKind.
constexpr auto kAttributeKinds =
    std::to_array<std::string_view>({"int", "float", "string", "tensor", "ints", "floats", "strings", "other"});

std::string KindOfAttribute(const AttributeInfo& attribute) {
  return std::string(kAttributeKinds[static_cast<size_t>(attribute.kind)]) + (attribute.required ? "" : "?");
}

std::string TypeText(const OpInfo& info, const FormalParameter& parameter) {
  return info.VariableOf(parameter).name + (parameter.variadic ? "*" : parameter.optional ? "?" : "");
}

// "ReduceSum(data: T, axes: tensor(int64)?, keepdims: int?) -> reduced: T; T: {float32, int64}"
std::string FormText(const OpInfo& info) {
  std::vector<std::string> arguments;
  std::vector<std::string> results;
  for (const FormalParameter& input : info.inputs)
    arguments.push_back(fmt::format("{}: {}", input.name, TypeText(info, input)));
  for (const AttributeInfo& attribute : info.attributes)
    arguments.push_back(fmt::format("{}: {}", attribute.name, KindOfAttribute(attribute)));
  for (const FormalParameter& output : info.outputs)
    results.push_back(fmt::format("{}: {}", output.name, TypeText(info, output)));
  std::string text = fmt::format("{}({}) -> {}", info.name, fmt::join(arguments, ", "), fmt::join(results, ", "));
  for (const lowering::TypeVariable& variable : info.variables)
    if (!variable.name.starts_with("tensor(")) text += fmt::format("; {}: {}", variable.name, ToText(variable.allowed));
  return text + (info.deprecated ? "; deprecated" : "");
}

std::string ArgumentText(const OpInfo& info, std::string_view name) {
  if (const AttributeInfo* attribute = info.FindAttribute(name))
    return fmt::format("attribute, {}", KindOfAttribute(*attribute));
  const int position = info.FindInput(name);
  if (position < 0) return "absent";
  const FormalParameter& input = info.inputs[static_cast<size_t>(position)];
  return fmt::format("input, {} in {}", TypeText(info, input), ToText(info.VariableOf(input).allowed));
}

// A line for each run of opsets that have one form.
std::string ByOpset(std::string_view op, const std::function<std::string(const OpInfo&)>& text_of) {
  std::string text;
  std::set<int> opsets;
  std::string last;
  const auto end = [&] {
    if (!opsets.empty()) text += fmt::format("  {}: {}\n", OpsetText(opsets), last);
    opsets.clear();
  };
  for (int opset = FirstOpset(); opset <= LastOpset(); ++opset) {
    const OpInfo* info = FindOp(op, opset);
    const std::string now = info == nullptr ? "absent" : text_of(*info);
    if (now != last) end();
    opsets.insert(opset);
    last = now;
  }
  end();
  return text;
}

}  // namespace

std::string OnnxText(std::string_view op) { return FormsOf(op).empty() ? "" : ByOpset(op, FormText); }

std::string OnnxArgumentText(std::string_view op, std::string_view argument) {
  for (const OpInfo* form : FormsOf(op))
    if (ArgumentText(*form, argument) != "absent")
      return ByOpset(op, [&](const OpInfo& info) { return ArgumentText(info, argument); });
  return "";
}

std::vector<OnnxArgument> OnnxArguments(std::string_view op) {
  std::vector<OnnxArgument> arguments;
  const std::vector<const OpInfo*> forms = FormsOf(op);
  if (forms.empty()) return arguments;
  for (const FormalParameter& input : forms.back()->inputs)
    arguments.push_back({input.name, fmt::format("input of {}: {}", op, TypeText(*forms.back(), input))});
  for (const AttributeInfo& attribute : forms.back()->attributes)
    arguments.push_back({attribute.name, fmt::format("attribute of {}: {}", op, KindOfAttribute(attribute))});
  return arguments;
}

}  // namespace onnxport::codegen
