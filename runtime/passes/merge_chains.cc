#include "runtime/passes/merge_chains.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "runtime/passes/permutation.h"
#include "runtime/passes/rewrite.h"

namespace onnxport::passes {
namespace {

bool MergeIntoTranspose(const Producers& producers, ir::Node* node) {
  const ir::Node* before = producers.Of(InputAt(*node, 0));
  if (node->op != "Transpose" || before == nullptr || before->op != "Transpose") return false;
  const auto given = IntsAttribute(*node, "perm");
  if (!given) return false;
  const auto first = PermOf(*before, given->size());
  const auto second = PermOf(*node, given->size());
  if (!first || !second) return false;
  node->attributes = {{"perm", ToArg(Compose(*first, *second))}};
  node->inputs = before->inputs;
  return true;
}

// A 0 in the shape would copy a dimension of the tensor that is skipped.
bool HasPlainShape(const ir::Graph& graph, const ir::Node& node) {
  const ir::ValueId shape = InputAt(node, 1);
  if (shape == ir::ValueId::kNone || !graph.value(shape).contents) return false;
  return std::ranges::all_of(*graph.value(shape).contents,
                             [](const ir::Dim& dim) { return dim.is_number() && dim.number() != 0; });
}

bool MergeIntoReshape(const ir::Graph& graph, const Producers& producers, ir::Node* node) {
  const ir::Node* before = producers.Of(InputAt(*node, 0));
  if (node->op != "Reshape" || before == nullptr || !HasPlainShape(graph, *node)) return false;
  const bool reshapes =
      before->op == "Reshape" || before->op == "Squeeze" || before->op == "Unsqueeze" || before->op == "Flatten";
  if (!reshapes || InputAt(*before, 0) == ir::ValueId::kNone) return false;
  node->inputs[0] = before->inputs[0];
  return true;
}

void SetInt(const char* name, int64_t number, ir::Node* node) {
  for (ir::Attribute& attribute : node->attributes) {
    if (attribute.name != name) continue;
    attribute.value = {number};
    return;
  }
  node->attributes.push_back({name, {number}});
}

bool MergeIntoGemm(const Producers& producers, ir::Node* node) {
  if (node->op != "Gemm") return false;
  constexpr const char* kFlags[] = {"transA", "transB"};
  bool changed = false;
  for (size_t i = 0; i < std::size(kFlags); ++i) {
    const ir::Node* before = producers.Of(InputAt(*node, i));
    if (before == nullptr || before->op != "Transpose" || IntsAttribute(*before, "perm") != Perm{1, 0}) continue;
    SetInt(kFlags[i], 1 - IntAttribute(*node, kFlags[i], 0), node);
    node->inputs[i] = before->inputs[0];
    changed = true;
  }
  return changed;
}

}  // namespace

bool MergeChains(ir::Graph* graph) {
  const Producers producers(*graph);
  bool changed = false;
  ForEachNode(graph->body, [&](ir::Node& node) {
    changed |= MergeIntoTranspose(producers, &node);
    changed |= MergeIntoReshape(*graph, producers, &node);
    changed |= MergeIntoGemm(producers, &node);
  });
  return changed;
}

}  // namespace onnxport::passes
