// The blocks of If and Loop that are open, and where values were made.
#ifndef ONNXPORT_RUNTIME_LOWERING_BUILD_BLOCKS_H_
#define ONNXPORT_RUNTIME_LOWERING_BUILD_BLOCKS_H_

#include <cstddef>
#include <functional>
#include <unordered_set>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/lowering/build/sizes.h"

namespace onnxport::lowering {

// A value made inside a block cannot be used outside; constants are made in the graph's body. A block that has ended is
// part of no graph until a node has it, and may be dropped.
class Blocks {
 public:
  // `sizes` is told of blocks that open and end.
  Blocks(ir::Graph* graph, Sizes* sizes) : graph_(*graph), sizes_(*sizes) {}
  Blocks(const Blocks&) = delete;

  void Begin();
  ir::ValueId AddInput(ir::Value type);
  bool IsInput(ir::ValueId id) const { return inputs_.contains(id); }
  ir::Block End();
  // The nodes that `add` adds stand at the end of a block that has ended; after it no more is open than before.
  void Append(ir::Block* block, const std::function<void()>& add);

  // The innermost open block; 0 is the graph's body.
  int innermost() const { return open_.empty() ? 0 : open_.back().id; }
  bool IsOpen(int block) const;
  size_t depth() const { return open_.size(); }
  // Drops open blocks, after an error.
  void CloseTo(size_t depth);

  // Where the value was made.
  int BlockOf(ir::ValueId id) const;
  // A value that is made there.
  ir::ValueId AddValue(ir::Value value, int block);
  // Throws Refusal for a node that uses a value of a block that has ended.
  void CheckOpen(const ir::Node& node) const;
  // To the end of the innermost block.
  void AddNode(ir::Node node);

 private:
  struct OpenBlock {
    int id;
    ir::Block block;
  };

  int IdOf(const ir::Block& block);
  void Open(OpenBlock block);

  ir::Graph& graph_;
  Sizes& sizes_;
  std::vector<OpenBlock> open_;  // innermost last
  int last_ = 0;
  std::vector<int> blocks_;  // of values; absent: the graph's body
  std::unordered_set<ir::ValueId> inputs_;
};

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_BUILD_BLOCKS_H_
