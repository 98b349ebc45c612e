// Values of a graph that exist in float32, in 16 bits, or both.
#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_HALF_TWO_PRECISIONS_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_HALF_TWO_PRECISIONS_H_

#include <cstddef>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/model/passes/graph/rewrite.h"

namespace onnxport::passes {

// Used while a pass walks over the nodes in order. It knows the precision of each value, and its Cast to the other one.
// A Cast is made once, in the block of the value, before the first node that needs it. For a weight, another weight is
// made instead.
class TwoPrecisions {
 public:
  // `half` is float16 or bfloat16.
  TwoPrecisions(ir::Graph* graph, ir::DType half);

  // Call them around a block, and at each of its nodes before the node is changed. At the end, outputs of the block
  // that were float32 originally become float32 again, or 16 bits.
  void Begin(ir::Block* block);
  void GoTo(size_t node) { levels_.back().node = node; }
  void End(bool half);

  // Returns true if it was float32 in the original graph.
  bool IsOurs(ir::ValueId id) const;
  bool IsHalf(ir::ValueId id) const { return half_.contains(id); }
  // Returns true for a weight of any type.
  bool IsStored(ir::ValueId id) const { return weights_.contains(id); }
  // Notes that the value's node returns 16 bits. Values of types other than float32 are not affected.
  void MakeHalf(ir::ValueId id);
  // Converts a node's input to 16 bits or float32, if it is ours.
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
  std::unordered_map<ir::ValueId, size_t> weights_;      // index of each weight
  std::unordered_set<ir::ValueId> half_;                 // our values that are made in 16 bits
  std::unordered_map<ir::ValueId, ir::ValueId> others_;  // our value -> the value in the other precision
  std::unordered_map<ir::ValueId, size_t> level_;        // depth of the block of each value
  std::vector<Level> levels_;
};

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_HALF_TWO_PRECISIONS_H_
