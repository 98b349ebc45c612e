// Walks the code of a program on symbolic values. Internal to Interpret().
#ifndef ONNXPORT_RUNTIME_TORCHSCRIPT_INTERPRET_INTERPRETER_H_
#define ONNXPORT_RUNTIME_TORCHSCRIPT_INTERPRET_INTERPRETER_H_

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/base/memory_budget.h"
#include "runtime/ir/location.h"
#include "runtime/torchscript/archive/program.h"
#include "runtime/torchscript/interpret/builtins/builtins.h"
#include "runtime/torchscript/interpret/quantized/quantized.h"
#include "runtime/torchscript/interpret/traced_numbers.h"
#include "runtime/torchscript/interpret/values/frame.h"
#include "runtime/torchscript/interpret/values/heap.h"
#include "runtime/torchscript/interpret/values/refusal.h"
#include "runtime/torchscript/interpret/values/value.h"
#include "runtime/torchscript/syntax/ast.h"
#include "runtime/torchscript/syntax/type.h"
#include "runtime/trace/tracer.h"

namespace onnxport::torchscript {

class Joiner;

// One call of a function.
struct Activation {
  const Function* function = nullptr;  // null only before the first call
  std::shared_ptr<const ir::ModuleCall> module;
  Frame frame;
  std::optional<Value> result;
  int blocks = 0;  // open ones at the call
  const Activation* caller = nullptr;
  Offset calling = 0;  // the call that is being made from here
};

struct CallArguments {
  ValueList positional;
  std::vector<std::pair<std::string, Value>> keywords;
};

class Interpreter;

// What is done while it lives goes into a region of the tracer, and is undone at its end.
class Speculation {
 public:
  explicit Speculation(Interpreter* interpreter);
  ~Speculation();
  Speculation(const Speculation&) = delete;

  struct Outcome {
    trace::Region region;
    std::vector<Heap::Change> cells;
    std::vector<Frame::Change> variables;
  };
  Outcome End();

 private:
  Interpreter& interpreter_;
  Frame& frame_;
  bool open_ = true;
};

class Interpreter {
 public:
  // All must outlive the interpreter.
  // `loop_hint`: what the message about a loop that cannot be exported ends with. `traced`: what other traces of the
  // program say of its numbers; may be null.
  Interpreter(const Program* program, Heap* heap, trace::Tracer* tracer, std::string loop_hint,
              const TracedNumbers* traced = nullptr);

  // The module with its attributes; parameters become weights of the graph.
  Value Module();
  // Throws Refusal (kRaised), or Error for code that the language does not have, and when a limit is reached.
  Value Call(const Function& function, CallArguments arguments);
  // What runs: "the code at model.py:12".
  std::string Running() const;

 private:
  friend class Speculation;
  friend class LoopTracer;
  // kRestDone: what follows in the block has been run as well.
  enum class Flow : uint8_t { kNext, kReturn, kRestDone };

  // statements.cc
  Flow ExecuteAll(std::span<const Stmt> body);
  // `rest`: what follows in the block.
  Flow Execute(const Stmt& stmt, std::span<const Stmt> rest);
  void Assign(const Stmt& stmt);
  void AssignTo(const Expr& target, Value value);
  Value UnknownLength(const Stmt& stmt);
  void Unpack(const Stmt& stmt, const Value& value);
  Flow ExecuteWith(const Stmt& stmt);
  void Define(const Stmt& stmt);

  // branches.cc
  struct Side {
    std::optional<std::string> raised;  // why
    Speculation::Outcome outcome;
    Flow flow = Flow::kNext;
    uint64_t mark = 0;            // containers with later serials were made on this side, or on the next
    std::optional<Value> result;  // of the function, when `flow` is kReturn
  };
  Flow ExecuteIf(const Stmt& stmt, std::span<const Stmt> rest);
  Flow Branch(const Stmt& stmt, std::span<const Stmt> rest, ir::ValueId condition);
  // One side, and `rest` after it; the condition is known there.
  Side RunSide(std::span<const Stmt> body, std::span<const Stmt> rest, ir::ValueId condition, bool truth);
  // Whether `rest` reads a variable that has no common value after the two sides: None and a tensor, two strings.
  bool IsTornBetween(const Side& then, const Side& otherwise, std::span<const Stmt> rest, ir::ValueId condition);
  // A number whose value the sides that are open decide.
  Value Assumed(Value value) const;
  bool MakeSequences(const Speculation::Outcome& then, const Speculation::Outcome& otherwise);
  // What the two sides of an `if` left, joined.
  struct Joined {
    std::optional<Value> result;
    std::vector<std::pair<std::string, Value>> variables;
    std::vector<std::pair<CellPtr, Cell>> cells;
    std::vector<std::string> problems;
  };
  Joined JoinAll(const Side& then, const Side& otherwise, Joiner* joiner) const;
  void JoinSides(ir::ValueId condition, Side then, Side otherwise);
  void DropRaisingSide(const StmtList& side, const Stmt& stmt);
  // What cannot be known any more after a failure.
  void ForgetAssigned(const StmtList& body);
  // What a branch or a loop assigns, of constants.
  void DoubtAssigned(const StmtList& body);

  // loops.cc
  Flow ExecuteFor(const Stmt& stmt);
  Flow ExecuteWhile(const Stmt& stmt);
  Flow Unroll(const Stmt& stmt, int64_t count);
  void CountIteration(const Stmt& stmt);
  bool NextConditionIsKnown(const Stmt& stmt);
  // What a loop does once more; the condition after it of a `while`.
  Value Iterate(const Stmt& stmt, const Value& iteration);
  void FailLoop(const Stmt& stmt, const std::string& why);
  // sequences.cc
  // An ONNX sequence of the elements; nothing when it cannot hold them. `element`: type, for an empty list.
  std::optional<ir::ValueId> SequenceOf(const Cell& list, const std::optional<ir::Value>& element);
  // The list becomes an ONNX sequence; false when its elements cannot.
  bool MakeSequence(const CellPtr& list, const std::optional<ir::Value>& element);

  // expressions.cc
  Value Evaluate(const Expr& expr);
  Value EvaluateInt(const Expr& expr);
  Value EvaluateName(const Expr& expr);
  Value EvaluateAttribute(const Expr& expr);
  Value EvaluateSubscript(const Expr& expr);
  Value EvaluateList(const Expr& expr);
  Value EvaluateDict(const Expr& expr);
  ValueList EvaluateAll(const ExprList& exprs, size_t first);
  ValueList EvaluateElements(const ExprList& exprs);  // of a container
  Value AttributeOf(const Value& object, const Expr& expr);
  Value CellAttribute(const Cell& cell, const Expr& expr);
  Value Global(const std::string& name, const Expr& expr);
  Value EnumMember(const Class& type, const std::string& name, const Expr& expr);
  Value ConstantOf(const std::string& name, const Expr& expr);
  // "torch.add" of an attribute chain that starts at a global name; empty for any other. Cached.
  const std::string& DottedName(const Expr& expr);
  const Type& TypeFrom(const Expr& expr);
  // A value to be computed with: reports what is missing, once.
  bool IsUsable(const Value& value, const std::string& what);

  // calls.cc
  Value EvaluateCall(const Expr& expr);
  std::optional<Value> SpecialForm(const std::string& name, const Expr& expr);
  Value CallGlobal(const std::string& name, const Expr& expr);
  Value CallOperator(const std::string& op, CallArguments arguments, const Expr& expr);
  Value Chunk(const std::string& op, CallArguments arguments);
  // Lists that are to be scan outputs and that the operator may look at.
  void NoteScans(const std::string& op, const CallArguments& arguments);
  void NoteScan(const Value& value, int depth);
  Value CallValue(const FunctionValue& function, CallArguments arguments);
  Value CallMethodOf(const Value& object, const Expr& expr);
  Value CallMethod(const CellPtr& object, const Function& method, CallArguments arguments);
  Value Construct(const Class& type, CallArguments arguments, const Expr& expr);
  Value Annotate(const Type& type, Value value, const Expr& expr);
  Value IsInstance(const Expr& expr);
  void BindParameters(const Function& function, CallArguments arguments, Frame* frame);
  CallArguments EvaluateArguments(const Expr& call);
  [[noreturn]] void Raise(const Expr& call);

  // interpreter.cc
  void LocateAt(Offset offset);
  ir::Location LocationAt(Offset offset) const;
  std::string Place(Offset offset) const;  // "model.py:12"
  void CountStep();
  void CountTraced();
  void Remark(Offset offset, const std::string& text);
  [[noreturn]] void BadCode(const Expr& expr, const std::string& what) const;
  Value Failed(const std::string& op, const std::string& reason);

  const Program& program_;
  Heap& heap_;
  trace::Tracer& tracer_;
  std::string loop_hint_;
  NumberMaker numbers_;
  Builtins builtins_;
  Quantized quantized_;
  Activation root_;
  Activation* activation_ = &root_;
  int nesting_ = 0;                               // of calls, statements and expressions: the stack
  int calls_ = 0;                                 // open ones
  std::unordered_map<std::string, int> entered_;  // modules by path: how often
  int blocks_ = 0;                                // open ones
  int splits_ = 0;                                // open sides that hold what comes after their `if`
  std::map<ir::ValueId, bool> assumed_;           // conditions of the sides that are open
  int64_t steps_ = 0;
  int64_t iterations_ = 0;  // unrolled
  size_t counted_ = 0;      // values of the tracer that `traced_` is for
  Charge traced_;
  std::unordered_map<const Expr*, std::string> dotted_names_;
  std::unordered_map<const Expr*, Type> types_;
  ValueList constants_;
  std::unordered_map<ir::ValueId, int64_t> chunks_;  // sequences of torch.chunk: how many were asked for
  int scans_ = 0;                                    // loops around that may have scan outputs
  std::set<uint64_t> read_scans_;                    // marks of lists that are more than appended to
};

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_TORCHSCRIPT_INTERPRET_INTERPRETER_H_
