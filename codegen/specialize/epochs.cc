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
    // As text, since that is what "the same" means here: expressions without places. Which cases there are counts too,
    // as two cases may have the same text.
    epoch.meaning += "\n" + SpecText(*whole);
    ForEach(*whole, [&](const Expr& expr) {
      if (expr.kind != ExprKind::kNode) return;
      const OpInfo* schema = FindOp(expr.text, entry.opset);
      // `since` and not the opset: Relu 13 and Relu 14 are two forms, at 15 to 25 it is that of 14.
      epoch.versions[expr.text] = schema ? schema->since : 0;
    });
  }
  return epoch;
}

}  // namespace onnxport::codegen
