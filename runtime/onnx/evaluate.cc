#include "runtime/onnx/evaluate.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "runtime/ir/read_node.h"
#include "runtime/onnx/evaluate_call.h"
#include "runtime/onnx/evaluate_elements.h"
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

// Goes from the last axis to the first and divides `index` by each size; the quotient is the index into the axes
// before. An axis of size 1 adds nothing, so its element is repeated.
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

// Returns true if an input is a float, or the result of a Cast is. Float elements are stored as bits, and the functions
// for integers would compute with the bits.
bool HasFloats(const ir::Node& node, const std::vector<const KnownTensor*>& inputs) {
  const auto is_float = [](const KnownTensor* input) { return input != nullptr && ir::IsFloat(input->dtype); };
  return std::ranges::any_of(inputs, is_float) || ir::IsFloat(ir::DTypeOfNumber(IntAttribute(node, "to", 0)));
}

// Broadcasts the inputs to one another and computes element by element.
Result EvaluateElementwise(const Call& call) {
  std::optional<Ints> shape = Ints();
  for (const KnownTensor* input : call.inputs) {
    if (input == nullptr) return std::nullopt;
    shape = Broadcast(*shape, input->shape);
    if (!shape) return std::nullopt;
  }
  const std::optional<int64_t> count = SmallCount(*shape);
  if (!count || call.inputs.empty()) return std::nullopt;
  std::vector<Ints> spread;
  for (const KnownTensor* input : call.inputs) {
    Ints& elements = spread.emplace_back(*count);
    for (int64_t i = 0; i < *count; ++i) elements[i] = At(*input, *shape, i);
  }
  const std::vector<std::span<const int64_t>> inputs(spread.begin(), spread.end());
  KnownTensor result = {.dtype = {}, .shape = *std::move(shape), .elements = Ints(*count)};
  result.dtype = EvaluateElements(call.node, call.inputs[0]->dtype, inputs, result.elements);
  return result.dtype == ir::DType::kUndefined ? std::nullopt : std::optional(std::move(result));
}

}  // namespace

std::optional<KnownTensor> Evaluate(const ir::Graph& graph, const ir::Node& node,
                                    const std::vector<const KnownTensor*>& inputs) {
  if (node.outputs.size() != 1) return std::nullopt;
  const Evaluation& evaluation = Find(node.op).evaluate;
  const Call call = {graph, node, inputs};
  if (evaluation.any != nullptr) return evaluation.any(call);
  if (!HasFloats(node, inputs)) return evaluation.integers != nullptr ? EvaluateElementwise(call) : std::nullopt;
  return evaluation.floats != nullptr ? evaluation.floats(call) : std::nullopt;
}

ir::DType EvaluateElements(const ir::Node& node, ir::DType dtype, std::span<const std::span<const int64_t>> inputs,
                           std::span<int64_t> result) {
  const Evaluation& evaluation = Find(node.op).evaluate;
  const Evaluation::Elements function = evaluation.bits != nullptr ? evaluation.bits : evaluation.integers;
  if (function == nullptr || inputs.empty()) return ir::DType::kUndefined;
  const ir::DType made = function({node, dtype, inputs, result});
  if (!IsFoldable(made)) return ir::DType::kUndefined;
  Wrap(result, made);
  return made;
}

}  // namespace onnxport::onnx_ops
