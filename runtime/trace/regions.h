// If and Loop of a trace: the calls of their sides and bodies.
#ifndef ONNXPORT_RUNTIME_TRACE_REGIONS_H_
#define ONNXPORT_RUNTIME_TRACE_REGIONS_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "runtime/ir/control_flow.h"
#include "runtime/ir/graph.h"

namespace onnxport::trace {

struct State;  // of a trace; internal to it

// The trace between Begin and End: calls that are part of no graph yet, and their effects on older values.
struct Region {
  // Tensors that existed before and were written to (bases of storages): the value each has at the end of the region.
  struct Write {
    ir::ValueId base;
    ir::ValueId value;
    bool kept = false;  // it is what CarryWrites gave it: the region itself does not write to it
  };
  std::vector<Write> writes;
  bool doubts = false;  // it wrote to what may share memory with tensors that existed before
  bool failed = false;  // something in it could not be lowered

  struct Rest;
  std::shared_ptr<Rest> rest;  // the tracer's own: the calls themselves, and more
};

// The older tensors that the body of a loop writes to are known once it was traced, and carrying them may make it write
// to others. So it is traced again until nothing changes. `carried` are those that it was traced with
// (Regions::CarryWrites), and become those that the region itself writes to. For example, a tensor that a variable held
// before it was carried is written to no longer. Returns whether they are others.
bool UpdateWrites(const Region& body, std::vector<Region::Write>* carried);

// The open regions, and what becomes of those that have ended.
class Regions {
 public:
  explicit Regions(State* state) : state_(*state) {}
  Regions(const Regions&) = delete;

  // From here on calls go into a new block inside the present one.
  void Begin();
  // A new input of the innermost block: an iteration number or a carried value, which starts as `initial`.
  ir::ValueId BlockInput(ir::Value type, const ir::Arg& initial = {});
  // Undoes what was written to older tensors since Begin and hands the region over. A dropped one leaves no trace: its
  // failures and remarks count only once If or Loop take it.
  Region End();

  // ONNX If. A condition is a value; None on one side of a result: never used when that side ran. It gives one value
  // for each result. Tensors have the joined type, which is found here: equal dims stay, others become unknown; other
  // dtypes or ranks make a Poison that says so. Numbers that are equal on both sides stay numbers. Tensors written in
  // either region get their joined values.
  std::vector<ir::Arg> If(ir::IfSpec spec, Region then, Region otherwise);

  // Returns true if If makes one value of the two, and if one has failed already.
  bool CanJoin(ir::ValueId condition, const ir::Arg& then, const ir::Arg& otherwise) const;

  // ONNX Loop. The caller traces the body once to learn what changes, and drops that region. Then it traces the body
  // again between Begin and End with block inputs for everything that changes:
  //
  //     Begin(); iteration = BlockInput(int); carried = BlockInput(...)...;
  //     CarryWrites(trial.writes, maybe none); ... ; End()
  //
  // Older tensors that the body writes become carried values. In the body only, always, after its BlockInputs.
  void CarryWrites(const std::vector<Region::Write>& writes);
  // None as an initial or next value: never used. Results: the carried values after the loop, then the scans. Returns
  // nothing when the type of a carried value at the end of the body does not fit its BlockInput. *joined then has the
  // types to try again with, in the order of `carried` followed by the writes.
  std::optional<std::vector<ir::Arg>> Loop(ir::LoopSpec spec, Region body, std::vector<ir::Value>* joined);

  // Returns true if `body`, which makes calls, can be called on tensors whose first axis has elements, and then gives
  // its results for each element, stacked: no loop is needed. It is tried twice and leaves no trace.
  using Body = std::function<std::vector<ir::Arg>(const std::vector<ir::Arg>& inputs)>;
  bool Vectorizes(const std::vector<ir::Arg>& stacks, const Body& body);

  // A result of If or Loop is what the program's file states of it; where it is not, that is a failure of `op`.
  void HoldTo(const ir::Operator& op, const ir::Value& stated, ir::ValueId result);

  // ---- for the parts of the trace alone
  // The calls that `make` makes, as the region left things, go to its end; after it they are undone like the others.
  void Append(Region* region, const std::function<void()>& make);
  // The failures and remarks of a region are the program's.
  void Commit(const Region& region);
  // The innermost region, if one is open, reads the memory of the value.
  void NoteReads(const ir::Arg& arg);
  // Returns true if the value was there before the innermost region began.
  bool IsOlder(ir::ValueId id) const;
  // Bases that a block input of the innermost region may share memory with at the start of an iteration.
  std::vector<ir::ValueId> Entered(ir::ValueId input) const;

 private:
  // The state of an open region, beside that which the parts keep themselves.
  struct Opened {
    size_t mark = 0;  // values from here on are made in it
    size_t failures = 0;
    size_t reports = 0;  // of the recorder, when it began
    size_t remarks = 0;
    std::unordered_set<ir::ValueId> reads = {};
    std::vector<std::pair<ir::ValueId, ir::ValueId>> carried_writes = {};
    std::vector<std::pair<ir::ValueId, ir::ValueId>> entering = {};  // block input, its initial value
    // The answers of Entered, for each block input that holds tensors. Links that an iteration makes later do not count:
    // a write that came before did not know of them.
    std::unordered_map<ir::ValueId, std::vector<ir::ValueId>> entered = {};
  };

  void Open(const Region& region);
  Region Close();

  State& state_;
  std::vector<Opened> open_;  // innermost last
};

}  // namespace onnxport::trace

#endif  // ONNXPORT_RUNTIME_TRACE_REGIONS_H_
