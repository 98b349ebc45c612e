// Values of a graph that are there in float32, in 16 bits, or both.
#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_HALF_TWO_PRECISIONS_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_HALF_TWO_PRECISIONS_H_

#include <cstddef>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/model/passes/graph/rewrite.h"

namespace onnxport::passes {

// Used while a pass walks over the nodes in order. Knows the precision of each value, and its Cast to the other one. A
// Cast is made once, in the block that has the value, in front of the first node that needs it. A weight gets another
// weight instead.
class TwoPrecisions {
 public:
  // `half`: float16 or bfloat16.
  TwoPrecisions(ir::Graph* graph, ir::DType half);

  // Around a block, and at each of its nodes, before that is looked at. At its end the block's outputs that were
  // float32 once are so again, or are 16 bits.
  void Begin(ir::Block* block);
  void GoTo(size_t node) { levels_.back().node = node; }
  void End(bool half);

  // Was float32 in the graph as it came.
  bool IsOurs(ir::ValueId id) const;
  bool IsHalf(ir::ValueId id) const { return half_.contains(id); }
  // A weight, of whatever type.
  bool IsStored(ir::ValueId id) const { return weights_.contains(id); }
  // The value's maker gives 16 bits. Values of other types than float32 keep them.
  void MakeHalf(ir::ValueId id);
  // A node's input, where it is ours, becomes 16 bits or float32.
  void Use(ir::Arg* input, bool half);

 private:
  struct Level {
    ir::Block* block;
    size_t node = 0;
    Insertions insertions = {};
  };

  ir::ValueId Other(ir::ValueId id);
  ir::ValueId OtherWeight(const ir::Weight& weight);
  ir::ValueId AddValue(ir::ValueId like, ir::DType dtype);
  ir::Node CastOf(ir::ValueId from, ir::ValueId to, const Level& level) const;
  void GiveAs(ir::Arg* output, bool half, std::vector<ir::Node>* casts);

  ir::Graph* graph_;
  ir::DType dtype_;
  std::unordered_map<ir::ValueId, size_t> weights_;      // their places
  std::unordered_set<ir::ValueId> half_;                 // ours that are made in 16 bits
  std::unordered_map<ir::ValueId, ir::ValueId> others_;  // of ours: the value in the other precision
  std::unordered_map<ir::ValueId, size_t> level_;        // of values of blocks: how deep
  std::vector<Level> levels_;
};

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_HALF_TWO_PRECISIONS_H_
