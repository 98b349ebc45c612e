#include "runtime/model/passes/attention/fuse_causal_convs.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/ir/read_node.h"
#include "runtime/model/passes/graph/constant_number.h"
#include "runtime/model/passes/graph/nearest_node.h"
#include "runtime/model/passes/graph/rewrite.h"
#include "runtime/onnx/node_view.h"

namespace onnxport::passes {
namespace {

using ir::Dim;
using ir::DType;
using ir::InputAt;
using ir::Node;
using ir::ValueId;

constexpr int kCausalConvOpset = 27;
constexpr size_t kConvRank = 3;  // [batch, channels, places]

struct CausalConv {
  const Node* conv;
  ValueId x;
  ValueId past = ValueId::kNone;    // none: zeros
  ValueId joined = ValueId::kNone;  // past and x
  bool has_silu = false;
};

// Slices the last axis alone, one place after another; `end`: nothing for all the rest.
bool IsSlice(const ir::Graph& graph, const Node& node, int64_t start, std::optional<int64_t> end) {
  const onnx_ops::NodeView view{graph, node};
  const auto is = [&view](size_t input, auto fits) {
    const auto numbers = view.Numbers(input);
    return numbers && numbers->size() == 1 && fits(numbers->front());
  };
  return node.op == "Slice" && is(1, [&](int64_t number) { return number == start; }) &&
         is(2, [&](int64_t number) { return end ? number == *end : number == INT64_MAX; }) &&
         is(3, [](int64_t axis) { return axis == 2 || axis == -1; }) &&
         (InputAt(node, 4) == ValueId::kNone || is(4, [](int64_t step) { return step == 1; }));
}

// Before any node is replaced.
class CausalConvSearch {
 public:
  explicit CausalConvSearch(const ir::Graph& graph) : graph_(graph), producers_(graph), uses_(graph) {}

  std::optional<CausalConv> Find(const Node& root) const {
    if (root.op != "Mul") return root.outputs.size() == 1 ? ConvOf(root) : std::nullopt;
    for (const size_t straight : {0, 1}) {
      const ValueId y = InputAt(root, straight);
      const Node* sigmoid = producers_.Of(InputAt(root, 1 - straight));
      const Node* node = producers_.Of(y);
      if (sigmoid == nullptr || sigmoid->op != "Sigmoid" || InputAt(*sigmoid, 0) != y || node == nullptr ||
          uses_.Count(y) != 2 || uses_.Count(sigmoid->outputs[0]) != 1)
        continue;
      std::optional<CausalConv> found = ConvOf(*node);
      if (found) found->has_silu = true;
      return found;
    }
    return std::nullopt;
  }

  // With the three axes [batch, channels, places].
  bool IsOverPlaces(const Node& conv) const {
    if (conv.op != "Conv" || FindAttribute(conv, "auto_pad") != nullptr) return false;
    const auto& x = graph_.value(InputAt(conv, 0)).dims;
    const auto& weight = graph_.value(InputAt(conv, 1)).dims;
    return x && x->size() == kConvRank && weight && weight->size() == kConvRank;
  }

  bool IsOfSingleChannels(const Node& conv) const {
    const Dim& channels = (*graph_.value(InputAt(conv, 0)).dims)[1];
    const ir::Dims& weight = *graph_.value(InputAt(conv, 1)).dims;
    return channels.is_number() && IntAttribute(conv, "group", 1) == channels.number() && weight[0] == channels &&
           weight[1] == Dim(1);
  }

  // Why a Conv over places is none of these.
  std::string_view WhyNot(const Node& conv) const {
    if (!IsOfSingleChannels(conv)) return "it is not one of each channel by itself";
    if (const std::string_view why = WhyNoWindow(conv); !why.empty()) return why;
    const auto pads = IntsAttribute(conv, "pads");
    if (pads && pads->size() == 2 && pads->back() > 0) return "it looks ahead, and not just that is cut off";
    return "its input has not as many kept places or zeros in front as its window has before its last one";
  }

 private:
  std::optional<CausalConv> ConvOf(const Node& node) const {
    const Node* conv = &node;
    if (node.op == "Slice") {
      conv = producers_.Of(InputAt(node, 0));
      if (conv == nullptr || uses_.Count(InputAt(node, 0)) != 1) return std::nullopt;
    }
    const std::optional<int64_t> before = PlacesBefore(*conv);
    const auto pads = before ? IntsAttribute(*conv, "pads") : std::nullopt;
    if (!pads || pads->size() != 2) return std::nullopt;
    const ValueId input = InputAt(*conv, 0);
    if (conv != &node) {
      const bool is_cut = *pads == std::vector<int64_t>{*before, *before} && IsSlice(graph_, node, 0, -*before);
      return is_cut ? std::optional(CausalConv{.conv = conv, .x = input}) : std::nullopt;
    }
    if (*pads == std::vector<int64_t>{*before, 0}) return CausalConv{.conv = conv, .x = input};
    return *pads == std::vector<int64_t>{0, 0} ? MatchLonger(*conv, input, *before) : std::nullopt;
  }

  // The size of the window but one, of a Conv of each channel by itself.
  std::optional<int64_t> PlacesBefore(const Node& conv) const {
    if (!IsOverPlaces(conv) || !IsOfSingleChannels(conv) || !WhyNoWindow(conv).empty()) return std::nullopt;
    return graph_.value(InputAt(conv, 1)).dims->back().number() - 1;
  }

  std::string_view WhyNoWindow(const Node& conv) const {
    const Dim& window = graph_.value(InputAt(conv, 1)).dims->back();
    if (graph_.value(InputAt(conv, 0)).dtype != DType::kFloat32) return "it is not computed in float32";
    if (!window.is_number() || window.number() < 2) return "its window has one place";
    return IsOne(conv, "strides") && IsOne(conv, "dilations") ? "" : "it has strides or dilations";
  }

  static bool IsOne(const Node& conv, const char* name) {
    const auto ints = IntsAttribute(conv, name);
    return !ints || *ints == std::vector<int64_t>{1};
  }

  std::optional<CausalConv> MatchLonger(const Node& conv, ValueId longer, int64_t before) const {
    const Node* node = producers_.Of(longer);
    if (node == nullptr) return std::nullopt;
    if (node->op == "Pad") {
      const auto pads = onnx_ops::NodeView{graph_, *node}.Numbers(1);
      const auto number =
          InputAt(*node, 2) == ValueId::kNone ? 0 : ConstantNumber(graph_, producers_, InputAt(*node, 2));
      const bool zeros =
          FindAttribute(*node, "mode") == nullptr && InputAt(*node, 3) == ValueId::kNone && number == 0.0;
      return zeros && pads == std::vector<int64_t>{0, 0, before, 0, 0, 0}
                 ? std::optional(CausalConv{.conv = &conv, .x = InputAt(*node, 0)})
                 : std::nullopt;
    }
    const int64_t axis = node->op == "Concat" ? IntAttribute(*node, "axis", 0) : 0;
    if ((axis != 2 && axis != -1) || node->inputs.size() != 2) return std::nullopt;
    const auto& past = graph_.value(InputAt(*node, 0)).dims;
    if (!past || !(past->back() == Dim(before))) return std::nullopt;
    return CausalConv{.conv = &conv, .x = InputAt(*node, 1), .past = InputAt(*node, 0), .joined = longer};
  }

  const ir::Graph& graph_;
  const Producers producers_;
  const UseCounts uses_;
};

class CausalConvFuser {
 public:
  explicit CausalConvFuser(ir::Graph* graph) : graph_(graph), search_(*graph), slices_(*graph, "Slice", 0) {}

  // The last nodes first: what is behind a Conv is part of it.
  bool Run() {
    std::vector<std::pair<size_t, CausalConv>> all;
    std::set<const Node*> taken;
    for (size_t i = graph_->body.nodes.size(); i-- > 0;) {
      const auto found = search_.Find(graph_->body.nodes[i]);
      if (found && taken.insert(found->conv).second) all.emplace_back(i, *found);
    }
    std::ranges::reverse(all);
    std::vector<Node> fused;
    for (const auto& [index, found] : all) fused.push_back(Fused(index, found));
    for (size_t i = 0; i < all.size(); ++i) graph_->body.nodes[all[i].first] = std::move(fused[i]);
    ReplaceUses(replaced_, graph_);
    return !all.empty();
  }

 private:
  Node Fused(size_t index, const CausalConv& found) {
    Node fused;
    fused.op = "CausalConvWithState";
    fused.inputs = {{found.x}, found.conv->inputs[1]};
    const ValueId bias = InputAt(*found.conv, 2);
    if (bias != ValueId::kNone || found.past != ValueId::kNone)
      fused.inputs.push_back(bias == ValueId::kNone ? ir::Arg() : ir::Arg{bias});
    if (found.past != ValueId::kNone) fused.inputs.push_back({found.past});
    if (found.has_silu) fused.attributes = {{"activation", {std::string("silu")}}};
    const Node& root = graph_->body.nodes[index];
    fused.outputs = root.outputs;
    fused.location = root.location;
    AddState(index, found, &fused);
    return fused;
  }

  void AddState(size_t index, const CausalConv& found, Node* fused) {
    if (found.joined == ValueId::kNone) return;
    const int64_t before = graph_->value(found.past).dims->back().number();
    for (const size_t slice : slices_.Find(found.joined)) {
      const Node& node = graph_->body.nodes[slice];
      if (!IsSlice(*graph_, node, -before, std::nullopt)) continue;
      if (fused->outputs.size() == 1) {
        ir::Value state;
        state.dtype = DType::kFloat32;
        state.dims = graph_->value(found.past).dims;
        fused->outputs.push_back(graph_->AddValue(std::move(state)));
      }
      replaced_.push_back({index, node.outputs[0], fused->outputs[1]});
    }
  }

  ir::Graph* graph_;
  const CausalConvSearch search_;
  const UsersOf slices_;
  std::vector<ReplacedUse> replaced_;
};

}  // namespace

bool FuseCausalConvs(ir::Graph* graph) { return graph->opset >= kCausalConvOpset && CausalConvFuser(graph).Run(); }

std::string WhyNoCausalConv(const ir::Graph& graph) {
  const CausalConvSearch search(graph);
  const auto nearest = [&](bool is_single) {
    return NearestNode(graph, [&](const Node& node) {
      return search.IsOverPlaces(node) && search.IsOfSingleChannels(node) == is_single ? search.WhyNot(node) : "";
    });
  };
  const std::string why = nearest(true);
  return why.empty() ? nearest(false) : why;
}

}  // namespace onnxport::passes
