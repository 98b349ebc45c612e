// The regions that are open, innermost last. If and Loop are made of those that have ended (regions.h).
#ifndef ONNXPORT_RUNTIME_TRACE_OPEN_REGIONS_H_
#define ONNXPORT_RUNTIME_TRACE_OPEN_REGIONS_H_

#include <cstddef>
#include <functional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/trace/functionalize/aliases.h"
#include "runtime/trace/functionalize/changes.h"
#include "runtime/trace/functionalize/layouts.h"
#include "runtime/trace/record/findings.h"
#include "runtime/trace/record/recorder.h"
#include "runtime/trace/region.h"
#include "runtime/trace/values.h"

namespace onnxport::trace {

// A block input of a Loop is the tensor that it began as while `still`, a carried bool, is true.
struct CarriedIdentity {
  ir::ValueId inside = ir::ValueId::kNone;
  ir::ValueId initial = ir::ValueId::kNone;
  ir::ValueId still = ir::ValueId::kNone;
};

struct Region::Rest {
  record::Recorder::Block block;
  functionalize::Changes changes;
  std::vector<record::Failure> failures;
  std::vector<std::string> remarks;
  size_t mark = 0;                                                    // values from here on were made in the region
  std::unordered_set<ir::ValueId> reads;                              // bases of older tensors that its calls read
  std::vector<CarriedIdentity> carried_identities;                    // see Regions::CarryWrites
  std::vector<std::pair<ir::ValueId, ir::ValueId>> carried_writes;    // base, block input
  std::unordered_map<ir::ValueId, std::vector<ir::ValueId>> entered;  // see OpenRegions::Entered
};

class OpenRegions {
 public:
  OpenRegions(int opset, record::Recorder* recorder, functionalize::Layouts* layouts, functionalize::Aliases* aliases,
              Values* values)
      : opset_(opset), recorder_(*recorder), layouts_(*layouts), aliases_(*aliases), values_(*values) {}
  OpenRegions(const OpenRegions&) = delete;

  // See Regions.
  void Begin();
  ir::ValueId BlockInput(ir::Value type, const ir::Arg& initial);
  Region End();

  // Adds the block input that stands for `base` from now on, an older tensor that the body of the loop writes to.
  ir::ValueId CarryWrite(ir::ValueId base);
  // Links the block inputs with their initial values, once all of them have the values of an iteration's start.
  void LinkInputs();

  // Adds the calls that `make` makes to the end of the region. They see the values at its end, and are undone like the
  // others.
  void Append(Region* region, const std::function<void()>& make);
  // Reports the failures and remarks of a region as those of the program. `alone`: what a write of the region put in
  // doubt is all that it may have changed.
  void Commit(const Region& region, bool alone = false);
  // Notes that the innermost open region, if any, reads the memory of the value.
  void NoteReads(const ir::Arg& arg);
  bool IsOpen() const { return !open_.empty(); }
  // Returns true if the value is older than the innermost region.
  bool IsOlder(ir::ValueId id) const;
  // Returns true if it is, or if it is a value that an iteration starts with.
  bool IsFromOutside(ir::ValueId id) const;
  // Bases that may share memory with a block input of the innermost region at the start of an iteration.
  std::vector<ir::ValueId> Entered(ir::ValueId input) const;

  // A loop begins with this tensor, and an iteration leaves another layout in its place. Returns true if that is new:
  // the body must be traced again.
  bool ForgetLayout(ir::ValueId initial) { return other_layouts_.insert(initial).second; }
  // The same: nobody knows after which iterations it still is this tensor.
  bool ForgetIdentity(ir::ValueId initial) { return other_identities_.insert(initial).second; }

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

  const int opset_;
  record::Recorder& recorder_;
  functionalize::Layouts& layouts_;
  record::Findings& findings_ = recorder_.findings();
  functionalize::Aliases& aliases_;
  Values& values_;
  std::vector<Opened> open_;
  std::unordered_set<ir::ValueId> other_layouts_;
  std::unordered_set<ir::ValueId> other_identities_;
};

}  // namespace onnxport::trace

#endif  // ONNXPORT_RUNTIME_TRACE_OPEN_REGIONS_H_
