#include "runtime/passes/fold_integers.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/passes/evaluate.h"
#include "runtime/passes/int_tensor.h"
#include "runtime/passes/rewrite.h"

namespace onnxport::passes {
namespace {

using ir::ValueId;

// Before, a Constant gives floats only: what a block gives of an initializer stays an Identity.
constexpr int kIntegerConstantOpset = 9;

class Folder {
 public:
  explicit Folder(ir::Graph* graph) : graph_(graph), replacer_(graph) {}

  bool Run() {
    for (const ir::Weight& weight : graph_->weights) Learn(weight.value, ReadInts(*weight.data));
    ForEachNode(graph_->body, [this](ir::Node& node) {
      replacer_.UpdateInputs(&node);
      if (node.blocks.empty()) Visit(&node);
    });
    return replacer_.UpdateOutputs() || changed_;
  }

 private:
  void Visit(ir::Node* node) {
    if (node->op == "Constant") {
      if (const ir::Arg* value = FindAttribute(*node, "value")) {
        const auto* data = std::get_if<std::shared_ptr<const ir::TensorData>>(&value->v);
        if (data != nullptr) Learn(node->outputs[0], ReadInts(**data));
      }
      return;
    }
    if (node->outputs.size() != 1 || node->outputs[0] == ValueId::kNone) return;
    if (node->op == "Identity" && graph_->opset < kIntegerConstantOpset) {
      if (const IntTensor* same = Known(InputAt(*node, 0))) Learn(node->outputs[0], *same);
      return;
    }
    std::optional<IntTensor> result = FromContents(graph_->value(node->outputs[0]));
    if (!result) result = Evaluate(*graph_, *node, KnownInputs(*node));
    if (result) {
      MakeConstant(std::move(*result), node);
    } else {
      SkipNeutral(*node);
    }
  }

  static std::optional<IntTensor> FromContents(const ir::Value& value) {
    if (!value.contents || !value.dims || value.dims->size() > 1 || !IsFoldable(value.dtype)) return std::nullopt;
    const auto count = static_cast<int64_t>(value.contents->size());
    if (value.dims->empty() ? count != 1 : !(value.dims->front() == ir::Dim(count))) return std::nullopt;
    IntTensor tensor = {.dtype = value.dtype, .shape = {}, .elements = {}};
    if (!value.dims->empty()) tensor.shape = {count};
    for (const ir::Dim& element : *value.contents) {
      if (!element.is_number()) return std::nullopt;
      tensor.elements.push_back(Wrap(element.number(), value.dtype));
    }
    return tensor;
  }

  std::vector<const IntTensor*> KnownInputs(const ir::Node& node) const {
    std::vector<const IntTensor*> inputs;
    for (size_t i = 0; i < node.inputs.size(); ++i) inputs.push_back(Known(InputAt(node, i)));
    return inputs;
  }

  const IntTensor* Known(ValueId id) const {
    const auto found = known_.find(id);
    return found == known_.end() ? nullptr : &found->second;
  }

  void Learn(ValueId id, std::optional<IntTensor> tensor) {
    if (!tensor) return;
    ir::Value& value = graph_->value(id);
    if (!value.contents && tensor->shape.size() < 2 && tensor->dtype != ir::DType::kBool) {
      value.contents.emplace(tensor->elements.begin(), tensor->elements.end());  // for the passes that read shapes
    }
    known_.insert_or_assign(id, std::move(*tensor));
  }

  void MakeConstant(IntTensor tensor, ir::Node* node) {
    node->op = "Constant";
    node->inputs.clear();
    node->attributes = {{"value", {ToTensorData(tensor)}}};
    Learn(node->outputs[0], std::move(tensor));
    changed_ = true;
  }

  void SkipNeutral(const ir::Node& node) {
    const bool sum = node.op == "Add" || node.op == "Sub";
    const bool product = node.op == "Mul" || node.op == "Div";
    if (!(sum || product) || node.inputs.size() != 2) return;
    const ir::Value& result = graph_->value(node.outputs[0]);
    const bool commutes = node.op == "Add" || node.op == "Mul";
    for (const size_t position : {size_t{0}, size_t{1}}) {
      const ValueId kept = InputAt(node, position);
      const IntTensor* other = Known(InputAt(node, 1 - position));
      if (other == nullptr || (position == 1 && !commutes)) continue;
      const bool neutral = std::ranges::all_of(other->elements, [&](int64_t e) { return e == (sum ? 0 : 1); });
      if (neutral && SameDims(graph_->value(kept), result)) return replacer_.Replace(node.outputs[0], kept);
    }
  }

  ir::Graph* graph_;
  Replacer replacer_;
  std::unordered_map<ValueId, IntTensor> known_;
  bool changed_ = false;
};

}  // namespace

bool FoldIntegers(ir::Graph* graph) { return Folder(graph).Run(); }

}  // namespace onnxport::passes
