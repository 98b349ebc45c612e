// A loop that a run decides as ONNX Loop. Internal to the interpreter.
#ifndef ONNXPORT_RUNTIME_TORCHSCRIPT_INTERPRET_LOOP_TRACER_H_
#define ONNXPORT_RUNTIME_TORCHSCRIPT_INTERPRET_LOOP_TRACER_H_

#include <map>
#include <string>
#include <vector>

#include "runtime/ir/control_flow.h"
#include "runtime/torchscript/interpret/control/pattern.h"
#include "runtime/torchscript/interpret/interpreter.h"

namespace onnxport::torchscript {

// The body is traced until nothing more changes: which variables, containers and tensors it changes, and their types.
// Only the last region becomes part of the graph.
class LoopTracer {
 public:
  // `loop`: what is known outside of the body.
  LoopTracer(Interpreter* interpreter, const Stmt& stmt, ir::LoopSpec loop);

  // True: the loop is in the graph and its changes are made. False: nothing has happened, `why()` says the reason.
  bool Run();
  const std::string& why() const { return why_; }

 private:
  // A variable or the contents of a container that the body changes.
  struct Slot {
    std::string name;
    CellPtr cell;  // null: the variable `name`
    Value before;
    Value after;
    Pattern pattern;
  };

  Speculation::Outcome Trace();
  void Enter(Slot* slot);
  void SetContents(const CellPtr& cell, const Value& contents);
  void MakeSequences();
  Value AnyLike(const Value& value, int depth);
  bool Update(const Speculation::Outcome& outcome);
  Slot& SlotFor(const std::string& name, const CellPtr& cell, const Value& before);
  bool UpdateWrites(std::vector<trace::Region::Write> writes);
  bool PrepareSequences();
  bool CheckScans();
  bool Finish(Speculation::Outcome outcome, bool* again);
  void Leave(const std::vector<ir::Arg>& results);
  void LeaveFailed(Speculation::Outcome outcome);

  Interpreter& interpreter_;
  const Stmt& stmt_;
  ir::LoopSpec loop_;  // as it was last traced
  PatternMaker patterns_;
  std::vector<Slot> slots_;
  std::map<std::string, size_t> variables_;  // of `slots_`
  std::map<const Cell*, size_t> cells_;      // of `slots_`
  std::vector<trace::Region::Write> writes_;
  std::string why_;
};

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_TORCHSCRIPT_INTERPRET_LOOP_TRACER_H_
