// Two sides of an `if` decided at run time become one state: which pairs of graph values ONNX chooses between, and the
// host values that are made of its choices.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_CONTROL_JOINER_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_CONTROL_JOINER_H_

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "runtime/ir/control_flow.h"
#include "runtime/sources/torchscript/interpret/control/changes.h"
#include "runtime/sources/torchscript/interpret/values/heap.h"
#include "runtime/sources/torchscript/interpret/values/value.h"
#include "runtime/trace/tracer.h"

namespace onnxport::torchscript {

// Used twice on the same values in the same order: without results it collects `pairs`, with them it makes the values.
class Joiner {
 public:
  // `condition` chooses the first side; without it nothing is said about that. `mark`: containers with later serials
  // were made on one of the sides.
  Joiner(Heap* heap, const trace::Tracer& tracer, ir::ValueId condition = ir::ValueId::kNone, uint64_t mark = 0)
      : heap_(*heap), tracer_(tracer), condition_(condition), mark_(mark) {}

  // Containers that a side changed have its contents there.
  void SetContents(const std::vector<CellSides>& changed);

  // `name` names the joined value in messages. If the two cannot be joined, the result is a Missing that says why.
  Value Join(const Value& then, const Value& otherwise, const std::string& name);
  // Contents of one cell on either side. False when they do not fit together, which makes `*why`.
  bool JoinContents(const Cell& then, const Cell& otherwise, const std::string& name, Cell* joined, std::string* why);

  const std::vector<ir::IfSpec::Result>& pairs() const { return pairs_; }
  // One per pair.
  void SetResults(std::vector<ir::Arg> results);

 private:
  // As the side left it.
  const Cell& Contents(const CellPtr& cell, bool is_then) const;
  Value JoinLeaves(const Value& then, const Value& otherwise);
  // With what the program never uses on the other side.
  Value JoinUnset(const Value& value, bool is_then);
  Value JoinUnsetCell(const CellPtr& cell, bool is_then);
  Value JoinTuples(const TuplePtr& then, const TuplePtr& otherwise, const std::string& name);
  Value JoinCells(const CellPtr& then, const CellPtr& otherwise, const std::string& name);
  Value Choose(const ir::Arg& then, const ir::Arg& otherwise);

  Heap& heap_;
  const trace::Tracer& tracer_;
  ir::ValueId condition_;
  uint64_t mark_;
  std::map<const Cell*, std::pair<const Cell*, const Cell*>> changed_;  // contents on either side
  std::vector<ir::IfSpec::Result> pairs_;
  std::map<std::pair<std::string, std::string>, size_t> index_;  // of `pairs_`
  std::map<std::pair<const Cell*, const Cell*>, Value> cells_;   // joined already
  std::map<std::pair<const TupleValue*, const TupleValue*>, Value> tuples_;
  std::vector<ir::Arg> results_;
  bool has_results_ = false;
  int depth_ = 0;
  int left_ = 100'000;  // values to be joined
};

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_CONTROL_JOINER_H_
