#include "runtime/onnx/evaluate.h"

#include <algorithm>

#include "runtime/ir/read_node.h"
#include "runtime/onnx/evaluate_call.h"
#include "runtime/onnx/op_facts.h"

namespace onnxport::onnx_ops {

std::optional<Ints> Broadcast(const Ints& a, const Ints& b) {
  Ints shape(std::max(a.size(), b.size()));
  for (size_t i = 0; i < shape.size(); ++i) {
    const int64_t x = i < shape.size() - a.size() ? 1 : a[i - (shape.size() - a.size())];
    const int64_t y = i < shape.size() - b.size() ? 1 : b[i - (shape.size() - b.size())];
    if (x != y && x != 1 && y != 1) return std::nullopt;
    shape[i] = x == 1 ? y : x;
  }
  return shape;
}

// From the last axis to the first: what is left of `index` after an axis is the place in those before. An axis of 1
// adds nothing, so its element is repeated.
int64_t At(const KnownTensor& tensor, const Ints& shape, int64_t index) {
  int64_t offset = 0;
  int64_t stride = 1;
  for (size_t i = 0; i < tensor.shape.size(); ++i) {
    const int64_t dim = tensor.shape[tensor.shape.size() - 1 - i];
    const int64_t size = shape[shape.size() - 1 - i];
    if (dim != 1) offset += index % size * stride;
    index /= size;
    stride *= dim;
  }
  return tensor.elements[offset];
}

Result MakeResult(ir::DType dtype, Ints shape, const std::function<std::optional<int64_t>(int64_t)>& element) {
  const std::optional<int64_t> count = SmallCount(shape);
  if (!count) return std::nullopt;
  KnownTensor result = {.dtype = dtype, .shape = std::move(shape), .elements = {}};
  for (int64_t i = 0; i < *count; ++i) {
    const std::optional<int64_t> value = element(i);
    if (!value) return std::nullopt;
    result.elements.push_back(Wrap(*value, dtype));
  }
  return result;
}

namespace {

// A float as input, or as the result of a Cast: elements of floats are bits, which the functions for integers would
// count with.
bool HasFloats(const ir::Node& node, const std::vector<const KnownTensor*>& inputs) {
  const auto is_float = [](const KnownTensor* input) { return input != nullptr && ir::IsFloat(input->dtype); };
  return std::ranges::any_of(inputs, is_float) || ir::IsFloat(ir::DTypeOfNumber(IntAttribute(node, "to", 0)));
}

}  // namespace

std::optional<KnownTensor> Evaluate(const ir::Graph& graph, const ir::Node& node,
                                    const std::vector<const KnownTensor*>& inputs) {
  const Evaluation& evaluation = Find(node.op).evaluate;
  const Evaluation::Function function = HasFloats(node, inputs) ? evaluation.floats : evaluation.integers;
  return function != nullptr && node.outputs.size() == 1 ? function({graph, node, inputs}) : std::nullopt;
}

}  // namespace onnxport::onnx_ops
