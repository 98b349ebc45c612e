// Of the Emitter: blocks of If and Loop that are open, closed and opened again.
#include <utility>

#include "runtime/lowering/build/emitter.h"

namespace onnxport::lowering {

using ir::ValueId;

void Emitter::BeginBlock() {
  open_.push_back({.id = static_cast<int>(is_open_.size()), .onnx = {}});
  is_open_.push_back(true);
  sizes_.EnterBlock();
}

ValueId Emitter::AddBlockInput(ir::Value type) {
  const ValueId id = AddValue(std::move(type), block());
  open_.back().onnx.inputs.push_back(id);
  block_inputs_.insert(id);
  return id;
}

Piece Emitter::EndBlock() {
  Piece block = std::move(open_.back());
  open_.pop_back();
  is_open_[static_cast<size_t>(block.id)] = false;
  sizes_.LeaveBlock();
  return block;
}

void Emitter::ResumeBlock(Piece block) {
  is_open_[static_cast<size_t>(block.id)] = true;
  open_.push_back(std::move(block));
  sizes_.EnterBlock();
}

void Emitter::CloseTo(size_t depth) {
  while (open_.size() > depth) EndBlock();
}

}  // namespace onnxport::lowering
