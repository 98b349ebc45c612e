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

// A node and its known inputs.
struct Call {
  const ir::Graph& graph;
  const ir::Node& node;
  const std::vector<const KnownTensor*>& inputs;

  const KnownTensor* input(size_t position) const { return position < inputs.size() ? inputs[position] : nullptr; }
  bool has_input(size_t position) const { return InputAt(node, position) != ir::ValueId::kNone; }
  // Reads a list that is an attribute at old opsets and an input at newer ones. Returns false if it is present but
  // unknown.
  bool List(const char* attribute, size_t position, std::optional<Ints>* list) const {
    *list = IntsAttribute(node, attribute);
    if (*list || !has_input(position)) return true;
    if (input(position) == nullptr) return false;
    *list = input(position)->elements;
    return true;
  }
};

// The elements of a node's inputs. Each input has as many of them as the result.
struct ElementCall {
  const ir::Node& node;
  ir::DType dtype;  // of the first input
  std::span<const std::span<const int64_t>> inputs;
  std::span<int64_t> result;
};

// Returns the shape that two tensors broadcast to.
std::optional<Ints> Broadcast(const Ints& a, const Ints& b);

// Returns the element of `tensor` that broadcasting puts at a flat index of `shape`.
int64_t At(const KnownTensor& tensor, const Ints& shape, int64_t index);

// Makes a tensor of `shape`; `element` gives each element. Returns nothing if an element is nothing, or if the tensor
// is too large.
Result MakeResult(ir::DType dtype, Ints shape, const std::function<std::optional<int64_t>(int64_t)>& element);

}  // namespace onnxport::onnx_ops

#endif  // ONNXPORT_RUNTIME_ONNX_EVALUATE_CALL_H_
