#include "runtime/model/passes/attention/fuse_rotations.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "runtime/model/passes/attention/rotation_pattern.h"
#include "runtime/model/passes/graph/nearest_node.h"
#include "runtime/model/passes/graph/node_maker.h"
#include "runtime/model/passes/graph/remove_dead.h"
#include "runtime/model/passes/graph/rewrite.h"

namespace onnxport::passes {
namespace {

using ir::Dim;
using ir::Dims;
using ir::DType;
using ir::Node;
using ir::ValueId;

constexpr size_t kRank = 4;  // [batch, heads, places, features]

// Returns true if they are [batch or 1, 1, places, features], as far as they have these axes.
bool FitsAngles(const ir::Value& x, const ir::Value& angles, bool doubled) {
  if (angles.dtype != x.dtype || !angles.dims || angles.dims->size() < 2 || angles.dims->size() > kRank) return false;
  const auto from_end = [&angles](size_t i) { return (*angles.dims)[angles.dims->size() - i]; };
  const int64_t features = x.dims->back().number();
  if (!(from_end(1) == Dim(doubled ? features : features / 2)) || !(from_end(2) == (*x.dims)[2])) return false;
  if (angles.dims->size() > 2 && !(from_end(3) == Dim(1))) return false;
  return angles.dims->size() < kRank || from_end(4) == Dim(1) || from_end(4) == x.dims->front();
}

// Why the operator has no form for the rotation; empty: it has one.
std::string_view WhyUnfit(const ir::Graph& graph, const Rotation& rotation) {
  const ir::Value& x = graph.value(rotation.x);
  if (x.dtype != DType::kFloat32 && x.dtype != DType::kFloat16 && x.dtype != DType::kBFloat16)
    return "it is not computed in float32, float16 or bfloat16";
  if (!x.dims || x.dims->size() != kRank) return "its value has not the four axes [batch, heads, places, features]";
  const auto fits = [&](ValueId angles) { return FitsAngles(x, graph.value(angles), rotation.doubled); };
  return fits(rotation.cos) && fits(rotation.sin)
             ? ""
             : "its angles are not [batch, 1, places, features] of its dtype: the operator has none for single heads";
}

class RotationFuser {
 public:
  explicit RotationFuser(ir::Graph* graph) : graph_(graph), producers_(*graph), make_(graph) {}

  bool Run() {
    std::vector<std::pair<size_t, Rotation>> found;
    for (size_t i = 0; i < graph_->body.nodes.size(); ++i) {
      const auto rotation = FindRotation(*graph_, producers_, graph_->body.nodes[i]);
      if (rotation && WhyUnfit(*graph_, *rotation).empty()) found.emplace_back(i, *rotation);
    }
    for (const auto& [i, rotation] : found) Fuse(i, rotation);
    make_.Insert();
    return !found.empty();
  }

 private:
  const ir::Value& ValueOf(ValueId id) const { return graph_->value(id); }

  void Fuse(size_t index, const Rotation& rotation) {
    make_.GoTo(index);
    Node& node = graph_->body.nodes[index];
    node.inputs = {{rotation.x}, {AnglesOf(rotation.cos, rotation)}, {AnglesOf(rotation.sin, rotation)}};
    node.op = "RotaryEmbedding";
    node.attributes.clear();
    if (rotation.interleaved) node.attributes.push_back({"interleaved", {int64_t{1}}});
  }

  // As the operator wants them: [batch, places, features / 2]. Queries and keys of all layers share them.
  ValueId AnglesOf(ValueId angles, const Rotation& rotation) {
    const Dims& x = *ValueOf(rotation.x).dims;
    std::vector<ValueId>& known = angles_[{angles, rotation.doubled, rotation.interleaved}];
    for (const ValueId made : known) {
      if (ValueOf(made).dims->front() == x.front()) return made;
    }
    ValueId id = rotation.doubled ? OneOfEach(angles, x.back().number() / 2, rotation.interleaved) : angles;
    Dims dims = *ValueOf(id).dims;
    if (dims.size() == kRank) {
      dims.erase(dims.begin() + 1);
      id = make_.Make("Squeeze", {id, make_.Ints({1})}, dims);
    } else if (dims.size() == 2) {
      dims.insert(dims.begin(), Dim(1));
      id = make_.Make("Unsqueeze", {id, make_.Ints({0})}, dims);
    }
    if (!(dims.front() == x.front())) {
      dims.front() = x.front();
      // Expand broadcasts both ways.
      id = make_.Make("Expand", {id, make_.Shape({x.front(), 1, 1}, rotation.x, {0, 1, 2})}, dims);
    }
    known.push_back(id);
    return id;
  }

  // Makes t of [t, t].
  ValueId OneOfEach(ValueId angles, int64_t size, bool interleaved) {
    Dims dims = *ValueOf(angles).dims;
    const auto last = static_cast<int64_t>(dims.size()) - 1;
    dims.back() = Dim(size);
    std::vector<ValueId> inputs = {angles, make_.Ints({0}), make_.Ints({interleaved ? 2 * size : size}),
                                   make_.Ints({last})};
    if (interleaved) inputs.push_back(make_.Ints({2}));
    return make_.Make("Slice", inputs, dims);
  }

  ir::Graph* graph_;
  const Producers producers_;
  NodeMaker make_;
  std::map<std::tuple<ValueId, bool, bool>, std::vector<ValueId>> angles_;  // by what they are made of
};

}  // namespace

bool FuseRotations(ir::Graph* graph) {
  if (!RotationFuser(graph).Run()) return false;
  RemoveDead(graph);
  return true;
}

std::string WhyNoRotary(const ir::Graph& graph) {
  const Producers producers(graph);
  return NearestNode(graph, [&](const Node& node) {
    const auto rotation = FindRotation(graph, producers, node);
    return rotation ? WhyUnfit(graph, *rotation) : WhyNoRotation(graph, producers, node);
  });
}

}  // namespace onnxport::passes
