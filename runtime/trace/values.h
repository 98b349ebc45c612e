// Facts about the values of the program that a trace knows, after all writes so far.
#ifndef ONNXPORT_RUNTIME_TRACE_VALUES_H_
#define ONNXPORT_RUNTIME_TRACE_VALUES_H_

#include <cstddef>
#include <optional>
#include <unordered_map>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/trace/functionalize/aliases.h"
#include "runtime/trace/record/findings.h"
#include "runtime/trace/record/recorder.h"

namespace onnxport::trace {

class Values {
 public:
  Values(record::Recorder* recorder, functionalize::Aliases* aliases) : recorder_(*recorder), aliases_(*aliases) {}
  Values(const Values&) = delete;

  const ir::Value& TypeOfValue(ir::ValueId id);
  // The type of a value or a host number; nothing for another host value.
  std::optional<ir::Value> TypeOf(const ir::Arg& arg);
  bool IsFailed(ir::ValueId id);
  // Reports the use of poison. Returns true if an argument has failed.
  bool CheckArgs(const ir::Operator& op, const std::vector<ir::Arg>& args);

  // Returns a failed value. A call that uses it reports the reason.
  ir::ValueId Poison(const Reason& reason);
  // Nothing if the value is no poison.
  std::optional<Reason> WhyPoison(ir::ValueId id) const;

  // For a condition that compares a number with 0: which side of an `if` runs when the number is 0 (empty_side.h).
  void NoteEmptySide(ir::ValueId condition, size_t side) { empty_sides_.emplace(condition, side); }
  std::optional<size_t> EmptySideOf(ir::ValueId condition) const;

 private:
  const ir::Graph& source() const { return recorder_.graph(); }

  record::Recorder& recorder_;
  functionalize::Aliases& aliases_;
  std::unordered_map<ir::ValueId, Reason> poison_;
  std::unordered_map<ir::ValueId, size_t> empty_sides_;
  std::unordered_map<ir::ValueId, ir::Value> stale_types_;  // types of views that a write made out of date
};

}  // namespace onnxport::trace

#endif  // ONNXPORT_RUNTIME_TRACE_VALUES_H_
