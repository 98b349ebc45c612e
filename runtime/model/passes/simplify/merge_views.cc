#include "runtime/model/passes/simplify/merge_views.h"

#include <cstddef>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/ir/read_node.h"
#include "runtime/model/passes/graph/axis_map.h"
#include "runtime/model/passes/graph/node_maker.h"
#include "runtime/model/passes/graph/reshape_shape.h"
#include "runtime/model/passes/graph/rewrite.h"
#include "runtime/onnx/op_facts.h"
#include "runtime/onnx/permutation.h"

namespace onnxport::passes {
namespace {

using ir::Node;
using ir::ValueId;
using onnx_ops::Perm;
using onnx_ops::PermOf;
using onnx_ops::ToArg;
using MappedAxis = AxisMap::Axis;

constexpr int kMostViews = 8;        // of a chain; merging shortens longer ones
constexpr int kFirstModeOpset = 11;  // of DepthToSpace; before, blocks come first

// Axes of images on the side with few channels: [n] channels [height, down] [width, right].
struct Blocks {
  MappedAxis channels;
  size_t height;  // a factor, as the rest
  size_t down;    // inside of a block
  size_t width;
  size_t right;
};

// For [n, c, h*2, w*2], made from [n, c*4, h, w]: height and width have a second factor each, the place within a block.
std::optional<Blocks> AsBlocks(const AxisMap& map, const AxisMap::Axes& axes) {
  if (axes.size() != 4 || axes[2].size() != 2 || axes[3].size() != 2) return std::nullopt;
  const Blocks blocks = {axes[1], axes[2][0], axes[2][1], axes[3][0], axes[3][1]};
  const ir::Dim& size = map.size(blocks.down);
  return size.is_number() && size == map.size(blocks.right) ? std::optional(blocks) : std::nullopt;
}

MappedAxis Joined(MappedAxis outer, const MappedAxis& inner) {
  outer.insert(outer.end(), inner.begin(), inner.end());
  return outer;
}

// The node that makes the result of a map from its source, without names of values; nothing if one node is not enough.
std::optional<Node> AsOneNode(const AxisMap& map, int opset) {
  if (const auto perm = map.AsTranspose()) return NewNode("Transpose", {}, {{"perm", ToArg(*perm)}});
  // PixelShuffle moves channels to pixels: its result is the side with few channels. For PixelUnshuffle, its source is
  // that side.
  const bool spreads = AsBlocks(map, map.result()).has_value();
  const auto blocks = AsBlocks(map, spreads ? map.result() : map.source());
  if (!blocks) return std::nullopt;
  const AxisMap::Axes& shallow = spreads ? map.result() : map.source();
  const AxisMap::Axes& deep = spreads ? map.source() : map.result();
  const MappedAxis inside = {blocks->down, blocks->right};
  const auto is_deep = [&](const MappedAxis& channels) {
    return deep == AxisMap::Axes{shallow[0], channels, {blocks->height}, {blocks->width}};
  };
  const ir::Attribute size = {"blocksize", {map.size(blocks->down).number()}};
  if (is_deep(Joined(inside, blocks->channels))) return NewNode(spreads ? "DepthToSpace" : "SpaceToDepth", {}, {size});
  if (spreads && opset >= kFirstModeOpset && is_deep(Joined(blocks->channels, inside)))
    return NewNode("DepthToSpace", {}, {size, {"mode", {std::string("CRD")}}});
  return std::nullopt;
}

class ViewMerger {
 public:
  explicit ViewMerger(ir::Graph* graph) : graph_(graph), uses_(*graph) {}

  bool Visit(ir::Block* block) {
    bool changed = false;
    std::unordered_map<ValueId, View> outer;
    outer.swap(views_);  // nothing is moved into a block, which may be run often
    Insertions shapes;
    for (size_t i = 0; i < block->nodes.size(); ++i) {
      Node& node = block->nodes[i];
      for (ir::Block& inner : node.blocks) changed |= Visit(&inner);
      if (node.op == "Transpose" || OnlyReshapes(node)) {
        changed |= Merge(&node, i, &shapes);
        views_.insert_or_assign(node.outputs[0], ViewOf(node));
      }
    }
    shapes.Into(block);
    outer.swap(views_);
    return changed;
  }

 private:
  struct View {
    ir::Operator op;
    ValueId input;
    std::optional<Perm> perm;  // of a Transpose
  };

  // The node that replaces the last one of a chain.
  struct Merged {
    ValueId source = ValueId::kNone;
    std::optional<Node> node;       // nothing: a Reshape
    std::optional<Perm> perm = {};  // of a Transpose in front of the Reshape
    int saved = 0;                  // nodes
  };

  const std::optional<ir::Dims>& DimsOf(ValueId id) const {
    static const std::optional<ir::Dims> kNothing;
    return id == ValueId::kNone ? kNothing : graph_->value(id).dims;
  }

  View ViewOf(const Node& node) const {
    const std::optional<ir::Dims>& dims = DimsOf(InputAt(node, 0));
    return {node.op, InputAt(node, 0), dims ? PermOf(node, dims->size()) : std::nullopt};
  }

  bool Merge(Node* node, size_t index, Insertions* shapes) {
    std::optional<Merged> merged = Find(*node);
    if (!merged) return false;
    if (merged->node) {
      node->op = std::move(merged->node->op);
      node->attributes = std::move(merged->node->attributes);
      node->inputs = {{merged->source}};
      return true;
    }
    ir::Dims from = *DimsOf(merged->source);
    if (merged->perm) from = Transposed(from, *merged->perm);
    const auto shape = ReshapeShape(from, *DimsOf(node->outputs[0]), graph_->ranges);
    if (!shape) return false;
    if (merged->perm) merged->source = MakeTranspose(*merged, std::move(from), node->location, index, shapes);
    const Node& constant = shapes->Before(index, IntsConstant(*shape, node->location, graph_));
    node->op = "Reshape";
    node->attributes.clear();
    node->inputs = {{merged->source}, {constant.outputs[0]}};
    return true;
  }

  static ir::Dims Transposed(const ir::Dims& dims, const Perm& perm) {
    ir::Dims transposed;
    for (const int64_t axis : perm) transposed.push_back(dims[static_cast<size_t>(axis)]);
    return transposed;
  }

  ValueId MakeTranspose(const Merged& merged, ir::Dims dims, ir::LocationId location, size_t index, Insertions* nodes) {
    ir::Value value;
    value.dtype = graph_->value(merged.source).dtype;
    value.dims = std::move(dims);
    Node node = NewNode("Transpose", {merged.source}, {{"perm", ToArg(*merged.perm)}});
    node.outputs = {graph_->AddValue(std::move(value))};
    node.location = location;
    return nodes->Before(index, std::move(node)).outputs[0];
  }

  // The chain with a Transpose that saves most nodes. If several save the same, the one that becomes a single node.
  std::optional<Merged> Find(const Node& node) const {
    const std::optional<ir::Dims>& dims = DimsOf(node.outputs[0]);
    if (!dims) return std::nullopt;
    std::optional<Merged> best;
    AxisMap map(*dims);
    View at = ViewOf(node);
    bool moves = false;     // a Transpose was there
    bool used_once = true;  // all but the last
    for (int count = 1; count <= kMostViews && DimsOf(at.input); ++count) {
      moves |= at.op == "Transpose";
      const bool known =
          at.op == "Transpose" ? at.perm && map.ThroughTranspose(*at.perm) : map.ThroughReshape(*DimsOf(at.input));
      if (!known) break;
      // The order of these two matters: a Reshape costs nothing and is right even if the nodes between have other uses.
      if (moves && map.IsReshape()) {
        best = {.source = at.input, .node = std::nullopt, .saved = count};
      } else if (moves && used_once && count > 1) {
        if (auto one = AsOneNode(map, graph_->opset); one && HasKernel(*one, at.input)) {
          best = {.source = at.input, .node = std::move(one), .saved = count - 1};
        } else if (auto perm = map.TransposeBeforeReshape(); perm && count - 2 > (best ? best->saved : 0)) {
          best = {.source = at.input, .node = std::nullopt, .perm = std::move(perm), .saved = count - 2};
        }
      }
      used_once = used_once && uses_.Count(at.input) == 1;
      const auto next = views_.find(at.input);
      if (next == views_.end()) break;
      at = next->second;
    }
    return best;
  }

  // For other dtypes runtimes only have Transpose.
  bool HasKernel(const Node& node, ValueId source) const {
    return node.op == "Transpose" || graph_->value(source).dtype == ir::DType::kFloat32;
  }

  ir::Graph* graph_;
  const UseCounts uses_;
  std::unordered_map<ValueId, View> views_;
};

}  // namespace

bool MergeViews(ir::Graph* graph) { return ViewMerger(graph).Visit(&graph->body); }

}  // namespace onnxport::passes
