// Calls operators for all parts of the interpreter.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_OPERATOR_CALLER_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_OPERATOR_CALLER_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

#include "runtime/base/memory_budget.h"
#include "runtime/sources/torchscript/interpret/execution.h"
#include "runtime/sources/torchscript/interpret/operators/operators.h"
#include "runtime/sources/torchscript/interpret/scans.h"
#include "runtime/sources/torchscript/interpret/values/value.h"
#include "runtime/sources/torchscript/interpret/values/values.h"

namespace onnxport::torchscript {

class OperatorCaller {
 public:
  // All must outlive this.
  OperatorCaller(Execution* run, Operators* operators, Scans* scans)
      : run_(*run), operators_(*operators), scans_(*scans) {}

  // `op` has no overload; `expr` is the place. If an argument is missing, it is not called, and the result is missing.
  Value Call(const std::string& op, CallArguments arguments, const Expr& expr);
  // Converts the value for `if` and `while`: a tensor or an int becomes a bool, others stay.
  Value Truth(Value value, const Expr& expr);
  // The elements of a list of unknown length, if torch.chunk made it and was asked for `count`.
  std::optional<ValueList> Chunks(const Cell& list, int64_t count, const Expr& expr);

 private:
  // Returns false for a change that is refused.
  bool MayChange(const std::string& op, const CallArguments& arguments, Offset at);
  Value Chunk(const std::string& op, CallArguments arguments);
  // Counts the memory that lowering uses for each value of the tracer.
  void CountTraced();

  struct ChunkCall {
    Value tensor;
    int64_t count;
    Value axis;
  };

  Execution& run_;
  Operators& operators_;
  Scans& scans_;
  std::unordered_map<ir::ValueId, ChunkCall> chunks_;  // by the sequence that torch.chunk made
  size_t counted_ = 0;                                 // number of the tracer's values that `traced_` includes
  Charge traced_;
};

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_OPERATOR_CALLER_H_
