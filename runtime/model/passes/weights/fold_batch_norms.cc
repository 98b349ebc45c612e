#include "runtime/model/passes/weights/fold_batch_norms.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/ir/read_node.h"
#include "runtime/model/passes/graph/new_weight.h"
#include "runtime/model/passes/graph/remove_dead.h"
#include "runtime/model/passes/graph/rewrite.h"
#include "runtime/model/passes/graph/weight_index.h"
#include "runtime/model/passes/weights/scaled_tensor.h"

namespace onnxport::passes {
namespace {

using ir::ValueId;
using Floats = std::vector<double>;

constexpr double kLargest = 0x1p40;  // of a number that is added
constexpr double kEpsilon = 1e-5;    // ONNX's default

struct Channels {
  ir::DType dtype;
  int64_t count;
};

// A norm turns x of channel i into x * factors[i] + offsets[i].
struct Affine {
  Floats factors;
  Floats offsets;
};

double EpsilonOf(const ir::Node& norm) {
  const ir::Arg* epsilon = FindAttribute(norm, "epsilon");
  const auto* number = epsilon == nullptr ? nullptr : std::get_if<double>(&epsilon->v);
  return static_cast<float>(number == nullptr ? kEpsilon : *number);  // an attribute is a float32
}

bool IsOne(const ir::Node& node, std::string_view attribute) {
  const ir::Arg* value = FindAttribute(node, attribute);
  const auto* number = value == nullptr ? nullptr : std::get_if<double>(&value->v);
  return number != nullptr ? *number == 1 : IntAttribute(node, attribute, 1) == 1;
}

// The axis of the node's weight that is that of the channels of its result; nothing where there is none.
std::optional<size_t> ChannelAxis(const ir::Node& node) {
  if (node.op == "Conv") return 0;
  if (node.op == "ConvTranspose" && IntAttribute(node, "group", 1) == 1) return 1;
  if (node.op == "Gemm" && IsOne(node, "alpha") && IsOne(node, "beta"))
    return IntAttribute(node, "transB", 0) != 0 ? 0 : 1;
  return std::nullopt;
}

class BatchNormFolder {
 public:
  explicit BatchNormFolder(ir::Graph* graph) : graph_(graph), uses_(*graph), weights_(graph) {}

  bool Run() { return Visit(&graph_->body); }

 private:
  bool Visit(ir::Block* block) {
    bool changed = false;
    // A Conv outside of the block is not looked for: what the norm gives, perhaps for the block itself, would be made
    // outside.
    std::unordered_map<ValueId, ir::Node*> linear;  // nodes of this block that take a factor, by what they give
    std::vector<bool> folded(block->nodes.size());
    for (size_t i = 0; i < block->nodes.size(); ++i) {
      ir::Node& node = block->nodes[i];
      for (ir::Block& inner : node.blocks) changed |= Visit(&inner);
      if (ChannelAxis(node)) linear.emplace(node.outputs[0], &node);
      const auto found = IsFixedNorm(node) ? linear.find(InputAt(node, 0)) : linear.end();
      folded[i] = found != linear.end() && Fold(node, found->second);
    }
    size_t index = 0;
    return std::erase_if(block->nodes, [&](const ir::Node&) { return folded[index++]; }) > 0 || changed;
  }

  // That computes its first result of given statistics.
  static bool IsFixedNorm(const ir::Node& node) {
    return node.op == "BatchNormalization" && node.outputs.size() == 1 && IntAttribute(node, "training_mode", 0) == 0 &&
           IntAttribute(node, "spatial", 1) == 1;
  }

  // Returns true if `linear` now gives the result of `norm`.
  bool Fold(const ir::Node& norm, ir::Node* linear) {
    const ir::Weight* weight = weights_.Find(InputAt(*linear, 1));
    const ValueId bias = InputAt(*linear, 2);
    // A weight with a second use would be there twice, and a result with one is wanted as it was before the norm.
    if (weight == nullptr || uses_.Count(weight->value) != 1 || uses_.Count(linear->outputs[0]) != 1) return false;
    const size_t axis = *ChannelAxis(*linear);
    if (axis >= weight->data->shape.size()) return false;
    const Channels channels = {.dtype = weight->data->dtype, .count = weight->data->shape[axis]};
    std::optional<Affine> affine = AffineOf(norm, channels);
    if (!affine || (bias != ValueId::kNone && !AddBias(bias, channels, &*affine))) return false;
    SetWeights(norm, std::move(*affine), axis, linear);
    linear->outputs = norm.outputs;
    return true;
  }

  // A number for each channel, of the weight's dtype.
  std::optional<Floats> Read(ValueId id, const Channels& channels) const {
    const ir::Weight* found = weights_.Find(id);
    if (found == nullptr || found->data->dtype != channels.dtype || found->data->shape != std::vector{channels.count})
      return std::nullopt;
    return ReadFloats(*found->data, kMostFactors);
  }

  std::optional<Affine> AffineOf(const ir::Node& norm, const Channels& channels) const {
    const auto scale = Read(InputAt(norm, 1), channels);
    const auto bias = Read(InputAt(norm, 2), channels);
    const auto mean = Read(InputAt(norm, 3), channels);
    const auto variance = Read(InputAt(norm, 4), channels);
    if (!scale || !bias || !mean || !variance) return std::nullopt;
    const double epsilon = EpsilonOf(norm);
    Affine affine;
    for (size_t i = 0; i < scale->size(); ++i) {
      const double factor = (*scale)[i] / std::sqrt((*variance)[i] + epsilon);
      // Step by step in double precision, each in a variable: one expression might be computed with a fused
      // multiply-add, and the bytes of the model would depend on the machine.
      const double shift = (*mean)[i] * factor;
      const double offset = (*bias)[i] - shift;
      // Not a number is none of this either.
      if (!IsTame(factor) || !(std::abs(shift) <= kLargest) || !(std::abs(offset) <= kLargest)) return std::nullopt;
      affine.factors.push_back(factor);
      affine.offsets.push_back(offset);
    }
    return affine;
  }

  bool AddBias(ValueId id, const Channels& channels, Affine* affine) const {
    const auto bias = Read(id, channels);
    if (!bias) return false;
    for (size_t i = 0; i < bias->size(); ++i) {
      if (!(std::abs((*bias)[i]) <= kLargest)) return false;
      const double scaled = (*bias)[i] * affine->factors[i];
      affine->offsets[i] += scaled;
    }
    return true;
  }

  // Named by what they are made of, as they are none of these any more.
  void SetWeights(const ir::Node& norm, Affine affine, size_t axis, ir::Node* linear) {
    ir::Weight& weight = *weights_.Find(InputAt(*linear, 1));
    std::string bias_name = weights_.JoinedName({InputAt(*linear, 2), InputAt(norm, 3), InputAt(norm, 2)});
    weight.name = weights_.JoinedName({InputAt(*linear, 1), InputAt(norm, 1)});
    weight.data = ScaledTensor(weight.data, std::move(affine.factors), axis);
    linear->inputs.resize(2);
    linear->inputs.push_back(
        {AddWeight(graph_, FloatTensor(weight.data->dtype, affine.offsets), std::move(bias_name), weight.constant)});
  }

  ir::Graph* graph_;
  const UseCounts uses_;
  const WeightIndex weights_;
};

}  // namespace

bool FoldBatchNorms(ir::Graph* graph) {
  bool folded = false;
  // Again while there was one: what has taken a norm may have another one behind it.
  while (BatchNormFolder(graph).Run()) {
    RemoveDead(graph);
    folded = true;
  }
  return folded;
}

}  // namespace onnxport::passes
