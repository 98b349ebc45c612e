#include "runtime/model/passes/quantize/quantize_weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string_view>
#include <utility>

#include "runtime/base/error.h"
#include "runtime/base/glob.h"
#include "runtime/base/text.h"
#include "runtime/model/passes/graph/new_weight.h"
#include "runtime/model/passes/graph/product_weights.h"
#include "runtime/model/passes/graph/rewrite.h"
#include "runtime/model/passes/graph/tensor_size.h"
#include "runtime/model/passes/quantize/join_names.h"
#include "runtime/model/passes/quantize/quantized_recipe.h"
#include "runtime/model/passes/quantize/quantized_tensor.h"
#include "runtime/model/passes/quantize/weight_types.h"
#include "runtime/model/passes/weights/float_blocks.h"

namespace onnxport::passes {
namespace {

using ir::DType;
using ir::ValueId;

// Returns true for 2 bits, in rows that end within a byte, in a product that sums over columns. ONNX Runtime 1.32 fuses
// it to MatMulNBits, and reads other elements. The model would be right, but its results wrong (docs/smaller.md).
bool IsReadWrongly(const ir::TensorData& weight, const WeightReaders& readers, WeightType type) {
  constexpr int64_t kInByte = 4;
  return type == WeightType::kInt2 && weight.shape.size() == 2 && readers.axes->summed == 0 &&
         weight.shape.back() % kInByte != 0;
}

// If passes make one weight from several, they join the names: "conv.weight+norm.weight".
bool IsNamedBy(std::string_view name, std::string_view pattern) {
  while (true) {
    const size_t plus = std::min(name.find('+'), name.size());
    if (MatchesPath(name.substr(0, plus), pattern)) return true;
    if (plus == name.size()) return false;
    name.remove_prefix(plus + 1);
  }
}

class WeightQuantizer {
 public:
  WeightQuantizer(ir::Graph* graph, const Quantization& wanted)
      : graph_(graph),
        wanted_(wanted),
        facts_(FactsOf(wanted.as.type)),
        group_(wanted.as.group ? wanted.as.group : facts_.group),
        readers_(FindProductWeights(*graph)),
        lost_(std::make_shared<PrecisionLoss>(facts_.finer)) {}

  WeightReport Run() {
    CheckPatterns();
    const size_t count = graph_->weights.size();  // without the weights that are added
    for (size_t i = 0; i < count; ++i) Quantize(i);
    Insertions insertions;
    for (auto& [index, node] : nodes_) insertions.Before(index, std::move(node));
    insertions.Into(&graph_->body);
    return {.remarks = Remarks(), .lost = lost_};
  }

 private:
  // With a typing mistake, a weight that should stay would be quantized.
  void CheckPatterns() const {
    std::vector<std::string> names;
    for (const ir::Weight& weight : graph_->weights) {
      if (!weight.name.empty()) names.push_back(Printable(weight.name));
    }
    for (const std::string& pattern : wanted_.keep) {
      if (std::ranges::any_of(names, [&](const std::string& name) { return IsNamedBy(name, pattern); })) continue;
      throw Error(ErrorKind::kUsage,
                  fmt::format("no weight or module is called `{}` (<<weights_keep>>); the model has {}",
                              Printable(pattern), JoinNames(names)));
    }
  }

  // The reason why the weight stays; empty if it need not.
  std::string ReasonToStay(const ir::Weight& weight, const WeightReaders& readers) const {
    const auto matches = [&](const std::string& pattern) { return IsNamedBy(weight.name, pattern); };
    if (std::ranges::any_of(wanted_.keep, matches)) return "to be kept";
    if (!readers.other.empty()) return "read by " + readers.other;
    if (group_ && GroupBytes(*weight.data, GroupingOf(readers)) > kMostGroupBytes)
      return "its groups lie too far apart";
    if (IsReadWrongly(*weight.data, readers, wanted_.as.type)) return "of rows that are no multiple of 4";
    return "";
  }

  void Quantize(size_t index) {
    const ir::Weight& weight = graph_->weights[index];
    const auto readers = readers_.find(weight.value);
    if (readers == readers_.end() || weight.name.empty() || !HasFloatBlocks(weight.data->dtype) ||
        weight.data->shape.size() < 2 || CountOf(weight.data->shape) < kLeastQuantized)
      return;  // also no biases, which are small beside the weights
    // Only a Transpose reads it, and nothing reads the Transpose.
    if (!readers->second.axes && readers->second.other.empty()) return;
    std::string reason = ReasonToStay(weight, readers->second);
    if (reason.empty()) {
      const QuantizedAs as = HowOf(readers->second);
      const QuantizedTensor made = Quantized(Unnoted(*weight.data), as, weight.name, lost_);
      if (BytesIn(made) < BytesIn(*weight.data))
        return Replace(index, WithRecipe(made, weight.data, as), readers->second);
      reason = "no smaller";
    }
    stayed_.push_back(fmt::format("{} ({})", Printable(weight.name), reason));
  }

  QuantizedAs HowOf(const WeightReaders& readers) const {
    const ProductAxes& axes = *readers.axes;
    return {.type = wanted_.as.type,
            .axis = group_ ? axes.summed : axes.channel,
            .group = group_,
            .asymmetric = wanted_.as.asymmetric};
  }

  static QuantizedTensor WithRecipe(const QuantizedTensor& made, const WeightData& source, const QuantizedAs& as) {
    const WeightDatas parts =
        MadeBy(QuantizedRecipe(source, as), {made.elements, made.scales, made.zero_points, made.scale_scale});
    return {.elements = parts[0], .scales = parts[1], .zero_points = parts[2], .scale_scale = parts[3]};
  }

  Grouping GroupingOf(const WeightReaders& readers) const {
    return {
        .axis = readers.axes->summed, .group = *group_, .type = wanted_.as.type, .asymmetric = wanted_.as.asymmetric};
  }

  // The node's result replaces the weight, so nothing else changes. It belongs to no module, because several modules
  // may read the weight, and functions of modules take floats as before (ONNX Runtime cannot pass int4 to them).
  void Replace(size_t index, const QuantizedTensor& made, const WeightReaders& readers) {
    const ir::Weight old = graph_->weights[index];
    ++done_;
    before_ += BytesIn(*old.data);
    after_ += BytesIn(made);
    const std::string stem = old.name + "." + std::string(ir::Name(made.elements->dtype));
    ir::Node node;
    node.op = "DequantizeLinear";
    node.inputs = {{AddValueLike(graph_, *made.elements)}, {AddScales(made, stem + "_scale", old, readers)}};
    if (made.zero_points) node.inputs.push_back({AddWeight(graph_, made.zero_points, stem + "_zero", old.constant)});
    const ProductAxes& axes = *readers.axes;
    node.attributes.push_back({"axis", {static_cast<int64_t>(group_ ? axes.summed : axes.channel)}});
    if (group_) node.attributes.push_back({"block_size", {*group_}});
    // Otherwise the result would have the type of the scales.
    if (made.scales->dtype == DType::kFloat8E8M0)
      node.attributes.push_back({"output_dtype", {static_cast<int64_t>(DType::kFloat32)}});
    ir::Weight& weight = graph_->weights[index];  // others were added
    weight.value = *node.inputs[0].value();
    weight.name = stem;
    weight.data = made.elements;
    AddNodes(std::move(node), old, readers);
  }

  // Scales of few bits become floats with a node of their own.
  ValueId AddScales(const QuantizedTensor& made, const std::string& name, const ir::Weight& old,
                    const WeightReaders& readers) {
    const ValueId scales = AddWeight(graph_, made.scales, name, old.constant);
    if (!made.scale_scale) return scales;
    ir::Node node;
    node.op = "DequantizeLinear";
    node.inputs = {{scales}, {AddWeight(graph_, made.scale_scale, name + "_scale", old.constant)}};
    ir::TensorData wide = *made.scales;
    wide.dtype = DType::kFloat32;
    node.outputs = {AddValueLike(graph_, wide)};
    return nodes_.emplace(readers.first, std::move(node))->second.outputs[0];
  }

  // Scales are float32 for any weight: rounded to float16, they would add an error of 2**-11.
  void AddNodes(ir::Node node, const ir::Weight& old, const WeightReaders& readers) {
    if (old.data->dtype == DType::kFloat32) {
      node.outputs = {old.value};
      nodes_.emplace(readers.first, std::move(node));
      return;
    }
    ir::TensorData wide = *old.data;
    wide.dtype = DType::kFloat32;
    node.outputs = {AddValueLike(graph_, wide)};
    ir::Node cast;
    cast.op = "Cast";
    cast.inputs = {{node.outputs[0]}};
    cast.outputs = {old.value};
    cast.attributes.push_back({"to", {static_cast<int64_t>(old.data->dtype)}});
    nodes_.emplace(readers.first, std::move(node));
    nodes_.emplace(readers.first, std::move(cast));
  }

  std::vector<std::string> Remarks() const {
    std::vector<std::string> remarks = {
        fmt::format("{} weights are stored as {}: {} bytes in place of {}", done_, facts_.stored, after_, before_)};
    if (!stayed_.empty()) remarks.push_back("weights that stay floats: " + JoinNames(stayed_));
    return remarks;
  }

  ir::Graph* graph_;
  const Quantization& wanted_;
  const WeightTypeFacts& facts_;
  const std::optional<int64_t> group_;  // elements; nothing: a scale for each channel
  const std::unordered_map<ValueId, WeightReaders> readers_;
  std::multimap<size_t, ir::Node> nodes_;  // what is to be added, by the node that needs it; of one in this order
  const std::shared_ptr<PrecisionLoss> lost_;
  std::vector<std::string> stayed_;
  size_t done_ = 0;
  int64_t before_ = 0;  // bytes
  int64_t after_ = 0;
};

}  // namespace

void CheckQuantization(const Quantization& wanted, int opset) {
  const auto refuse = [](const std::string& why) { throw Error(ErrorKind::kUsage, "<<weights_as>>: " + why); };
  const WeightTypeFacts& facts = FactsOf(wanted.as.type);
  if (opset < facts.opset) refuse(fmt::format("{} needs opset {}, not {}", facts.name, facts.opset, opset));
  if (wanted.as.group && !facts.any_group) {
    refuse(facts.group ? fmt::format("a group of {} has {} elements; leave it out", facts.name, *facts.group)
                       : fmt::format("{} has channels, and no groups", facts.name));
  }
  if (wanted.as.group && *wanted.as.group < 1)
    refuse(fmt::format("a group has 1 element or more, not {}", *wanted.as.group));
  if (wanted.as.asymmetric && !facts.asymmetric) refuse("only int4 and int2 are asymmetric");
}

WeightReport QuantizeWeights(ir::Graph* graph, const Quantization& wanted) {
  return WeightQuantizer(graph, wanted).Run();
}

}  // namespace onnxport::passes
