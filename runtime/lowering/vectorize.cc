#include "runtime/lowering/vectorize.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <unordered_set>

#include "runtime/onnx/op_facts.h"

namespace onnxport::lowering {
namespace {

using ir::Arg;
using ir::ValueId;

// Does not compare lists and tensors.
bool Same(const Arg& a, const Arg& b) {
  return std::visit(
      []<typename A, typename B>(const A& left, const B& right) {
        constexpr bool kScalar =
            std::is_same_v<A, int64_t> || std::is_same_v<A, double> || std::is_same_v<A, std::string>;
        if constexpr (kScalar && std::is_same_v<A, B>) return left == right;
        return false;
      },
      a.v, b.v);
}

class Comparison {
 public:
  Comparison(const ir::Graph& graph, size_t rank) : graph_(graph), rank_(rank) {}

  bool Input(ValueId one, ValueId all) {
    if (!HasRank(one, rank_) || !HasRank(all, rank_ + 1)) return false;
    Pair(one, all);
    stacked_.insert(one);
    return true;
  }

  bool Node(const ir::Node& one, const ir::Node& all) {
    if (one.op != all.op || onnx_ops::Find(one.op).form != onnx_ops::Form::kElementwise || !SameAttributes(one, all))
      return false;
    if (one.inputs.size() != all.inputs.size() || one.outputs.size() != 1 || all.outputs.size() != 1) return false;
    bool stacked = false;
    for (size_t i = 0; i < one.inputs.size(); ++i) {
      const ValueId* const input = one.inputs[i].value();
      const ValueId* const twin = all.inputs[i].value();
      if (input == nullptr && twin == nullptr) continue;
      if (input == nullptr || twin == nullptr || TwinOf(*input) != *twin) return false;
      if (!HasAtMost(*input, rank_)) return false;
      stacked = stacked || IsStacked(*input);
    }
    Pair(one.outputs[0], all.outputs[0]);
    if (!stacked) return true;
    stacked_.insert(one.outputs[0]);
    return HasRank(one.outputs[0], rank_) && HasRank(all.outputs[0], rank_ + 1) &&
           graph_.value(one.outputs[0]).dtype == graph_.value(all.outputs[0]).dtype;
  }

  bool Result(ValueId one, ValueId all) const { return IsStacked(one) && TwinOf(one) == all; }

 private:
  static bool SameAttributes(const ir::Node& one, const ir::Node& all) {
    return std::ranges::equal(one.attributes, all.attributes, [](const ir::Attribute& a, const ir::Attribute& b) {
      return a.name == b.name && Same(a.value, b.value);
    });
  }

  void Pair(ValueId one, ValueId all) { twins_[one] = all; }
  // A value from outside corresponds to itself.
  ValueId TwinOf(ValueId one) const {
    const auto found = twins_.find(one);
    return found == twins_.end() ? one : found->second;
  }
  bool IsStacked(ValueId one) const { return stacked_.contains(one); }
  bool HasRank(ValueId id, size_t rank) const {
    const auto& dims = graph_.value(id).dims;
    return dims && dims->size() == rank;
  }
  bool HasAtMost(ValueId id, size_t rank) const {
    const auto& dims = graph_.value(id).dims;
    return dims && dims->size() <= rank;
  }

  const ir::Graph& graph_;
  size_t rank_;  // of an element
  std::unordered_map<ValueId, ValueId> twins_;
  std::unordered_set<ValueId> stacked_;  // values of `one` that differ from element to element
};

}  // namespace

bool Vectorizes(const ir::Graph& graph, const ir::Block& one, const ir::Block& all,
                const std::vector<std::pair<ValueId, ValueId>>& results) {
  if (one.inputs.empty() || one.inputs.size() != all.inputs.size() || one.nodes.size() != all.nodes.size())
    return false;
  const auto& element = graph.value(one.inputs[0]).dims;
  if (!element) return false;
  Comparison comparison(graph, element->size());
  for (size_t i = 0; i < one.inputs.size(); ++i) {
    if (!comparison.Input(one.inputs[i], all.inputs[i])) return false;
  }
  for (size_t i = 0; i < one.nodes.size(); ++i) {
    if (!comparison.Node(one.nodes[i], all.nodes[i])) return false;
  }
  return std::ranges::all_of(results, [&](const auto& pair) { return comparison.Result(pair.first, pair.second); });
}

}  // namespace onnxport::lowering
