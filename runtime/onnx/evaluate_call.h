// Shared by the sources behind evaluate.h.
#ifndef ONNXPORT_RUNTIME_ONNX_EVALUATE_CALL_H_
#define ONNXPORT_RUNTIME_ONNX_EVALUATE_CALL_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/ir/read_node.h"
#include "runtime/onnx/known_tensor.h"

namespace onnxport::onnx_ops {

using Ints = std::vector<int64_t>;
using Result = std::optional<KnownTensor>;

// One node and what is known of its inputs.
struct Call {
  const ir::Graph& graph;
  const ir::Node& node;
  const std::vector<const KnownTensor*>& inputs;

  const KnownTensor* input(size_t position) const { return position < inputs.size() ? inputs[position] : nullptr; }
  bool has_input(size_t position) const { return InputAt(node, position) != ir::ValueId::kNone; }
  // A list that is an attribute at old opsets and an input at newer ones. False: it is there and not known.
  bool List(const char* attribute, size_t position, std::optional<Ints>* list) const {
    *list = IntsAttribute(node, attribute);
    if (*list || !has_input(position)) return true;
    if (input(position) == nullptr) return false;
    *list = input(position)->elements;
    return true;
  }
};

// Elements of the inputs of a node, as many of each as there are of the result.
struct ElementCall {
  const ir::Node& node;
  ir::DType dtype;  // of the first input
  std::span<const std::span<const int64_t>> inputs;
  std::span<int64_t> result;
};

// The shape two tensors broadcast to.
std::optional<Ints> Broadcast(const Ints& a, const Ints& b);

// The element of `tensor` that broadcasting puts at a flat index of `shape`.
int64_t At(const KnownTensor& tensor, const Ints& shape, int64_t index);

// A tensor of `shape`, its elements asked for one by one; nothing when one is, or when it is too large.
Result MakeResult(ir::DType dtype, Ints shape, const std::function<std::optional<int64_t>(int64_t)>& element);

}  // namespace onnxport::onnx_ops

#endif  // ONNXPORT_RUNTIME_ONNX_EVALUATE_CALL_H_
