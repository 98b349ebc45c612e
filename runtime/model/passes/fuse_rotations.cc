#include "runtime/model/passes/fuse_rotations.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "runtime/model/passes/remove_dead.h"
#include "runtime/model/passes/reshape_shape.h"
#include "runtime/model/passes/rewrite.h"
#include "runtime/model/passes/rotation.h"

namespace onnxport::passes {
namespace {

using ir::Dim;
using ir::Dims;
using ir::DType;
using ir::Node;
using ir::ValueId;

constexpr size_t kRank = 4;  // [batch, heads, places, features]

class RotationFuser {
 public:
  explicit RotationFuser(ir::Graph* graph) : graph_(graph), producers_(*graph) {}

  bool Run() {
    std::vector<std::pair<size_t, Rotation>> found;
    for (size_t i = 0; i < graph_->body.nodes.size(); ++i) {
      const auto rotation = FindRotation(*graph_, producers_, graph_->body.nodes[i]);
      if (rotation && Fits(*rotation)) found.emplace_back(i, *rotation);
    }
    for (const auto& [i, rotation] : found) Fuse(i, rotation);
    insertions_.Into(&graph_->body);
    return !found.empty();
  }

 private:
  const ir::Value& ValueOf(ValueId id) const { return graph_->value(id); }

  bool Fits(const Rotation& rotation) const {
    const ir::Value& x = ValueOf(rotation.x);
    const bool has_kernels = x.dtype == DType::kFloat32 || x.dtype == DType::kFloat16 || x.dtype == DType::kBFloat16;
    return has_kernels && x.dims && x.dims->size() == kRank && FitsAngles(x, ValueOf(rotation.cos), rotation.doubled) &&
           FitsAngles(x, ValueOf(rotation.sin), rotation.doubled);
  }

  // [batch or 1, 1, places, features], as far as it has these axes: the operator has no angles for single heads.
  static bool FitsAngles(const ir::Value& x, const ir::Value& angles, bool doubled) {
    if (angles.dtype != x.dtype || !angles.dims || angles.dims->size() < 2 || angles.dims->size() > kRank) return false;
    const auto from_end = [&angles](size_t i) { return (*angles.dims)[angles.dims->size() - i]; };
    const int64_t features = x.dims->back().number();
    if (!(from_end(1) == Dim(doubled ? features : features / 2)) || !(from_end(2) == (*x.dims)[2])) return false;
    if (angles.dims->size() > 2 && !(from_end(3) == Dim(1))) return false;
    return angles.dims->size() < kRank || from_end(4) == Dim(1) || from_end(4) == x.dims->front();
  }

  void Fuse(size_t index, const Rotation& rotation) {
    at_ = index;
    Node& node = graph_->body.nodes[index];
    location_ = node.location;
    node.inputs = {{rotation.x}, {AnglesOf(rotation.cos, rotation)}, {AnglesOf(rotation.sin, rotation)}};
    node.op = "RotaryEmbedding";
    node.attributes.clear();
  }

  // As the operator wants them: [batch, places, features / 2]. Queries and keys of all layers share them.
  ValueId AnglesOf(ValueId angles, const Rotation& rotation) {
    const Dims& x = *ValueOf(rotation.x).dims;
    std::vector<ValueId>& known = angles_[{angles, rotation.doubled}];
    for (const ValueId made : known) {
      if (ValueOf(made).dims->front() == x.front()) return made;
    }
    ValueId id = rotation.doubled ? FirstHalf(angles, x.back().number() / 2) : angles;
    Dims dims = *ValueOf(id).dims;
    if (dims.size() == kRank) {
      dims.erase(dims.begin() + 1);
      id = Make("Squeeze", {id, Ints({1})}, dims);
    } else if (dims.size() == 2) {
      dims.insert(dims.begin(), Dim(1));
      id = Make("Unsqueeze", {id, Ints({0})}, dims);
    }
    if (!(dims.front() == x.front())) {
      dims.front() = x.front();
      id = Make("Expand", {id, BatchShape(rotation.x)}, dims);
    }
    known.push_back(id);
    return id;
  }

  ValueId FirstHalf(ValueId angles, int64_t size) {
    Dims dims = *ValueOf(angles).dims;
    const auto last = static_cast<int64_t>(dims.size()) - 1;
    dims.back() = Dim(size);
    return Make("Slice", {angles, Ints({0}), Ints({size}), Ints({last})}, dims);
  }

  // [batch, 1, 1]: Expand broadcasts both ways.
  ValueId BatchShape(ValueId x) {
    const Dim& batch = ValueOf(x).dims->front();
    if (batch.is_number()) return Ints({batch.number(), 1, 1});
    const ValueId size = Make("Shape", {x}, {Dim(1)}, DType::kInt64, {{"start", {int64_t{0}}}, {"end", {int64_t{1}}}});
    return Make("Concat", {size, Ints({1, 1})}, {Dim(3)}, DType::kInt64, {{"axis", {int64_t{0}}}});
  }

  ValueId Ints(const std::vector<int64_t>& ints) {
    return insertions_.Before(at_, IntsConstant(ints, location_, graph_)).outputs[0];
  }

  ValueId Make(const char* op, const std::vector<ValueId>& inputs, Dims dims) {
    return Make(op, inputs, std::move(dims), ValueOf(inputs[0]).dtype, {});
  }
  ValueId Make(const char* op, const std::vector<ValueId>& inputs, Dims dims, DType dtype,
               std::vector<ir::Attribute> attributes) {
    Node node;
    node.op = op;
    for (const ValueId input : inputs) node.inputs.push_back({input});
    node.attributes = std::move(attributes);
    node.outputs = {graph_->AddValue({.dtype = dtype, .dims = std::move(dims)})};
    node.location = location_;
    return insertions_.Before(at_, std::move(node)).outputs[0];
  }

  ir::Graph* graph_;
  const Producers producers_;
  Insertions insertions_;
  size_t at_ = 0;  // the node in front of which nodes are made
  ir::LocationId location_ = ir::LocationId::kNone;
  std::map<std::pair<ValueId, bool>, std::vector<ValueId>> angles_;  // by what they are made of
};

}  // namespace

bool FuseRotations(ir::Graph* graph) {
  if (!RotationFuser(graph).Run()) return false;
  RemoveDead(graph);
  return true;
}

}  // namespace onnxport::passes
