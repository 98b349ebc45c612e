#include "runtime/model/passes/weights/transpose_weights.h"

#include "runtime/model/passes/graph/replace_weights.h"
#include "runtime/model/passes/weights/makers.h"
#include "runtime/onnx/permutation.h"

namespace onnxport::passes {
bool TransposeWeights(ir::Graph* graph) {
  return ReplaceWeights(graph, [](const ir::Node& node, const ir::Weight& weight) -> MadeWeight {
    const auto perm = onnx_ops::PermOf(node, weight.data->shape.size());
    if (!perm) return {};
    return {.data = MakeOne({.maker = &kTransposed, .how = *perm, .of = {weight.data}}), .suffix = ".T"};
  });
}

}  // namespace onnxport::passes
