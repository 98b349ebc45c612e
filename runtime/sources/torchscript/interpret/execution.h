// The state of one walk over a program, shared by the parts of the interpreter. Code that only reads it gets const
// access. Changes go through functions named Edit.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_EXECUTION_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_EXECUTION_H_

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/sources/torchscript/archive/program.h"
#include "runtime/sources/torchscript/interpret/call_stack.h"
#include "runtime/sources/torchscript/interpret/nesting.h"
#include "runtime/sources/torchscript/interpret/values/frame.h"
#include "runtime/sources/torchscript/interpret/values/heap.h"
#include "runtime/sources/torchscript/interpret/values/value.h"
#include "runtime/trace/tracer.h"

namespace onnxport::torchscript {

class Execution {
 public:
  // All must outlive this.
  Execution(const Program* program, Heap* heap, trace::Tracer* tracer)
      : program_(*program), heap_(*heap), tracer_(*tracer) {}

  const Program& program() const { return program_; }
  const trace::Tracer& tracer() const { return tracer_; }
  const CallStack& calls() const { return calls_; }
  const Frame& frame() const { return calls_.top().frame; }  // of the innermost call

  Heap& EditHeap() { return heap_; }
  trace::Tracer& EditTracer() { return tracer_; }
  CallStack& EditCalls() { return calls_; }
  Frame& EditFrame() { return calls_.EditTop().frame; }

  // Opens a region of the tracer, until `Undo` in the same call of a function, which undoes all changes. See
  // Speculation. Throws Error if blocks are nested deeper than readers of ONNX files accept.
  void Begin();
  struct Outcome {
    trace::Region region;
    std::vector<Heap::Change> cells;
    std::vector<Frame::Change> variables;
  };
  Outcome Undo();
  int blocks() const { return blocks_; }  // regions that are open

  // Counts a statement or a call. Throws Error after too many.
  void CountStep();
  // While the result lives, the recursion of the interpreter is one level deeper.
  Nesting Nest() { return Nesting(&nesting_); }

 private:
  void Settle(Value* value);

  const Program& program_;
  Heap& heap_;
  trace::Tracer& tracer_;
  CallStack calls_;
  int blocks_ = 0;
  int nesting_ = 0;  // of calls, statements and expressions
  int64_t steps_ = 0;
};

// Sets the location of the next calls of the tracer.
void LocateAt(Offset offset, Execution* run);
void Remark(Offset offset, const std::string& text, Execution* run);
// Throws an Error for code that is not in the language.
[[noreturn]] void BadCode(const Expr& expr, const std::string& what, const Execution& run);
// Reports a failure, and returns a value that stands for the missing result.
Value Failed(const std::string& reason, Execution* run);
// Returns true if the value can be used in a computation; otherwise reports why not, once.
bool IsUsable(const Value& value, const std::string& what, Execution* run);
// Returns the value as a number known only at run time. Returns null if it is missing or failed, and reports that. Any
// other value is an error: it is "no `noun`".
const Number* RunNumber(const Value& value, const std::string& what, const char* noun, const Expr& at, Execution* run);

// Everything done while it lives is undone when it is destroyed. End returns the changes.
class Speculation {
 public:
  explicit Speculation(Execution* run) : run_(*run) { run_.Begin(); }
  ~Speculation() {
    if (open_) run_.Undo();
  }
  Speculation(const Speculation&) = delete;

  using Outcome = Execution::Outcome;
  Outcome End() {
    open_ = false;
    return run_.Undo();
  }

 private:
  Execution& run_;
  bool open_ = true;
};

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_EXECUTION_H_
