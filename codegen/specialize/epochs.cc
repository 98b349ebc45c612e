#include "codegen/specialize/epochs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "codegen/model/onnx_ops.h"
#include "codegen/model/spec_text.h"
#include "codegen/model/uses.h"

namespace onnxport::codegen {

Epoch EpochOf(const SpecializedEntry& entry, const std::vector<ExprPtr>& reachable) {
  Epoch epoch{.since = entry.opset, .versions = {}, .meaning = fmt::format("{}", fmt::join(entry.case_numbers, ", "))};
  for (const ExprPtr& whole : reachable) {
    epoch.meaning += "\n" + SpecText(*whole);
    ForEach(*whole, [&](const Expr& expr) {
      if (expr.kind != ExprKind::kNode) return;
      const OpInfo* schema = FindOp(expr.text, entry.opset);
      epoch.versions[expr.text] = schema ? schema->since : 0;
    });
  }
  return epoch;
}

}  // namespace onnxport::codegen
