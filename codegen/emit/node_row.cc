#include "codegen/emit/node_row.h"

#include <algorithm>

#include "codegen/check/onnx_schemas.h"

namespace onnxport::codegen {
namespace {

// One case, always taken and never marked for coverage, of one expression.
bool IsBare(const FoldedEntry& folded) {
  const OpEntry& entry = folded.entry;
  if (folded.several_cases || entry.cases.size() != 1) return false;
  const Case& item = entry.cases[0];
  const bool refined = std::ranges::any_of(entry.args, [](const auto& arg) {
    return arg.second.kind != RefineKind::kIgnore && arg.second.kind != RefineKind::kTensors;
  });
  return !refined && !entry.promote && !entry.require && !entry.fold && !item.when && item.widen.to.empty() &&
         item.body.kind == Body::Kind::kEmit && item.body.emit.size() == 1 && folded.schema->results.size() == 1;
}

// The position of the argument that an expression names; -1 for None, nothing for anything else.
std::optional<int> Position(const Expr& expr, const ir::AtenSchema& schema) {
  if (expr.kind == ExprKind::kNone) return -1;
  const int position = expr.kind == ExprKind::kName ? schema.FindArgument(expr.text) : -1;
  return position < 0 ? std::nullopt : std::optional(position);
}

}  // namespace

std::optional<NodeRowData> AsNodeRow(const FoldedEntry& folded) {
  if (!IsBare(folded)) return std::nullopt;
  const Expr& node = *folded.entry.cases[0].body.emit[0];
  if (node.kind != ExprKind::kNode) return std::nullopt;
  const OnnxSchema* schema = FindOnnxSchema(node.text, folded.target.opset);
  if (!schema) return std::nullopt;
  NodeRowData row{.op = node.text, .inputs = {}, .attributes = {}};
  for (const ExprPtr& operand : node.operands) {
    const auto position = Position(*operand, *folded.schema);
    if (!position) return std::nullopt;
    row.inputs.push_back(*position);
  }
  for (const auto& [name, value] : node.named) {
    const auto position = Position(*value, *folded.schema);
    if (!position || name == "outputs") return std::nullopt;
    const int input = schema->FindAttribute(name) ? -1 : schema->FindInput(name);
    if (input < 0) {
      if (*position >= 0) row.attributes.emplace_back(name, *position);
      continue;
    }
    row.inputs.resize(std::max(row.inputs.size(), static_cast<size_t>(input) + 1), -1);
    row.inputs[input] = *position;
  }
  while (!row.inputs.empty() && row.inputs.back() < 0) row.inputs.pop_back();
  return row;
}

}  // namespace onnxport::codegen
