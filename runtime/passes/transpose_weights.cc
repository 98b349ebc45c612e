#include "runtime/passes/transpose_weights.h"

#include <numeric>
#include <utility>
#include <vector>

#include "runtime/passes/replace_weights.h"
#include "runtime/passes/rewrite.h"
#include "runtime/passes/transposed_tensor.h"

namespace onnxport::passes {
namespace {

std::vector<int64_t> PermOf(const ir::Node& node, size_t rank) {
  if (auto perm = IntsAttribute(node, "perm")) return *std::move(perm);
  std::vector<int64_t> reversed(rank);
  std::iota(reversed.rbegin(), reversed.rend(), 0);
  return reversed;
}

}  // namespace

bool TransposeWeights(ir::Graph* graph) {
  return ReplaceWeights(graph, [](const ir::Node& node, const ir::Weight& weight) -> MadeWeight {
    if (node.op != "Transpose") return {};
    return {.data = TransposedTensor(weight.data, PermOf(node, weight.data->shape.size())), .suffix = ".T"};
  });
}

}  // namespace onnxport::passes
