#include "runtime/functionalize/result_dtype.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace onnxport::functionalize {
namespace {

using ir::DType;

// Results are bool whatever the operands are. Names without `aten::` and `_`.
constexpr std::string_view kComparisons[] = {
    "eq",          "ge",          "greater",    "greater_equal", "gt", "le", "less",      "less_equal",
    "logical_and", "logical_not", "logical_or", "logical_xor",   "lt", "ne", "not_equal",
};
// Operands are promoted to a common type (TensorIterator's `promote_inputs_to_common_dtype`).
constexpr std::string_view kPromoting[] = {
    "__and__",     "__or__",       "__xor__", "add",       "addcdiv",     "addcmul", "arctan2",  "atan2", "bitwise_and",
    "bitwise_or",  "bitwise_xor",  "clamp",   "clamp_max", "clamp_min",   "clip",    "copysign", "div",   "divide",
    "float_power", "floor_divide", "fmod",    "gcd",       "hypot",       "lcm",     "ldexp",    "mul",   "multiply",
    "pow",         "remainder",    "sub",     "subtract",  "true_divide", "xlogy",
};

template <size_t N>
bool Contains(const std::string_view (&list)[N], std::string_view name) {
  return std::find(std::begin(list), std::end(list), name) != std::end(list);
}

// "aten::add_" and "aten::add" -> "add", "aten::__iand__" -> "__and__".
std::string PlainName(const ir::AtenSchema& schema) {
  std::string name = schema.base_name().substr(schema.base_name().find("::") + 2);
  if (name.starts_with("__i")) return "__" + name.substr(3);
  if (name.ends_with("_") && !name.ends_with("__")) name.pop_back();
  return name;
}

bool IsScalar(const ir::Value& value) { return value.dims && value.dims->empty(); }

// Types of the tensors that decide: 0-d ones give way to others.
std::vector<DType> DecidingTypes(const ir::Graph& graph, const ir::Node& node, const ir::AtenSchema& schema) {
  std::vector<const ir::Value*> tensors;
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    const ir::ValueId* id = node.inputs[i].value();
    if (id == nullptr || graph.value(*id).kind != ir::ValueKind::kTensor) continue;
    const ir::AtenArgument& argument = schema.arguments[i];
    if (argument.type.written && argument.keyword_only) continue;  // out=
    tensors.push_back(&graph.value(*id));
  }
  const bool all_scalars = std::all_of(tensors.begin(), tensors.end(), [](const ir::Value* v) { return IsScalar(*v); });
  std::vector<DType> types;
  for (const ir::Value* tensor : tensors) {
    if (all_scalars || !IsScalar(*tensor)) types.push_back(tensor->dtype);
  }
  return types;
}

}  // namespace

ResultDType TwinDType(const ir::Graph& graph, const ir::Node& node, const ir::AtenSchema& schema, DType target) {
  const std::string name = PlainName(schema);
  if (Contains(kComparisons, name)) return {target != DType::kBool, DType::kBool};
  const std::vector<DType> types = DecidingTypes(graph, node, schema);
  const bool same = std::all_of(types.begin(), types.end(), [&](DType t) { return t == target; });
  const bool promotes = Contains(kPromoting, name);
  if (!schema.base_name().ends_with("_")) {
    // out=: integer division and sums have types of their own, which only floats spare us.
    const bool plain = same && promotes && ir::IsFloat(target);
    return {!plain, DType::kUndefined};
  }
  if (same || !promotes) return {};
  DType promoted = types[0];
  for (const DType type : types) promoted = ir::Promote(promoted, type);
  return {promoted != target, promoted};
}

}  // namespace onnxport::functionalize
