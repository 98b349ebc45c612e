#include <algorithm>

#include "runtime/onnx/noop_rules.h"

namespace onnxport::onnx_ops::noops {

bool Always(const NodeView&) { return true; }

bool InOrder(const NodeView& node) {
  if (const auto perm = node.Ints("perm")) return std::ranges::is_sorted(*perm);
  return node.Shape(0) != nullptr && node.Shape(0)->size() < 2;  // the default reverses the axes
}

// Since opset 12 the input training_mode turns training on. Before, Dropout was for inference only.
bool NotTraining(const NodeView& node) { return node.Input(2) == nullptr; }

bool OneInput(const NodeView& node) { return node.node.inputs.size() == 1; }

bool SameDType(const NodeView& node) {
  const ir::DType dtype = node.Input(0)->dtype;
  return dtype != ir::DType::kUndefined && ir::DTypeOfNumber(node.Int("to", 0)) == dtype;
}

bool SameSizes(const NodeView& node) {
  const auto& sizes = node.graph.value(node.node.outputs[0]).dims;
  return node.Shape(0) != nullptr && sizes && std::ranges::equal(*node.Shape(0), *sizes);
}

// A step of -1 reverses an axis and keeps its size.
bool Whole(const NodeView& node) {
  if (!SameSizes(node)) return false;
  const ir::Dims* steps = node.Elements(4);
  if (steps == nullptr) return node.Input(4) == nullptr;
  return std::ranges::all_of(*steps, [](const ir::Dim& step) { return step == ir::Dim(1); });
}

}  // namespace onnxport::onnx_ops::noops
