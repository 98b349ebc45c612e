// Lists of known length as ONNX sequences.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_SEQUENCES_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_SEQUENCES_H_

#include <optional>

#include "runtime/ir/graph.h"
#include "runtime/sources/torchscript/interpret/execution.h"
#include "runtime/sources/torchscript/interpret/operators/operators.h"
#include "runtime/sources/torchscript/interpret/values/grids.h"
#include "runtime/sources/torchscript/interpret/values/value.h"

namespace onnxport::torchscript {

// A list may have other lengths on the two sides of an `if`, or after each iteration of a loop. It is then a sequence
// in ONNX, where a value of the graph stands for all of it.
class SequenceMaker {
 public:
  // All must outlive this.
  SequenceMaker(Execution* run, Operators* operators, const Grids* grids)
      : run_(*run), operators_(*operators), grids_(*grids) {}

  // A sequence of the elements; nothing when none can hold them. `element`: type, for an empty list.
  std::optional<ir::ValueId> SequenceOf(const Cell& list, const std::optional<ir::Value>& element);
  // The list becomes a sequence; false when it is one, or cannot be.
  bool MakeSequence(const CellPtr& list, const std::optional<ir::Value>& element);

 private:
  Execution& run_;
  Operators& operators_;
  const Grids& grids_;
};

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_SEQUENCES_H_
