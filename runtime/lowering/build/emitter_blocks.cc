// Part of the Emitter: blocks of If and Loop.
#include <algorithm>
#include <utility>

#include "runtime/lowering/build/emitter.h"

namespace onnxport::lowering {

using ir::ValueId;

void Emitter::BeginBlock() { Open({++last_block_, {}}); }

void Emitter::Open(OpenBlock block) {
  open_.push_back(std::move(block));
  sizes_.EnterBlock();
}

ValueId Emitter::AddBlockInput(ir::Value type) {
  const ValueId id = AddValue(std::move(type), block());
  open_.back().block.inputs.push_back(id);
  block_inputs_.insert(id);
  return id;
}

ir::Block Emitter::EndBlock() {
  ir::Block block = std::move(open_.back().block);
  open_.pop_back();
  sizes_.LeaveBlock();
  return block;
}

void Emitter::Append(ir::Block* block, const std::function<void()>& add) {
  const size_t before = depth();
  Open({IdOf(*block), std::move(*block)});
  try {
    add();
  } catch (...) {
    CloseTo(before);
    throw;
  }
  *block = EndBlock();
}

// By a value that was made in it. One without values is like a new one.
int Emitter::IdOf(const ir::Block& block) {
  if (!block.inputs.empty()) return BlockOf(block.inputs[0]);
  for (const ir::Node& node : block.nodes) {
    const auto made = std::ranges::find_if(node.outputs, [](ValueId id) { return id != ValueId::kNone; });
    if (made != node.outputs.end()) return BlockOf(*made);
  }
  return ++last_block_;
}

bool Emitter::IsOpen(int block) const {
  return block == 0 || std::ranges::any_of(open_, [&](const OpenBlock& open) { return open.id == block; });
}

void Emitter::CloseTo(size_t depth) {
  while (open_.size() > depth) EndBlock();
}

}  // namespace onnxport::lowering
