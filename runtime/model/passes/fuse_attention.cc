#include "runtime/model/passes/fuse_attention.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "runtime/ir/read_node.h"
#include "runtime/model/passes/attention_mask.h"
#include "runtime/model/passes/node_maker.h"
#include "runtime/model/passes/rewrite.h"
#include "runtime/model/passes/spelled_attention.h"
#include "runtime/model/passes/split_einsums.h"

namespace onnxport::passes {
namespace {

using ir::Dims;
using ir::DType;
using ir::InputAt;
using ir::Node;
using ir::ValueId;

constexpr int kAttentionOpset = 23;

struct FoundAttention {
  size_t index;
  SpelledAttention attention;
  MaskPlan mask;
  bool is_operator = false;  // already: only `k` and `v` are of use
};

class AttentionFuser {
 public:
  explicit AttentionFuser(ir::Graph* graph) : graph_(graph), make_(graph) {}

  bool Run() {
    const std::vector<FoundAttention> all = FindAll();
    for (const FoundAttention& found : all) Fuse(found);
    make_.Insert();
    return !all.empty();
  }

 private:
  // Before any node is made: what knows the nodes knows them as they are.
  std::vector<FoundAttention> FindAll() const {
    const Producers producers(*graph_);
    const UseCounts uses(*graph_);
    std::vector<FoundAttention> all;
    for (size_t i = 0; i < graph_->body.nodes.size(); ++i) {
      const Node& node = graph_->body.nodes[i];
      if (auto shared = FindShared(producers, uses, node)) all.push_back({i, *std::move(shared), {}, true});
      auto attention = FindAttention(*graph_, producers, uses, node);
      if (!attention) continue;
      const MaskPlan mask = PlanMask(*graph_, producers, attention->mask, ScoresOf(*attention));
      if (mask.fits) all.push_back({i, *std::move(attention), mask});
    }
    return all;
  }

  // An Attention whose keys and values are repeated for it.
  std::optional<SpelledAttention> FindShared(const Producers& producers, const UseCounts& uses,
                                             const Node& node) const {
    if (node.op != "Attention" || node.inputs.size() > 4 || node.outputs.size() != 1 ||
        FindAttribute(node, "kv_num_heads") != nullptr)
      return std::nullopt;
    SpelledAttention shared;
    shared.k = FindHeads(*graph_, producers, uses, InputAt(node, 1));
    shared.v = FindHeads(*graph_, producers, uses, InputAt(node, 2));
    const bool fits = shared.k.repeats && shared.v.repeats && shared.k.dims[1] == shared.v.dims[1];
    return fits ? std::optional(shared) : std::nullopt;
  }

  Dims ScoresOf(const SpelledAttention& attention) const {
    const Dims& q = *graph_->value(attention.q).dims;
    return {q[0], q[1], q[2], attention.k.dims[2]};
  }

  void Fuse(const FoundAttention& found) {
    const SpelledAttention& attention = found.attention;
    make_.GoTo(found.index);
    if (found.is_operator) {
      Node& node = graph_->body.nodes[found.index];
      node.inputs[1] = {HeadsOf(attention.k)};
      node.inputs[2] = {HeadsOf(attention.v)};
      return;
    }
    std::vector<ValueId> inputs = {attention.q, HeadsOf(attention.k), HeadsOf(attention.v)};
    if (attention.mask.kind != AttentionMask::Kind::kNone && !found.mask.is_causal)
      inputs.push_back(MakeMask(*graph_, attention.mask, found.mask, ScoresOf(attention), attention.q, &make_));
    std::vector<ir::Attribute> attributes = {{"scale", {attention.scale}}};
    if (found.mask.is_causal) attributes.push_back({"is_causal", {int64_t{1}}});
    if (attention.softcap > 0) attributes.push_back({"softcap", {attention.softcap}});
    if (!found.mask.may_hide_row) return Replace(found.index, "Attention", inputs, std::move(attributes));
    const ir::Value& result = graph_->value(graph_->body.nodes[found.index].outputs[0]);
    const ValueId y = make_.Make("Attention", inputs, result.dtype, result.dims, std::move(attributes));
    const ValueId sees = MakeSeesAny(*graph_, inputs[3], &make_);
    Replace(found.index, "Where", {sees, y, make_.Float(std::numeric_limits<double>::quiet_NaN())}, {});
  }

  void Replace(size_t index, const char* op, const std::vector<ValueId>& inputs,
               std::vector<ir::Attribute> attributes) {
    Node& node = graph_->body.nodes[index];
    node.op = op;
    node.inputs.clear();
    for (const ValueId input : inputs) node.inputs.push_back({input});
    node.attributes = std::move(attributes);
  }

  ValueId HeadsOf(const AttentionHeads& heads) {
    ValueId id = heads.from;
    if (heads.repeats) {
      Dims dims = *graph_->value(id).dims;
      const int64_t further = heads.perm[1] + 1;
      dims.erase(dims.begin() + further);
      id = make_.Make("Squeeze", {id, make_.Ints({further})}, dims);
    }
    return make_.Transposed(id, {heads.perm.begin(), heads.perm.end()});
  }

  ir::Graph* graph_;
  NodeMaker make_;
};

}  // namespace

bool FuseAttention(ir::Graph* graph) {
  if (graph->opset < kAttentionOpset) return false;
  const bool changed = SplitEinsums(graph);
  return AttentionFuser(graph).Run() || changed;
}

}  // namespace onnxport::passes
