#include "runtime/model/passes/half/two_precisions.h"

#include <iterator>
#include <string>
#include <utility>

#include "runtime/model/passes/weights/makers.h"

namespace onnxport::passes {

using ir::DType;
using ir::ValueId;

TwoPrecisions::TwoPrecisions(ir::Graph* graph, DType half) : graph_(graph), dtype_(half) {
  for (size_t i = 0; i < graph->weights.size(); ++i) weights_.emplace(graph->weights[i].value, i);
}

void TwoPrecisions::Begin(ir::Block* block) {
  levels_.push_back({.block = block});
  const size_t depth = levels_.size() - 1;
  for (const ValueId input : block->inputs) level_[input] = depth;
  for (const ir::Node& node : block->nodes) {
    for (const ValueId output : node.outputs) level_[output] = depth;
  }
}

void TwoPrecisions::End(bool half) {
  Level& level = levels_.back();
  std::vector<ir::Node> casts;
  for (ir::Arg& output : level.block->outputs) GiveAs(&output, half, &casts);
  if (level.block == &graph_->body) {
    for (size_t i = 0; i < graph_->outputs.size(); ++i) graph_->outputs[i].value = graph_->body.outputs[i];
  }
  level.insertions.Into(level.block);
  level.block->nodes.insert(level.block->nodes.end(), std::make_move_iterator(casts.begin()),
                            std::make_move_iterator(casts.end()));
  levels_.pop_back();
}

// A block's outputs are made by its own nodes, so an existing Cast is one of them, too.
void TwoPrecisions::GiveAs(ir::Arg* output, bool half, std::vector<ir::Node>* casts) {
  const ValueId* id = output->value();
  if (id == nullptr || !IsOurs(*id) || IsHalf(*id) == half) return;
  if (const auto known = others_.find(*id); known != others_.end() && !IsStored(*id)) {
    *output = {known->second};
    return;
  }
  const ValueId made = AddValue(*id, half ? dtype_ : DType::kFloat32);
  casts->push_back(CastOf(*id, made, levels_.back()));
  *output = {made};
}

bool TwoPrecisions::IsOurs(ValueId id) const {
  const ir::Value& value = graph_->value(id);
  return value.kind == ir::ValueKind::kTensor && (value.dtype == DType::kFloat32 || half_.contains(id));
}

void TwoPrecisions::MakeHalf(ValueId id) {
  if (id == ValueId::kNone || !IsOurs(id)) return;
  graph_->value(id).dtype = dtype_;
  half_.insert(id);
}

void TwoPrecisions::Use(ir::Arg* input, bool half) {
  const ValueId* id = input->value();
  if (id != nullptr && IsOurs(*id) && IsHalf(*id) != half) *input = {Other(*id)};
}

ValueId TwoPrecisions::Other(ValueId id) {
  if (const auto known = others_.find(id); known != others_.end()) return known->second;
  const auto weight = weights_.find(id);
  if (weight != weights_.end()) {
    const ValueId made = OtherWeight(graph_->weights[weight->second]);
    others_.emplace(id, made);
    return made;
  }
  const ValueId made = AddValue(id, IsHalf(id) ? DType::kFloat32 : dtype_);
  others_.emplace(id, made);
  const auto depth = level_.find(id);
  Level& level = levels_[depth == level_.end() ? 0 : depth->second];
  level.insertions.Before(level.node, CastOf(id, made, level));
  return made;
}

// If nothing uses the first one any more, it is removed as dead.
ValueId TwoPrecisions::OtherWeight(const ir::Weight& weight) {
  const ValueId made = AddValue(weight.value, dtype_);
  const std::string suffix = weight.name.empty() ? "" : "." + std::string(ir::Name(dtype_));
  ir::Weight converted = {
      .value = made,
      .name = weight.name + suffix,
      .data = MakeOne({.maker = &kRounded, .how = std::string(ir::Name(dtype_)), .of = {weight.data}}),
      .constant = weight.constant};
  graph_->weights.push_back(std::move(converted));
  return made;
}

ValueId TwoPrecisions::AddValue(ValueId like, DType dtype) {
  ir::Value value;
  value.dtype = dtype;
  value.dims = graph_->value(like).dims;
  return graph_->AddValue(std::move(value));
}

// Placed at that level, before the node that it has come to.
ir::Node TwoPrecisions::CastOf(ValueId from, ValueId to, const Level& level) const {
  ir::Node node;
  node.op = "Cast";
  node.inputs = {{from}};
  node.outputs = {to};
  node.attributes.push_back({"to", {static_cast<int64_t>(graph_->value(to).dtype)}});
  if (level.node < level.block->nodes.size()) node.location = level.block->nodes[level.node].location;
  return node;
}

}  // namespace onnxport::passes
