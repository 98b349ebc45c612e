// The origin of the floats in a graph, as far as it decides their precision.
#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_HALF_VALUE_KINDS_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_HALF_VALUE_KINDS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/ir/graph.h"

namespace onnxport::passes {

// The result of an operator has the largest origin of its inputs.
enum class Origin : uint8_t {
  kWeight,    // weights and constants alone
  kPosition,  // with integers, as positions and masks are: whole numbers that 16 bits may not hold
  kData,      // with the model's floats, or rows that were looked up in a weight
};

class ValueKinds {
 public:
  // `wide`: for each value, whether it is a weight with numbers beyond 16 bits.
  ValueKinds(const ir::Graph& graph, std::vector<bool> wide);

  // Notes the results of a node; to be called for each on the way, those of blocks before the node that has them.
  void Note(const ir::Node& node);
  // Notes an input of a block.
  void NoteData(ir::ValueId id) { At(id).origin = Origin::kData; }

  // The origin of all inputs of the node.
  Origin OriginOf(const ir::Node& node) const;
  // True if some of it may be beyond 16 bits. An example is the -3.4e38 of a mask, which must not become -inf before
  // something is added to it: a row of nothing else would give no numbers.
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
  std::vector<Kind> kinds_;  // of values that were there at first
};

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_HALF_VALUE_KINDS_H_
