// The changes that the body of a loop makes, and how an ONNX Loop carries them from one iteration to the next.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_LOOP_SLOTS_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_LOOP_SLOTS_H_

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "runtime/ir/control_flow.h"
#include "runtime/ir/graph.h"
#include "runtime/sources/torchscript/interpret/control/pattern.h"
#include "runtime/sources/torchscript/interpret/execution.h"
#include "runtime/sources/torchscript/interpret/loop_ties.h"
#include "runtime/sources/torchscript/interpret/scans.h"
#include "runtime/sources/torchscript/interpret/sequences.h"
#include "runtime/sources/torchscript/interpret/values/grids.h"
#include "runtime/sources/torchscript/interpret/values/value.h"
#include "runtime/sources/torchscript/syntax/ast.h"

namespace onnxport::torchscript {

// The parts of the interpreter that loops use.
struct LoopParts {
  Execution* run;
  SequenceMaker* sequences;
  Grids* grids;
  Scans* scans;
};

// A slot is a variable, or a container that variables share. In
//     for i in range(n): x = x + 1; ys.append(x)
// the slots are `x`, a carried tensor, and the list of `ys`, a scan output. All functions visit the places of a slot in
// the order of PatternMaker::ForEach, so inputs, next values and results of the Loop match.
class LoopSlots {
 public:
  explicit LoopSlots(const LoopParts& parts)
      : run_(*parts.run),
        sequences_(*parts.sequences),
        grids_(*parts.grids),
        scans_(*parts.scans),
        patterns_(&run_.EditHeap(), run_.tracer()),
        ties_(&run_.EditHeap(), run_.EditHeap().NewSerial()) {}

  // Call it at the start of the body: variables and containers get new inputs of the block. Returns one for each
  // carried place that is no scan output, without its next value.
  std::vector<ir::LoopSpec::Carried> Enter();
  // Call it at the end of the body: turns lists that are carried as sequences into sequences.
  void MakeSequences();
  // Adds the changes of the body of `loop`. Returns true if the body must be traced again, or if there is a reason why
  // not.
  bool Update(const Execution::Outcome& outcome, const Stmt& loop);
  // Makes the initial sequences, outside the loop. Returns false if there is a reason why not.
  bool PrepareSequences();
  // Returns true if a list that looked like a scan output is not one. It is then carried as a sequence.
  bool CheckScans();
  // Visits every carried place, with the value before the loop and the one after an iteration.
  void ForEach(const PatternMaker::Visitor& visit);
  // Call it after the loop with its results: the first `carried` are those of carried places, then come scans.
  void Leave(const std::vector<ir::Arg>& results, size_t carried);

  // The reason why a Loop cannot carry a change; empty if there is none.
  const std::string& why() const { return why_; }
  // The reason is that a value has another form after an iteration: another iteration may keep it.
  bool changes_form() const { return patterns_.changes_form(); }

 private:
  struct Slot {
    std::string name;
    CellPtr cell;  // null: the variable `name`
    Value before;
    Value after;
    Pattern pattern;
  };

  Value Enter(Slot* slot, std::vector<ir::LoopSpec::Carried>* carried);
  void AddReplaced(const Slot& slot, const Value& after, std::vector<CellPtr>* replaced) const;
  std::vector<CellPtr> ReplacedAfter() const;
  bool IsCarried(const std::string& name, const Stmt& loop) const;
  void SetContents(const CellPtr& cell, const Value& contents);
  Value AnyLike(const Value& value, int depth);
  Slot& SlotFor(const std::string& name, const CellPtr& cell, const Value& before);
  void AddChanges(const Execution::Outcome& outcome, const Stmt& loop);
  bool Widen(Slot* slot);
  bool AddKeys(Slot* slot);
  const CellPtr& OriginalOf(const CellPtr& before) const;
  void ForgetReplaced(const Slot& slot, const Stmt& loop);

  Execution& run_;
  SequenceMaker& sequences_;
  Grids& grids_;
  Scans& scans_;
  PatternMaker patterns_;
  LoopTies ties_;
  std::vector<Slot> slots_;
  std::map<std::string, size_t> variables_;  // of `slots_`
  std::map<const Cell*, size_t> cells_;      // of `slots_`
  // A dict from before the loop that got keys, and the one that it stands for.
  std::map<const Cell*, std::pair<CellPtr, CellPtr>> originals_;
  std::string why_;
};

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_LOOP_SLOTS_H_
