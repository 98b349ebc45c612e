#include "codegen/check/versions.h"

#include "codegen/check/onnx_schemas.h"
#include "codegen/check/reachable.h"

namespace onnxport::codegen {

std::map<std::string, int> OnnxVersionsOf(const FoldedEntry& folded, const std::vector<Def>& file_defs) {
  std::map<std::string, int> versions;
  for (const ExprPtr& whole : Reachable(folded, file_defs))
    ForEach(*whole, [&](const Expr& expr) {
      if (expr.kind != ExprKind::kNode) return;
      const OnnxSchema* schema = FindOnnxSchema(expr.text, folded.target.opset);
      versions[expr.text] = schema ? schema->since : 0;
    });
  return versions;
}

}  // namespace onnxport::codegen
