// The blocks of If and Loop.
#include <utility>

#include "runtime/record/recorder.h"

namespace onnxport::record {

using ir::ValueId;

void Recorder::BeginBlock() {
  blocks_.emplace_back();
  lowerer_.BeginBlock();
}

ValueId Recorder::AddBlockInput(ir::Value type) {
  type.name.clear();
  type.strides.reset();
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

void Recorder::ResumeBlock(Block block) {
  blocks_.push_back(std::move(block.source));
  lowerer_.ResumeBlock(std::move(block.onnx));
}

bool Recorder::If(ir::Node* node, lowering::Lowerer::Side then, lowering::Lowerer::Side otherwise,
                  const std::vector<ir::Value>& types) {
  lowerer_.SetLocation(node->location);
  std::vector<ir::Value> results;
  const auto reason =
      lowerer_.If(node->inputs[0], std::move(then), std::move(otherwise), types, graph_.next_value(), &results);
  if (reason) {
    Report("", *reason);
    return false;
  }
  node->outputs = AddValues(std::move(results));
  return true;
}

bool Recorder::Loop(ir::Node* node, lowering::Lowerer::LoopCall call) {
  lowerer_.SetLocation(node->location);
  std::vector<ir::Value> types;
  for (const lowering::Lowerer::Carried& carried : call.carried) types.push_back(graph_.value(carried.inside));
  std::vector<ir::Value> results;
  if (const auto reason = lowerer_.Loop(std::move(call), types, graph_.next_value(), &results)) {
    Report("", *reason);
    return false;
  }
  node->outputs = AddValues(std::move(results));
  return true;
}

}  // namespace onnxport::record
