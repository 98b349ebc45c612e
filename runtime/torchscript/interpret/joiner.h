// Two sides of an `if` that a run decides become one state: which pairs of graph values ONNX chooses between, and the
// host values that are made of its choices.
#ifndef ONNXPORT_RUNTIME_TORCHSCRIPT_INTERPRET_JOINER_H_
#define ONNXPORT_RUNTIME_TORCHSCRIPT_INTERPRET_JOINER_H_

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "runtime/torchscript/interpret/heap.h"
#include "runtime/torchscript/interpret/value.h"
#include "runtime/trace/tracer.h"

namespace onnxport::torchscript {

// Used twice on the same values in the same order: without results it collects `pairs`, with them it makes the values.
class Joiner {
 public:
  // `condition` chooses the first side; without it nothing is said about that.
  Joiner(Heap* heap, const trace::Tracer& tracer, ir::ValueId condition = ir::ValueId::kNone)
      : heap_(*heap), tracer_(tracer), condition_(condition) {}

  // `name` of what is joined, for messages. What cannot be joined is a Missing that says why.
  Value Join(const Value& then, const Value& otherwise, const std::string& name);
  // Contents of one cell on either side. False when they do not fit together, which makes `*why`.
  bool JoinContents(const Cell& then, const Cell& otherwise, const std::string& name, Cell* joined, std::string* why);

  const std::vector<std::pair<ir::Arg, ir::Arg>>& pairs() const { return pairs_; }
  // One per pair.
  void SetResults(std::vector<ir::Arg> results);

 private:
  Value JoinLeaves(const Value& then, const Value& otherwise);
  Value JoinTuples(const TuplePtr& then, const TuplePtr& otherwise, const std::string& name);
  Value JoinCells(const CellPtr& then, const CellPtr& otherwise, const std::string& name);
  Value Choose(const ir::Arg& then, const ir::Arg& otherwise);

  Heap& heap_;
  const trace::Tracer& tracer_;
  ir::ValueId condition_;
  std::vector<std::pair<ir::Arg, ir::Arg>> pairs_;
  std::map<std::pair<std::string, std::string>, size_t> index_;  // of `pairs_`
  std::map<std::pair<const Cell*, const Cell*>, Value> cells_;   // joined already
  std::vector<ir::Arg> results_;
  bool has_results_ = false;
  int depth_ = 0;
};

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_TORCHSCRIPT_INTERPRET_JOINER_H_
