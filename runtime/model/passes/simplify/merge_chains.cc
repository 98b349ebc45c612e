#include "runtime/model/passes/simplify/merge_chains.h"

#include <iterator>

#include "runtime/ir/read_node.h"
#include "runtime/model/passes/graph/rewrite.h"
#include "runtime/model/passes/graph/weight_index.h"
#include "runtime/onnx/permutation.h"

namespace onnxport::passes {
namespace {

using onnx_ops::Compose;
using onnx_ops::Perm;
using onnx_ops::PermOf;
using onnx_ops::ToArg;

constexpr int kFirstGemmOfTwo = 11;  // before it, a Gemm needs a third input

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
    if (before == nullptr || PermOf(*before, 2) != Perm{1, 0}) continue;
    SetInt(kFlags[i], 1 - IntAttribute(*node, kFlags[i], 0), node);
    node->inputs[i] = before->inputs[0];
    changed = true;
  }
  return changed;
}

bool IsMatrix(const ir::Graph& graph, ir::ValueId id) {
  return id != ir::ValueId::kNone && graph.value(id).dims && graph.value(id).dims->size() == 2;
}

// Gemm transposes a matrix while it reads it. A weight is transposed while it is written. For a quantized weight,
// runtimes use a product of integers, which they have for MatMul. For other dtypes not every runtime has both.
bool BecomeGemm(const ir::Graph& graph, const WeightIndex& weights, const Producers& producers, ir::Node* node) {
  if (node->op != "MatMul" || graph.opset < kFirstGemmOfTwo || node->inputs.size() != 2) return false;
  const ir::ValueId inputs[] = {InputAt(*node, 0), InputAt(*node, 1)};
  if (!IsMatrix(graph, inputs[0]) || !IsMatrix(graph, inputs[1])) return false;
  const ir::DType dtype = graph.value(inputs[0]).dtype;
  if (dtype != ir::DType::kFloat32 && dtype != ir::DType::kFloat64) return false;
  const auto is_turned = [&](ir::ValueId id) {
    const ir::Node* before = producers.Of(id);
    if (before == nullptr || PermOf(*before, 2) != Perm{1, 0}) return false;
    const ir::Node* source = producers.Of(InputAt(*before, 0));
    return weights.Find(InputAt(*before, 0)) == nullptr && (source == nullptr || source->op != "DequantizeLinear");
  };
  if (!is_turned(inputs[0]) && !is_turned(inputs[1])) return false;
  node->op = "Gemm";
  return true;
}

}  // namespace

bool MergeChains(ir::Graph* graph) {
  const Producers producers(*graph);
  const WeightIndex weights(graph);
  bool changed = false;
  ForEachNode(graph->body, [&](ir::Node& node) {
    changed |= MergeIntoTranspose(producers, &node);
    // First, so that a Gemm made from a MatMul absorbs the Transpose at once.
    changed |= BecomeGemm(*graph, weights, producers, &node);
    changed |= MergeIntoGemm(producers, &node);
  });
  return changed;
}

}  // namespace onnxport::passes
