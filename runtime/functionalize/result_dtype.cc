#include "runtime/functionalize/result_dtype.h"

#include <algorithm>
#include <vector>

#include "runtime/op_traits/op_traits.h"

namespace onnxport::functionalize {
namespace {

using ir::DType;

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

ResultDType TwinDType(const ir::Graph& graph, const ir::Node& node, const ir::AtenSchema& schema, std::string_view twin,
                      DType target) {
  const op_traits::ResultDType stated = op_traits::TraitsOf(twin).result_dtype;
  if (stated == op_traits::ResultDType::kBool) return {target != DType::kBool, DType::kBool};
  const std::vector<DType> types = DecidingTypes(graph, node, schema);
  const bool same = std::all_of(types.begin(), types.end(), [&](DType t) { return t == target; });
  const bool promotes = stated == op_traits::ResultDType::kPromoted;
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
