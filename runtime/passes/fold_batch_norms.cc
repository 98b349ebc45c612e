#include "runtime/passes/fold_batch_norms.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/passes/remove_dead.h"
#include "runtime/passes/rewrite.h"
#include "runtime/passes/scaled_tensor.h"

namespace onnxport::passes {
namespace {

using ir::ValueId;
using Floats = std::vector<double>;

constexpr int64_t kMostChannels = int64_t{1} << 20;
// Factors and sums between these leave the range of float32 only with weights that nearly do so themselves.
constexpr double kLargest = 0x1p40;
constexpr double kSmallest = 0x1p-40;
constexpr double kEpsilon = 1e-5;  // ONNX's default

// What a norm does to channel i: x * factors[i] + offsets[i].
struct Affine {
  Floats factors;
  Floats offsets;
};

double EpsilonOf(const ir::Node& norm) {
  const ir::Arg* epsilon = FindAttribute(norm, "epsilon");
  const auto* number = epsilon == nullptr ? nullptr : std::get_if<double>(&epsilon->v);
  return static_cast<float>(number == nullptr ? kEpsilon : *number);  // an attribute is a float32
}

bool IsTame(double number) {
  const double size = std::abs(number);
  return size == 0 || (size >= kSmallest && size <= kLargest);
}

class Folder {
 public:
  explicit Folder(ir::Graph* graph) : graph_(graph), uses_(*graph) {
    for (size_t i = 0; i < graph->weights.size(); ++i) weights_.emplace(graph->weights[i].value, i);
  }

  bool Run() { return Visit(&graph_->body); }

 private:
  bool Visit(ir::Block* block) {
    bool changed = false;
    std::unordered_map<ValueId, ir::Node*> convolutions;  // of this block, by what they give
    std::vector<bool> folded(block->nodes.size());
    for (size_t i = 0; i < block->nodes.size(); ++i) {
      ir::Node& node = block->nodes[i];
      for (ir::Block& inner : node.blocks) changed |= Visit(&inner);
      if (node.op == "Conv") convolutions.emplace(node.outputs[0], &node);
      const auto found = IsFixedNorm(node) ? convolutions.find(InputAt(node, 0)) : convolutions.end();
      folded[i] = found != convolutions.end() && Fold(node, found->second);
    }
    size_t index = 0;
    return std::erase_if(block->nodes, [&](const ir::Node&) { return folded[index++]; }) > 0 || changed;
  }

  // That computes its first result of given statistics.
  static bool IsFixedNorm(const ir::Node& node) {
    return node.op == "BatchNormalization" && node.outputs.size() == 1 && IntAttribute(node, "training_mode", 0) == 0 &&
           IntAttribute(node, "spatial", 1) == 1;
  }

  // Whether `conv` gives now what `norm` gave.
  bool Fold(const ir::Node& norm, ir::Node* conv) {
    const ir::Weight* weight = WeightOf(InputAt(*conv, 1));
    const ValueId bias = InputAt(*conv, 2);
    if (weight == nullptr || uses_.Count(weight->value) != 1 || uses_.Count(conv->outputs[0]) != 1) return false;
    std::optional<Affine> affine = AffineOf(norm, *weight->data);
    if (!affine || (bias != ValueId::kNone && !AddBias(bias, *weight->data, &*affine))) return false;
    SetWeights(norm, std::move(*affine), conv);
    conv->outputs = norm.outputs;
    return true;
  }

  const ir::Weight* WeightOf(ValueId id) const {
    const auto found = weights_.find(id);
    return found == weights_.end() ? nullptr : &graph_->weights[found->second];
  }

  // A number for each channel of the weight, of its dtype.
  std::optional<Floats> Channels(ValueId id, const ir::TensorData& weight) const {
    const ir::Weight* found = WeightOf(id);
    if (found == nullptr || found->data->dtype != weight.dtype || weight.shape.empty() ||
        found->data->shape != std::vector<int64_t>{weight.shape[0]})
      return std::nullopt;
    auto elements = ReadFloats(*found->data, kMostChannels);
    return elements && static_cast<int64_t>(elements->size()) == weight.shape[0] ? elements : std::nullopt;
  }

  std::optional<Affine> AffineOf(const ir::Node& norm, const ir::TensorData& weight) const {
    const auto scale = Channels(InputAt(norm, 1), weight);
    const auto bias = Channels(InputAt(norm, 2), weight);
    const auto mean = Channels(InputAt(norm, 3), weight);
    const auto variance = Channels(InputAt(norm, 4), weight);
    if (!scale || !bias || !mean || !variance) return std::nullopt;
    const double epsilon = EpsilonOf(norm);
    Affine affine;
    for (size_t i = 0; i < scale->size(); ++i) {
      const double factor = (*scale)[i] / std::sqrt((*variance)[i] + epsilon);
      const double shift = (*mean)[i] * factor;
      const double offset = (*bias)[i] - shift;
      // Not a number is none of this either.
      if (!IsTame(factor) || !(std::abs(shift) <= kLargest) || !(std::abs(offset) <= kLargest)) return std::nullopt;
      affine.factors.push_back(factor);
      affine.offsets.push_back(offset);
    }
    return affine;
  }

  bool AddBias(ValueId id, const ir::TensorData& weight, Affine* affine) const {
    const auto bias = Channels(id, weight);
    if (!bias) return false;
    for (size_t i = 0; i < bias->size(); ++i) {
      if (!(std::abs((*bias)[i]) <= kLargest)) return false;
      const double scaled = (*bias)[i] * affine->factors[i];
      affine->offsets[i] += scaled;
    }
    return true;
  }

  // Named by what they are made of, as they are none of these any more.
  void SetWeights(const ir::Node& norm, Affine affine, ir::Node* conv) {
    const std::string weight_name = JoinedName({InputAt(*conv, 1), InputAt(norm, 1)});
    const std::string bias_name = JoinedName({InputAt(*conv, 2), InputAt(norm, 3), InputAt(norm, 2)});
    ir::Weight& weight = graph_->weights[weights_.at(InputAt(*conv, 1))];
    ir::Value value = graph_->value(weight.value);
    value.dims = ir::Dims{ir::Dim(weight.data->shape[0])};
    value.name.clear();
    const ValueId bias = graph_->AddValue(std::move(value));
    auto bias_data = FloatTensor(weight.data->dtype, affine.offsets);
    weight.name = weight_name;
    weight.data = ScaledTensor(std::move(weight.data), std::move(affine.factors));
    graph_->weights.push_back({.value = bias, .name = bias_name, .data = std::move(bias_data)});
    conv->inputs.resize(2);
    conv->inputs.push_back({bias});
  }

  std::string JoinedName(std::initializer_list<ValueId> ids) const {
    std::string joined;
    for (const ValueId id : ids) {
      const ir::Weight* weight = WeightOf(id);
      if (weight != nullptr && !weight->name.empty()) joined += (joined.empty() ? "" : "+") + weight->name;
    }
    return joined;
  }

  ir::Graph* graph_;
  const UseCounts uses_;
  std::unordered_map<ValueId, size_t> weights_;
};

}  // namespace

bool FoldBatchNorms(ir::Graph* graph) {
  if (!Folder(graph).Run()) return false;
  RemoveDead(graph);
  return true;
}

}  // namespace onnxport::passes
