// Joins the two sides of an `if` decided at run time. It finds the pairs of graph values that the ONNX If chooses
// between, and makes host values from the chosen ones.
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

// It is used twice with the same values in the same order. Without results it collects `pairs`; with them it makes
// values.
class Joiner {
 public:
  // `condition` is true on the first side; without it, nothing is assumed about it. Containers with serials after
  // `mark` were made on one of the sides. `place` is that of the `if`, for messages: "model.py:7".
  Joiner(Heap* heap, const trace::Tracer& tracer, ir::ValueId condition = ir::ValueId::kNone, uint64_t mark = 0,
         const std::string& place = "")
      : heap_(*heap),
        tracer_(tracer),
        condition_(condition),
        mark_(mark),
        decided_("an `if` decided at run time" + (place.empty() ? "" : " (" + place + ")")) {}

  // Returns "an `if` decided at run time (model.py:7)".
  const std::string& decided() const { return decided_; }

  // From now on dicts with different keys can be joined, to one that says of each key if it has it.
  void AllowOtherKeys() { allows_other_keys_ = true; }
  // Sets the contents of changed containers at the end of each side.
  void SetContents(const std::vector<CellSides>& changed);

  // `name` is for messages. If the two cannot be joined, the result is a Missing that says why.
  Value Join(const Value& then, const Value& otherwise, const std::string& name);
  // Joins the contents of one cell on the two sides. Returns false, with the reason in `*why`, if they do not fit.
  bool JoinContents(const Cell& then, const Cell& otherwise, const std::string& name, Cell* joined, std::string* why);

  const std::vector<ir::IfSpec::Result>& pairs() const { return pairs_; }
  // Sets the results, one per pair.
  void SetResults(std::vector<ir::Arg> results);

 private:
  // The contents at the end of that side.
  const Cell& Contents(const CellPtr& cell, bool is_then) const;
  Value JoinLeaves(const Value& then, const Value& otherwise);
  // Joins with a placeholder, because the program never uses the other side's value.
  Value JoinUnset(const Value& value, bool is_then);
  Value JoinUnsetCell(const CellPtr& cell, bool is_then);
  Value JoinTuples(const TuplePtr& then, const TuplePtr& otherwise, const std::string& name);
  Value JoinCells(const CellPtr& then, const CellPtr& otherwise, const std::string& name);
  bool JoinKeys(const Cell& then, const Cell& otherwise, const std::string& name, Cell* joined);
  Value Choose(const ir::Arg& then, const ir::Arg& otherwise);
  // A value that the two sides do not have in common.
  static Value Torn(std::string why) { return {Missing{.reason = {onnxport::Code::kBranchesDiffer, std::move(why)}}}; }

  Heap& heap_;
  const trace::Tracer& tracer_;
  ir::ValueId condition_;
  uint64_t mark_;
  std::string decided_;
  std::map<const Cell*, std::pair<const Cell*, const Cell*>> changed_;  // contents on each side
  std::vector<ir::IfSpec::Result> pairs_;
  std::map<std::pair<std::string, std::string>, size_t> index_;  // of `pairs_`
  std::map<std::pair<const Cell*, const Cell*>, Value> cells_;   // joined already
  std::map<std::pair<const TupleValue*, const TupleValue*>, Value> tuples_;
  std::vector<ir::Arg> results_;
  bool has_results_ = false;
  bool allows_other_keys_ = false;
  int depth_ = 0;
  int left_ = 100'000;  // values that may still be joined
};

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_CONTROL_JOINER_H_
