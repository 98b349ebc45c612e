#include "runtime/model/passes/graph/product_weights.h"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "runtime/ir/read_node.h"
#include "runtime/onnx/permutation.h"

namespace onnxport::passes {
namespace {

using ir::ValueId;
using onnx_ops::Perm;

// In "bi,eio->beo" and position 1, i is summed and o is the channel. An axis that only the result shares with the
// weight is a channel. If there are several (e and o), the last one is used, as in the other layouts.
std::optional<ProductAxes> EinsumAxes(const ir::Node& node, size_t position) {
  const ir::Arg* given = ir::FindAttribute(node, "equation");
  const auto* equation = given == nullptr ? nullptr : std::get_if<std::string>(&given->v);
  if (equation == nullptr || equation->find('.') != std::string::npos) return std::nullopt;
  std::vector<std::string> terms(1);
  for (const char c : *equation) {
    if (std::isalpha(static_cast<unsigned char>(c))) terms.back() += c;
    if (c == ',' || c == '>') terms.emplace_back();
  }
  if (terms.size() != node.inputs.size() + 1) return std::nullopt;  // the result is not spelled out
  const std::string result = terms.back();
  const std::string own = terms[position];
  terms.pop_back();
  std::optional<size_t> summed;
  std::optional<size_t> channel;
  for (size_t axis = 0; axis < own.size(); ++axis) {
    if (own.find(own[axis]) != own.rfind(own[axis])) return std::nullopt;  // a diagonal
    const auto has = [letter = own[axis]](const std::string& term) { return term.find(letter) != std::string::npos; };
    const bool kept = has(result);
    const bool shared = std::ranges::count_if(terms, has) > 1;
    if (!kept && shared) summed = axis;
    if (kept && !shared) channel = axis;
  }
  if (!summed || !channel) return std::nullopt;
  return ProductAxes{.channel = *channel, .summed = *summed};
}

std::optional<ProductAxes> AxesOf(const ir::Node& node, size_t position, size_t rank) {
  if (rank < 2) return std::nullopt;
  if (node.op == "MatMul" && position == 0) return ProductAxes{.channel = rank - 2, .summed = rank - 1};
  if (node.op == "MatMul") return ProductAxes{.channel = rank - 1, .summed = rank - 2};
  if (node.op == "Gemm" && position == 1) {
    const bool transposed = IntAttribute(node, "transB", 0) != 0;
    return ProductAxes{.channel = transposed ? 0U : 1U, .summed = transposed ? 1U : 0U};
  }
  if (node.op == "Conv" && position == 1) return ProductAxes{.channel = 0, .summed = 1};
  if (node.op == "Einsum") return EinsumAxes(node, position);
  if (node.op == "Gather" && position == 0 && IntAttribute(node, "axis", 0) == 0)
    return ProductAxes{.channel = 0, .summed = rank - 1};
  return std::nullopt;
}

class Finder {
 public:
  explicit Finder(const ir::Graph& graph) : graph_(graph) {}

  void Follow(ValueId weight, size_t rank) {
    Perm perm(rank);
    std::iota(perm.begin(), perm.end(), 0);
    views_.emplace(weight, View{.weight = weight, .perm = std::move(perm)});
  }

  std::unordered_map<ValueId, WeightReaders> Run() {
    const auto& nodes = graph_.body.nodes;
    for (size_t i = 0; i < nodes.size(); ++i) Visit(nodes[i], i);
    NoteOutputs(graph_.body);
    return std::move(found_);
  }

 private:
  // A weight, or one with its axes in another order: axis i is axis perm[i] of the weight.
  struct View {
    ValueId weight;
    Perm perm;
  };

  void Visit(const ir::Node& node, size_t index) {
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      const auto view = views_.find(InputAt(node, i));
      if (view != views_.end()) Note(node, i, index, View(view->second));  // a copy, as views are added
    }
    for (const ir::Block& block : node.blocks) {
      for (const ir::Node& inner : block.nodes) Visit(inner, index);
      NoteOutputs(block);
    }
  }

  void Note(const ir::Node& node, size_t position, size_t index, const View& view) {
    WeightReaders& readers =
        found_.try_emplace(view.weight, WeightReaders{.axes = {}, .other = "", .first = index}).first->second;
    if (const auto perm = onnx_ops::PermOf(node, view.perm.size())) {
      views_.emplace(node.outputs[0], View{.weight = view.weight, .perm = onnx_ops::Compose(view.perm, *perm)});
      return;
    }
    const auto axes = AxesOf(node, position, view.perm.size());
    if (!axes) {
      readers.other = node.op.text();
    } else if (!readers.axes) {
      readers.axes = ProductAxes{.channel = static_cast<size_t>(view.perm[axes->channel]),
                                 .summed = static_cast<size_t>(view.perm[axes->summed])};
    }
  }

  void NoteOutputs(const ir::Block& block) {
    for (const ir::Arg& output : block.outputs) {
      const auto view = output.value() == nullptr ? views_.end() : views_.find(*output.value());
      if (view != views_.end()) found_[view->second.weight].other = "an output";
    }
  }

  const ir::Graph& graph_;
  std::unordered_map<ValueId, View> views_;
  std::unordered_map<ValueId, WeightReaders> found_;
};

}  // namespace

std::unordered_map<ValueId, WeightReaders> FindProductWeights(const ir::Graph& graph) {
  Finder finder(graph);
  for (const ir::Weight& weight : graph.weights) finder.Follow(weight.value, weight.data->shape.size());
  return finder.Run();
}

std::unordered_map<ValueId, WeightReaders> FindProductsOf(const std::vector<ValueId>& values, const ir::Graph& graph) {
  Finder finder(graph);
  for (const ValueId value : values) finder.Follow(value, graph.value(value).dims->size());
  return finder.Run();
}

}  // namespace onnxport::passes
