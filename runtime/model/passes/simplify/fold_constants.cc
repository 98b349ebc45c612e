#include "runtime/model/passes/simplify/fold_constants.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/ir/read_node.h"
#include "runtime/model/passes/graph/rewrite.h"
#include "runtime/onnx/evaluate.h"
#include "runtime/onnx/known_tensor.h"
#include "runtime/onnx/op_facts.h"

namespace onnxport::passes {
namespace {

using ir::ValueId;
using onnx_ops::IsFoldable;
using onnx_ops::KnownTensor;

// Before it, a Constant only has floats, so an Identity of an initializer stays an output of a block.
constexpr int kIntegerConstantOpset = 9;

// A larger parameter or buffer stays, with its name.
constexpr int64_t kMostOfWeight = 1024;
// The total number of elements in results above this size is limited.
constexpr size_t kLarge = 1024;
constexpr size_t kMostOfLarge = size_t{1} << 19;

using Data = std::shared_ptr<const ir::TensorData>;

// Small integers of the program's state are read, because shapes may be computed from them (a buffer of window sizes).
// Floats of its state are not: `fc.weight` must be in the model for users who look for it.
bool IsCandidate(const ir::Weight& weight) {
  if (weight.name.empty() || weight.constant) return true;
  return !ir::IsFloat(weight.data->dtype) &&
         onnx_ops::SmallCount(weight.data->shape).value_or(onnx_ops::kMostElements) <= kMostOfWeight;
}

bool RepeatsOne(const KnownTensor& tensor) {
  return std::ranges::all_of(tensor.elements, [&](int64_t element) { return element == tensor.elements[0]; });
}

class ConstantFolder {
 public:
  explicit ConstantFolder(ir::Graph* graph) : graph_(graph), replacer_(graph) {}

  bool Run() {
    for (const ir::Weight& weight : graph_->weights) {
      if (IsCandidate(weight)) Learn(weight.value, weight.data);
    }
    ForEachNode(graph_->body, [this](ir::Node& node) {
      replacer_.UpdateInputs(&node);
      if (node.blocks.empty()) Visit(&node);
    });
    return replacer_.UpdateOutputs() || changed_;
  }

 private:
  void Visit(ir::Node* node) {
    if (node->op == "Constant") {
      if (const Data data = ir::ConstantTensor(*node)) Learn(node->outputs[0], data);
      return;
    }
    if (node->outputs.size() != 1 || node->outputs[0] == ValueId::kNone) return;
    // It cannot become a Constant of integers there, but later nodes may know its value.
    if (node->op == "Identity" && graph_->opset < kIntegerConstantOpset) {
      if (const KnownTensor* same = Known(InputAt(*node, 0))) Learn(node->outputs[0], *same);
      return;
    }
    // Contents first: sizes that cancel are numbers there (Sub of `s0 + 4` and `s0` is 4), although no input is known.
    std::optional<KnownTensor> result = FromContents(graph_->value(node->outputs[0]));
    if (!result) result = onnx_ops::Evaluate(*graph_, *node, KnownInputs(*node));
    if (!result || !Affords(*result)) return SkipNeutral(*node);
    // A ConstantOfShape or Expand of one number stays a node, but its users are folded.
    if (result->elements.size() > kLarge && RepeatsOne(*result)) return Learn(node->outputs[0], *std::move(result));
    MakeConstant(*std::move(result), node);
  }

  // At most 2**19 elements in all large results, 4 MiB as int64: a program that makes a thousand masks must not become
  // a file full of them.
  bool Affords(const KnownTensor& tensor) {
    if (tensor.elements.size() <= kLarge) return true;
    if (tensor.elements.size() > kMostOfLarge - large_) return false;
    large_ += tensor.elements.size();
    return true;
  }

  static std::optional<KnownTensor> FromContents(const ir::Value& value) {
    if (!value.contents || !value.dims || value.dims->size() > 1 || !IsFoldable(value.dtype)) return std::nullopt;
    const auto count = static_cast<int64_t>(value.contents->size());
    if (value.dims->empty() ? count != 1 : !(value.dims->front() == ir::Dim(count))) return std::nullopt;
    KnownTensor tensor = {.dtype = value.dtype, .shape = {}, .elements = {}};
    if (!value.dims->empty()) tensor.shape = {count};
    for (const ir::Dim& element : *value.contents) {
      if (!element.is_number()) return std::nullopt;
      tensor.elements.push_back(onnx_ops::Wrap(element.number(), value.dtype));
    }
    return tensor;
  }

  // Empty unless all are known. Most nodes have an unknown input, and then none needs to be read.
  std::vector<const KnownTensor*> KnownInputs(const ir::Node& node) {
    std::vector<const KnownTensor*> inputs(node.inputs.size());
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      const ValueId id = InputAt(node, i);
      if (id != ValueId::kNone && !known_.contains(id) && !unread_.contains(id)) return inputs;
    }
    for (size_t i = 0; i < node.inputs.size(); ++i) inputs[i] = Known(InputAt(node, i));
    return inputs;
  }

  const KnownTensor* Known(ValueId id) {
    if (const auto unread = unread_.extract(id)) {
      if (std::optional<KnownTensor> tensor = onnx_ops::ReadKnown(*unread.mapped())) Learn(id, *std::move(tensor));
    }
    const auto found = known_.find(id);
    return found == known_.end() ? nullptr : &found->second;
  }

  // Small integers are read for the passes that use shapes, the others on request.
  void Learn(ValueId id, const Data& data) {
    unread_.insert_or_assign(id, data);
    if (data->shape.size() < 2 && !ir::IsFloat(data->dtype)) Known(id);
  }

  void Learn(ValueId id, KnownTensor tensor) {
    ir::Value& value = graph_->value(id);
    const bool is_integer = tensor.dtype != ir::DType::kBool && !ir::IsFloat(tensor.dtype);
    if (!value.contents && tensor.shape.size() < 2 && is_integer) {
      value.contents.emplace(tensor.elements.begin(), tensor.elements.end());
    }
    known_.insert_or_assign(id, std::move(tensor));
  }

  void MakeConstant(KnownTensor tensor, ir::Node* node) {
    node->op = "Constant";
    node->inputs.clear();
    node->attributes = {{"value", {ToTensorData(tensor)}}};
    Learn(node->outputs[0], std::move(tensor));
    changed_ = true;
  }

  // For integers only: x + 0.0 is not x for -0.0, and an operation may change the bits of a NaN.
  void SkipNeutral(const ir::Node& node) {
    const onnx_ops::OpFacts& facts = onnx_ops::Find(node.op);
    if (!facts.neutral || node.inputs.size() != 2) return;
    const ir::Value& result = graph_->value(node.outputs[0]);
    for (const size_t position : {size_t{0}, size_t{1}}) {
      const ValueId kept = InputAt(node, position);
      const KnownTensor* other = ir::IsFloat(result.dtype) ? nullptr : Known(InputAt(node, 1 - position));
      if (other == nullptr || (position == 1 && !facts.commutes)) continue;
      const bool neutral = std::ranges::all_of(other->elements, [&](int64_t e) { return e == *facts.neutral; });
      if (neutral && SameDims(graph_->value(kept), result)) return replacer_.Replace(node.outputs[0], kept);
    }
  }

  ir::Graph* graph_;
  Replacer replacer_;
  std::unordered_map<ValueId, KnownTensor> known_;
  std::unordered_map<ValueId, Data> unread_;
  size_t large_ = 0;  // elements of large results
  bool changed_ = false;
};

}  // namespace

bool FoldConstants(ir::Graph* graph) { return ConstantFolder(graph).Run(); }

}  // namespace onnxport::passes
