// Traces If and Loop: the calls of their sides and bodies.
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

// A block input of a Loop is the tensor that it began as while `still`, a carried bool, is true.
struct CarriedIdentity {
  ir::ValueId inside = ir::ValueId::kNone;
  ir::ValueId initial = ir::ValueId::kNone;
  ir::ValueId still = ir::ValueId::kNone;
};

// The trace between Begin and End: calls that are not yet in a graph, and their effects on older values.
struct Region {
  // Older tensors that were written to (bases of storages), each with its value at the end of the region.
  struct Write {
    ir::ValueId base;
    ir::ValueId value;
    bool kept = false;  // the value is the one from CarryWrites: the region itself does not write to it
  };
  std::vector<Write> writes;
  bool doubts = false;  // it wrote to a tensor that may share memory with older ones
  bool failed = false;  // something in it could not be lowered

  struct Rest;
  std::shared_ptr<Rest> rest;  // internal to the tracer: the calls themselves, and more
};

// Only the trace of a loop body shows which older tensors it writes to. If these become carried values, it may write to
// others, so the body is traced again until nothing changes. `carried` are the tensors that were carried in this trace
// (Regions::CarryWrites). They are replaced by those that the region itself writes to; for example, a tensor that a
// variable held before it was carried is no longer written to. Returns true if they have changed.
bool UpdateWrites(const Region& body, std::vector<Region::Write>* carried);

// The open regions, and the results of those that have ended.
class Regions {
 public:
  explicit Regions(State* state) : state_(*state) {}
  Regions(const Regions&) = delete;

  // Opens a block in the current one. The next calls go into it.
  void Begin();
  // The tensor is about to leave the innermost region. Returns the older one that it is, always; or the tensor itself.
  // In-place changes of the shape of either are refused from now on.
  ir::ValueId Settle(ir::ValueId tensor);
  // Adds an input to the innermost block: an iteration number, or a carried value that starts as `initial`.
  ir::ValueId BlockInput(ir::Value type, const ir::Arg& initial = {});
  // Undoes the writes to older tensors since Begin, and returns the region. A region that is dropped has no effect: its
  // failures and remarks count only when If or Loop takes it.
  Region End();

  // ONNX If, with a condition that is known only at run time. None on one side of a result means that the result is
  // never used when that side ran. Returns one value for each result. Tensors have the joined type, which is found
  // here: equal dims stay, others become unknown; if dtypes or ranks differ, the result is a Poison that says so. Equal
  // numbers on both sides stay numbers. Tensors written in either region get their joined values.
  std::vector<ir::Arg> If(ir::IfSpec spec, Region then, Region otherwise);

  // Returns true if If can make one value of the two, or if one of them has failed already.
  bool CanJoin(ir::ValueId condition, const ir::Arg& then, const ir::Arg& otherwise) const;

  // ONNX Loop. The caller traces the body once to learn what changes, and drops that region. Then it traces the body
  // again between Begin and End with block inputs for everything that changes:
  //
  //     Begin(); iteration = BlockInput(int); carried = BlockInput(...)...;
  //     CarryWrites(trial.writes, maybe none); ... ; End()
  //
  // Older tensors that the body writes to become carried values. Call it in every body, after its BlockInputs.
  // A block input that is a tensor is the one that it began as until an iteration replaces it: a bool is carried that
  // says if it still is.
  void CarryWrites(const std::vector<Region::Write>& writes);
  // None as an initial or next value means that it is never used. Returns the carried values after the loop, then the
  // scans. Returns nothing if the type of a carried value at the end of the body does not fit its BlockInput. *joined
  // then has the types for the next attempt, in the order of `carried` followed by the writes.
  std::optional<std::vector<ir::Arg>> Loop(ir::LoopSpec spec, Region body, std::vector<ir::Value>* joined);

  // Returns true if no loop is needed: `body`, which makes calls, works on tensors that stack the elements on their
  // first axis, and its results stack those of each element. It is tried twice, and the tries leave no calls behind.
  using Body = std::function<std::vector<ir::Arg>(const std::vector<ir::Arg>& inputs)>;
  bool Vectorizes(const std::vector<ir::Arg>& stacks, const Body& body);

  // A result of If or Loop must have the type that the program's file states; otherwise this is a failure of `op`.
  void HoldTo(const ir::Operator& op, const ir::Value& stated, ir::ValueId result);

  // ---- only for the parts of the trace
  // Adds the calls that `make` makes to the end of the region. They see the values at its end, and are undone like the
  // others.
  void Append(Region* region, const std::function<void()>& make);
  // Reports the failures and remarks of a region as those of the program. `alone`: what a write of the region put in
  // doubt is all that it may have changed.
  void Commit(const Region& region, bool alone = false);
  // Notes that the innermost open region, if any, reads the memory of the value.
  void NoteReads(const ir::Arg& arg);
  // Returns true if the value is older than the innermost region.
  bool IsOlder(ir::ValueId id) const;
  // Returns true if it is, or if it is a value that an iteration starts with.
  bool IsFromOutside(ir::ValueId id) const;
  // Bases that may share memory with a block input of the innermost region at the start of an iteration.
  std::vector<ir::ValueId> Entered(ir::ValueId input) const;

 private:
  // The state of an open region, in addition to that of the parts.
  struct Opened {
    size_t mark = 0;  // values from here on are made in it
    size_t failures = 0;
    size_t reports = 0;  // number of reports of the recorder when it began
    size_t remarks = 0;
    std::unordered_set<ir::ValueId> reads = {};
    std::vector<std::pair<ir::ValueId, ir::ValueId>> carried_writes = {};
    std::vector<std::pair<ir::ValueId, ir::ValueId>> entering = {};  // block input, its initial value
    // The results of Entered, for each block input with tensors. Links that an iteration makes later do not count,
    // because earlier writes did not know of them.
    std::unordered_map<ir::ValueId, std::vector<ir::ValueId>> entered = {};
    std::vector<CarriedIdentity> carried_identities = {};
  };

  // A block input begins as that tensor.
  void EnterAs(ir::ValueId input, ir::ValueId initial);
  void Open(const Region& region);
  Region Close();

  State& state_;
  std::vector<Opened> open_;  // innermost last
};

}  // namespace onnxport::trace

#endif  // ONNXPORT_RUNTIME_TRACE_REGIONS_H_
