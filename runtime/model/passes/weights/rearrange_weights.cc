#include "runtime/model/passes/weights/rearrange_weights.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "runtime/ir/read_node.h"
#include "runtime/model/passes/graph/constant_number.h"
#include "runtime/model/passes/graph/remove_dead.h"
#include "runtime/model/passes/graph/rewrite.h"
#include "runtime/model/passes/weights/byte_layout.h"
#include "runtime/model/passes/weights/makers.h"
#include "runtime/onnx/op_facts.h"

namespace onnxport::passes {
namespace {

using ir::Node;
using ir::ValueId;

// The name of a weight made from several lists at most so many of them. `+...` stands for the others.
constexpr size_t kMostNames = 4;

class Rearranger {
 public:
  explicit Rearranger(ir::Graph* graph) : graph_(graph), producers_(*graph) {}

  // Takes four steps:
  // 1. Follow: finds for each value the bytes of weights in it.
  // 2. Finds which of these values other nodes read (wanted_), and which weights are read whole (whole_).
  // 3. Finds which of the wanted values can be written without writing a byte twice.
  // 4. These become weights.
  //
  // Example: the four gates of an LSTM's `w` are sliced and joined in another order, and only the Concat is wanted.
  bool Run() {
    for (const ir::Weight& weight : graph_->weights) {
      if (weight.name.empty()) continue;  // a small constant
      Remember(weight.value, WholeTensor(sources_.size(), *weight.data));
      sources_.push_back(weight.data);
      weights_.push_back(&weight);
    }
    if (sources_.empty()) return false;
    ForEachNode(graph_->body, [this](const Node& node) { Follow(node); });
    FindUses();
    DropThoseThatWouldGrow();
    if (wanted_.empty()) return false;
    MakeWeights();
    RemoveDead(graph_);
    return true;
  }

 private:
  const ByteLayout* LayoutOf(ValueId id) const {
    const auto found = layouts_.find(id);
    return found == layouts_.end() ? nullptr : &found->second;
  }
  void Remember(ValueId id, ByteLayout layout) { layouts_.emplace(id, std::move(layout)); }

  // Finds which bytes the result of the node contains.
  void Follow(const Node& node) {
    const ByteLayout* x = LayoutOf(InputAt(node, 0));
    if (x == nullptr || node.outputs.size() != 1) return;
    std::optional<ByteLayout> result;
    if (node.op == "Slice") result = Sliced(node, *x);
    if (node.op == "Concat") result = Concatenated(node);
    if (onnx_ops::Find(node.op).form == onnx_ops::Form::kView) result = Reshaped(node, *x);
    if (!result) return;
    Remember(node.outputs[0], *std::move(result));
    followed_.insert(node.outputs[0]);
  }

  std::optional<std::vector<int64_t>> Ints(const Node& node, size_t position, std::string_view attribute) const {
    if (const auto ints = IntsAttribute(node, attribute)) return ints;
    const auto tensor = ConstantElements(producers_, InputAt(node, position));
    return tensor ? std::optional(tensor->elements) : std::nullopt;
  }

  std::optional<ByteLayout> Sliced(const Node& node, const ByteLayout& x) const {
    const auto starts = Ints(node, 1, "starts");
    const auto ends = Ints(node, 2, "ends");
    const auto axes = Ints(node, 3, "axes");
    const bool has_steps = InputAt(node, 4) != ValueId::kNone;
    const auto steps = Ints(node, 4, "steps");
    if (!starts || !ends || !axes || starts->size() != 1 || ends->size() != 1 || axes->size() != 1) return std::nullopt;
    if (has_steps && (!steps || *steps != std::vector<int64_t>{1})) return std::nullopt;
    const auto rank = static_cast<int64_t>(x.shape.size());
    const int64_t axis = axes->front() < 0 ? axes->front() + rank : axes->front();
    if (axis < 0 || axis >= rank) return std::nullopt;
    const int64_t size = x.shape[static_cast<size_t>(axis)];
    const auto place = [size](int64_t at) { return std::clamp(at < 0 ? at + size : at, int64_t{0}, size); };
    const int64_t begin = place(starts->front());
    const int64_t end = std::max(begin, place(ends->front()));
    return SliceLayout(x, static_cast<size_t>(axis), begin, end);
  }

  std::optional<ByteLayout> Concatenated(const Node& node) const {
    std::vector<const ByteLayout*> parts;
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      parts.push_back(LayoutOf(InputAt(node, i)));
      if (parts.back() == nullptr || parts.back()->shape.empty()) return std::nullopt;
    }
    const auto rank = static_cast<int64_t>(parts[0]->shape.size());
    const int64_t axis = IntAttribute(node, "axis", 0);
    return ConcatLayouts(parts, static_cast<size_t>(axis < 0 ? axis + rank : axis));
  }

  std::optional<ByteLayout> Reshaped(const Node& node, const ByteLayout& x) const {
    const auto& dims = graph_->value(node.outputs[0]).dims;
    if (!dims || !std::ranges::all_of(*dims, [](const ir::Dim& dim) { return dim.is_number(); })) return std::nullopt;
    ByteLayout result = x;
    result.shape.clear();
    for (const ir::Dim& dim : *dims) result.shape.push_back(dim.number());
    return result;
  }

  // Finds the values that other nodes read. Weights are then whole, and results are candidates.
  void FindUses() {
    const auto use = [this](const ir::Arg& arg) {
      if (arg.value() == nullptr || LayoutOf(*arg.value()) == nullptr) return;
      (followed_.contains(*arg.value()) ? wanted_ : whole_).insert(*arg.value());
    };
    const auto use_outputs = [&](const ir::Block& block) {
      for (const ir::Arg& output : block.outputs) {
        // Outputs are made by nodes of their block.
        if (output.value() == nullptr || LayoutOf(*output.value()) == nullptr) continue;
        Keep(*output.value());
      }
    };
    use_outputs(graph_->body);
    ForEachNode(graph_->body, [&](const Node& node) {
      for (const ir::Block& inner : node.blocks) use_outputs(inner);
      if (node.outputs.size() == 1 && followed_.contains(node.outputs[0])) return;
      for (const ir::Arg& input : node.inputs) use(input);
    });
  }

  // Its nodes stay, so its sources are used whole.
  void Keep(ValueId id) {
    kept_.insert(id);
    for (const ByteRange& range : LayoutOf(id)->ranges) whole_.insert(weights_[range.source]->value);
  }

  // Each byte of a source can be used once, and not at all if the source itself stays. A value that needs more stays as
  // nodes, with its sources whole. Then others may have to stay, too, until nothing changes.
  void DropThoseThatWouldGrow() {
    std::erase_if(wanted_, [this](ValueId id) { return kept_.contains(id); });
    for (bool changed = true; changed;) {
      std::vector<int64_t> left;
      for (const ir::Weight* weight : weights_) {
        left.push_back(whole_.contains(weight->value)            ? 0
                       : LayoutOf(weight->value)->ranges.empty() ? 0
                                                                 : LayoutOf(weight->value)->ranges[0].size);
      }
      for (const ValueId id : wanted_)
        for (const ByteRange& range : LayoutOf(id)->ranges) left[range.source] -= range.size;
      changed = std::erase_if(wanted_, [&](ValueId id) {
                  const bool grows = std::ranges::any_of(
                      LayoutOf(id)->ranges, [&](const ByteRange& range) { return left[range.source] < 0; });
                  if (grows) Keep(id);
                  return grows;
                }) > 0;
    }
  }

  // The elements of its source in another order, but with the same shape. A user who replaces weights must not take it
  // for the source.
  bool IsShuffled(const ByteLayout& layout) const {
    const size_t source = layout.ranges.empty() ? 0 : layout.ranges[0].source;
    const auto of_source = [&](const ByteRange& range) { return range.source == source; };
    return layout.ranges.size() > 1 && std::ranges::all_of(layout.ranges, of_source) &&
           layout.shape == sources_[source]->shape;
  }

  std::string NameOf(const ByteLayout& layout) const {
    std::vector<std::string> names;
    for (const ByteRange& range : layout.ranges) {
      const std::string& name = weights_[range.source]->name;
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    }
    std::string joined;
    for (size_t i = 0; i < std::min(names.size(), kMostNames); ++i) joined += (i == 0 ? "" : "+") + names[i];
    if (names.size() > kMostNames) joined += "+...";
    return IsShuffled(layout) ? joined + ".shuffled" : joined;
  }

  // Keeps only the sources that it needs: a weight must not keep all others of the model alive.
  WeightData DataOf(ByteLayout layout) const {
    WeightDatas of;
    std::map<size_t, size_t> places;
    for (ByteRange& range : layout.ranges) {
      const auto [place, is_new] = places.try_emplace(range.source, of.size());
      if (is_new) of.push_back(sources_[range.source]);
      range.source = place->second;
    }
    return MakeOne({.maker = &kPieces, .how = PiecesJson(layout), .of = std::move(of)});
  }

  bool IsConstant(const ByteLayout& layout) const {
    return std::ranges::all_of(layout.ranges,
                               [this](const ByteRange& range) { return weights_[range.source]->constant; });
  }

  void MakeWeights() {
    std::vector<ir::Weight> made;
    for (const ValueId id : wanted_) {
      const ByteLayout& layout = *LayoutOf(id);
      made.push_back({.value = id, .name = NameOf(layout), .data = DataOf(layout), .constant = IsConstant(layout)});
    }
    EraseProducers(&graph_->body);
    std::ranges::move(made, std::back_inserter(graph_->weights));
  }

  void EraseProducers(ir::Block* block) {
    for (Node& node : block->nodes)
      for (ir::Block& inner : node.blocks) EraseProducers(&inner);
    std::erase_if(block->nodes,
                  [this](const Node& node) { return node.outputs.size() == 1 && wanted_.contains(node.outputs[0]); });
  }

  ir::Graph* graph_;
  Producers producers_;
  std::vector<const ir::Weight*> weights_;  // by source
  std::vector<std::shared_ptr<const ir::TensorData>> sources_;
  std::map<ValueId, ByteLayout> layouts_;
  std::set<ValueId> followed_;  // made by nodes
  std::set<ValueId> wanted_;    // to become weights
  std::set<ValueId> whole_;     // weights that stay
  std::set<ValueId> kept_;      // results that stay
};

}  // namespace

bool RearrangeWeights(ir::Graph* graph) { return Rearranger(graph).Run(); }

}  // namespace onnxport::passes
