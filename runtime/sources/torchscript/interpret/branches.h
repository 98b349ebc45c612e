// Executes `if`: one side if the condition is known, otherwise both sides and an ONNX If.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_BRANCHES_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_BRANCHES_H_

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/sources/torchscript/interpret/assumptions.h"
#include "runtime/sources/torchscript/interpret/code.h"
#include "runtime/sources/torchscript/interpret/evaluator.h"
#include "runtime/sources/torchscript/interpret/execution.h"
#include "runtime/sources/torchscript/interpret/operator_caller.h"
#include "runtime/sources/torchscript/interpret/sequences.h"
#include "runtime/sources/torchscript/interpret/values/grids.h"
#include "runtime/sources/torchscript/interpret/values/heap.h"
#include "runtime/sources/torchscript/interpret/values/value.h"
#include "runtime/sources/torchscript/syntax/ast.h"

namespace onnxport::torchscript {

class Joiner;

class Branches {
 public:
  // The parts of the interpreter that branches use. All must outlive this.
  struct Parts {
    Execution* run;
    Code* code;
    Evaluator* evaluator;
    OperatorCaller* operators;
    Assumptions* assumptions;
    SequenceMaker* sequences;
    Grids* grids;
  };
  explicit Branches(const Parts& parts)
      : run_(*parts.run),
        code_(*parts.code),
        evaluator_(*parts.evaluator),
        operators_(*parts.operators),
        assumptions_(*parts.assumptions),
        sequences_(*parts.sequences),
        grids_(*parts.grids) {}

  // `rest` are the next statements of the block. They are run here, on both sides, if they read a variable that has no
  // common value after the sides: `if c: y = None else: y = x`, then `if y is None: ...`. The result is then kRestDone.
  Flow Execute(const Stmt& stmt, std::span<const Stmt> rest);

 private:
  struct Side {
    std::optional<std::string> raised;  // the reason, if the side raises
    Speculation::Outcome outcome;
    Flow flow = Flow::kNext;
    uint64_t mark = 0;            // containers with later serials were made on this side, or on the next
    std::optional<Value> result;  // of the function, when `flow` is kReturn
  };
  // Variables that hold lists of different lengths on the two sides, with the type of an element. "" is the function's
  // result.
  using Lists = std::map<std::string, std::optional<ir::Value>>;
  Flow Branch(const Stmt& stmt, std::span<const Stmt> rest, ir::ValueId condition);
  // Runs one side, and `rest` after it, with the condition known. At its end `lists` become sequences.
  Side RunSide(std::span<const Stmt> body, std::span<const Stmt> rest, ir::ValueId condition, bool truth,
               const Lists& lists);
  void MakeSequences(const Lists& lists, const std::optional<Value>& result);
  // Returns true if `rest` reads a variable that has no common value after the two sides: None and a tensor, two
  // different strings.
  bool IsTornBetween(const Side& then, const Side& otherwise, std::span<const Stmt> rest, ir::ValueId condition);
  bool MakeSequences(const Speculation::Outcome& then, const Speculation::Outcome& otherwise);
  // Adds lists that have different lengths after the two sides and are read after the statement at `last`. Returns true
  // if there are new ones.
  bool AddLists(const Side& then, const Side& otherwise, Offset last, Lists* lists) const;
  // Sets `element` to the type of an element if the two are such lists and both can become sequences.
  bool HaveOtherLengths(const Value& then, const Value& otherwise, std::optional<ir::Value>* element) const;
  // The values after the two sides of an `if`, joined.
  struct Joined {
    std::optional<Value> result;
    std::vector<std::pair<std::string, Value>> variables;
    std::vector<std::pair<CellPtr, Cell>> cells;
    std::vector<std::string> problems;
  };
  // Returns true if nothing can reach the container after the side, because the side returns.
  bool IsForgotten(const Cell& cell, const Side& side) const;
  Joined JoinAll(const Side& then, const Side& otherwise, Joiner* joiner) const;
  void JoinSides(const Stmt& stmt, ir::ValueId condition, Side then, Side otherwise);
  void DropRaisingSide(const StmtList& side, const Stmt& stmt);

  Execution& run_;
  Code& code_;
  Evaluator& evaluator_;
  OperatorCaller& operators_;
  Assumptions& assumptions_;
  SequenceMaker& sequences_;
  Grids& grids_;
  int splits_ = 0;  // open sides that include the statements after their `if`
};

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_BRANCHES_H_
