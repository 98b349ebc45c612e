// The blocks of If and Loop.
#include <utility>

#include "runtime/trace/record/recorder.h"

namespace onnxport::record {

using ir::ValueId;

void Recorder::BeginBlock() {
  blocks_.emplace_back();
  lowerer_.BeginBlock();
}

ValueId Recorder::AddBlockInput(ir::Value type) {
  type.name.clear();
  type.strides.reset();
  type.contents.reset();
  const ValueId id = AddValue(std::move(type));
  block().inputs.push_back(id);
  lowerer_.AddBlockInput(id, graph_.value(id));
  return id;
}

Recorder::Block Recorder::EndBlock() {
  Block ended{.source = std::move(blocks_.back()), .onnx = lowerer_.EndBlock()};
  blocks_.pop_back();
  return ended;
}

void Recorder::AppendTo(Block* block, const std::function<void()>& make) {
  lowerer_.Append(&block->onnx, [&] {
    blocks_.push_back(std::move(block->source));
    make();
    block->source = std::move(blocks_.back());
    blocks_.pop_back();
  });
}

bool Recorder::If(const ir::IfSpec& spec, Block then, Block otherwise, std::vector<ValueId>* made) {
  ir::Node node;
  node.op = "prim::If";
  node.inputs = {spec.condition};
  node.location = places_.NextCall();
  std::vector<ir::Value> results;
  if (const auto reason = lowerer_.If(spec, node.location, std::move(then.onnx), std::move(otherwise.onnx),
                                      graph_.next_value(), &results)) {
    findings_.Report("", *reason);
    return false;
  }
  *made = AddValues(std::move(results));
  node.outputs = *made;
  node.blocks.push_back({{}, std::move(then.source.nodes), ir::ThenOutputs(spec)});
  node.blocks.push_back({{}, std::move(otherwise.source.nodes), ir::OtherwiseOutputs(spec)});
  Keep(std::move(node));
  return true;
}

bool Recorder::Loop(const ir::LoopSpec& spec, Block body, std::vector<ValueId>* made) {
  ir::Node node;
  node.op = "prim::Loop";
  node.location = places_.NextCall();
  std::vector<ir::Value> types;
  for (const ir::LoopSpec::Carried& carried : spec.carried) types.push_back(graph_.value(carried.inside));
  std::vector<ir::Value> results;
  if (const auto reason =
          lowerer_.Loop(spec, node.location, std::move(body.onnx), types, graph_.next_value(), &results)) {
    findings_.Report("", *reason);
    return false;
  }
  *made = AddValues(std::move(results));
  node.outputs = *made;
  node.inputs = ir::NodeInputs(spec);
  node.blocks.push_back({ir::BlockInputs(spec), std::move(body.source.nodes), ir::BlockOutputs(spec)});
  for (ir::Arg* condition : {&node.inputs[1], &node.blocks[0].outputs[0]}) {
    if (condition->is_none()) *condition = {true};
  }
  Keep(std::move(node));
  return true;
}

}  // namespace onnxport::record
