#include "runtime/lowering/build/blocks.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "runtime/base/refusal.h"

namespace onnxport::lowering {

using ir::ValueId;

void Blocks::Begin() { Open({++last_, {}}); }

void Blocks::Open(OpenBlock block) {
  open_.push_back(std::move(block));
  sizes_.EnterBlock();
}

ValueId Blocks::AddInput(ir::Value type) {
  const ValueId id = AddValue(std::move(type), innermost());
  open_.back().block.inputs.push_back(id);
  inputs_.insert(id);
  return id;
}

ir::Block Blocks::End() {
  ir::Block block = std::move(open_.back().block);
  open_.pop_back();
  sizes_.LeaveBlock();
  return block;
}

void Blocks::Append(ir::Block* block, const std::function<void()>& add) {
  const size_t before = depth();
  Open({IdOf(*block), std::move(*block)});
  try {
    add();
  } catch (...) {
    CloseTo(before);
    throw;
  }
  *block = End();
}

// Finds the block by a value that was made in it. A block without values is treated as a new one.
int Blocks::IdOf(const ir::Block& block) {
  if (!block.inputs.empty()) return BlockOf(block.inputs[0]);
  for (const ir::Node& node : block.nodes) {
    const auto made = std::ranges::find_if(node.outputs, [](ValueId id) { return id != ValueId::kNone; });
    if (made != node.outputs.end()) return BlockOf(*made);
  }
  return ++last_;
}

bool Blocks::IsOpen(int block) const {
  return block == 0 || std::ranges::any_of(open_, [&](const OpenBlock& open) { return open.id == block; });
}

void Blocks::CloseTo(size_t depth) {
  while (open_.size() > depth) End();
}

ValueId Blocks::AddValue(ir::Value value, int block) {
  const ValueId id = graph_.AddValue(std::move(value));
  if (block != 0) {
    blocks_.resize(static_cast<size_t>(id) + 1);
    blocks_.back() = block;
  }
  return id;
}

int Blocks::BlockOf(ValueId id) const {
  const auto index = static_cast<size_t>(id);
  return index < blocks_.size() ? blocks_[index] : 0;
}

void Blocks::CheckOpen(const ir::Node& node) const {
  for (const ir::Arg& input : node.inputs) {
    if (input.value() && !IsOpen(BlockOf(*input.value()))) {
      throw Refusal(fmt::format(
          "internal error: ONNX {} uses a value of a branch or loop that has ended; please report it", node.op));
    }
  }
}

void Blocks::AddNode(ir::Node node) {
  (open_.empty() ? graph_.body : open_.back().block).nodes.push_back(std::move(node));
}

}  // namespace onnxport::lowering
