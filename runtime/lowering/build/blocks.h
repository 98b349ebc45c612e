// The open blocks of If and Loop, and the block in which each value was made.
#ifndef ONNXPORT_RUNTIME_LOWERING_BUILD_BLOCKS_H_
#define ONNXPORT_RUNTIME_LOWERING_BUILD_BLOCKS_H_

#include <cstddef>
#include <functional>
#include <unordered_set>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/lowering/build/sizes.h"

namespace onnxport::lowering {

// A value made inside a block cannot be used outside. Constants are made in the graph's body. A block that has ended is
// not in the graph until a node takes it, and may be dropped.
class Blocks {
 public:
  // `sizes` is told when a block opens or ends.
  Blocks(ir::Graph* graph, Sizes* sizes) : graph_(*graph), sizes_(*sizes) {}
  Blocks(const Blocks&) = delete;

  void Begin();
  ir::ValueId AddInput(ir::Value type);
  bool IsInput(ir::ValueId id) const { return inputs_.contains(id); }
  ir::Block End();
  // Adds the nodes that `add` makes to the end of a block that has ended. It is closed again afterwards.
  void Append(ir::Block* block, const std::function<void()>& add);

  // The id of the innermost open block; 0 is the graph's body.
  int innermost() const { return open_.empty() ? 0 : open_.back().id; }
  bool IsOpen(int block) const;
  size_t depth() const { return open_.size(); }
  // Drops open blocks down to that depth, after an error.
  void CloseTo(size_t depth);

  // The block in which the value was made.
  int BlockOf(ir::ValueId id) const;
  // Adds a value that is made in `block`.
  ir::ValueId AddValue(ir::Value value, int block);
  // Throws Refusal if the node uses a value of a block that has ended.
  void CheckOpen(const ir::Node& node) const;
  // Adds it to the end of the innermost block.
  void AddNode(ir::Node node);

  // While this exists, nodes go into a block that is dropped in the end. Nodes for a question alone are no part of the
  // model. C++ compilers evaluate the two sides of a comparison in different orders, and would make different nodes.
  class OfQuestion {
   public:
    explicit OfQuestion(Blocks* blocks) : blocks_(*blocks), depth_(blocks->depth()) { blocks_.Begin(); }
    OfQuestion(const OfQuestion&) = delete;
    ~OfQuestion() { blocks_.CloseTo(depth_); }

   private:
    Blocks& blocks_;
    size_t depth_;
  };

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
  std::vector<int> blocks_;  // block of each value; absent: the graph's body
  std::unordered_set<ir::ValueId> inputs_;
};

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_BUILD_BLOCKS_H_
