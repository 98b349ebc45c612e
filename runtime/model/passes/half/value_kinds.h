// Tracks the origin of floats in a graph, which decides their precision.
#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_HALF_VALUE_KINDS_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_HALF_VALUE_KINDS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/ir/graph.h"

namespace onnxport::passes {

// The result of an operator has the largest origin of its inputs.
enum class Origin : uint8_t {
  kWeight,    // only from weights and constants
  kPosition,  // also from integers, such as positions and masks: integers that 16 bits may not hold
  kData,      // from the model's float inputs, or from rows looked up in a weight
};

class ValueKinds {
 public:
  // `wide` is true for each weight with numbers beyond the range of 16 bits.
  ValueKinds(const ir::Graph& graph, std::vector<bool> wide);

  // Notes the results of a node. Call it for each node in order, and for those of blocks before the node with the
  // blocks.
  void Note(const ir::Node& node);
  // Notes an input of a block.
  void NoteData(ir::ValueId id) { At(id).origin = Origin::kData; }

  // The largest origin of the node's inputs.
  Origin OriginOf(const ir::Node& node) const;
  // True if some input may be beyond the range of 16 bits. An example is the -3.4e38 of a mask. It must not become -inf
  // before something is added to it, because a row of -inf would become NaN in a Softmax.
  bool HasWide(const ir::Node& node) const;
  bool IsWeight(ir::ValueId id) const { return Of(id).origin == Origin::kWeight; }

 private:
  struct Kind {
    Origin origin = Origin::kPosition;
    bool wide = false;
  };

  Kind Of(ir::ValueId id) const {
    return static_cast<size_t>(id) < kinds_.size() ? kinds_[static_cast<size_t>(id)] : Kind();
  }
  Kind& At(ir::ValueId id) { return kinds_[static_cast<size_t>(id)]; }
  bool IsFloat(ir::ValueId id) const { return id != ir::ValueId::kNone && ir::IsFloat(graph_.value(id).dtype); }

  const ir::Graph& graph_;
  std::vector<Kind> kinds_;  // for values that existed at the beginning
};

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_HALF_VALUE_KINDS_H_
