// Turns lists of known length into ONNX sequences.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_SEQUENCES_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_SEQUENCES_H_

#include <optional>

#include "runtime/ir/graph.h"
#include "runtime/sources/torchscript/interpret/execution.h"
#include "runtime/sources/torchscript/interpret/operators/operators.h"
#include "runtime/sources/torchscript/interpret/values/grids.h"
#include "runtime/sources/torchscript/interpret/values/value.h"

namespace onnxport::torchscript {

// A list may have different lengths on the two sides of an `if`, or after each iteration of a loop. Then it becomes an
// ONNX sequence: one value of the graph for the whole list.
class SequenceMaker {
 public:
  // All must outlive this.
  SequenceMaker(Execution* run, Operators* operators, const Grids* grids)
      : run_(*run), operators_(*operators), grids_(*grids) {}

  // Returns a sequence of the elements; nothing if no sequence can hold them. `element` is the type for an empty list.
  std::optional<ir::ValueId> SequenceOf(const Cell& list, const std::optional<ir::Value>& element);
  // Turns the list into a sequence. Returns false if it is one already, or cannot become one.
  bool MakeSequence(const CellPtr& list, const std::optional<ir::Value>& element);

 private:
  Execution& run_;
  Operators& operators_;
  const Grids& grids_;
};

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_SEQUENCES_H_
