// The functions through which parts of the interpreter call each other in a circle. All other dependencies between them
// go one way.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_CODE_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_CODE_H_

#include <cstdint>
#include <span>

#include "runtime/sources/torchscript/interpret/values/value.h"
#include "runtime/sources/torchscript/syntax/ast.h"

namespace onnxport::torchscript {

// How statements end. kRestDone: the next statements of the block have been run as well (see Branches).
enum class Flow : uint8_t { kNext, kReturn, kRestDone };

// In `f(x) + 1` an expression contains a call, the call runs the statements of `f`, and these contain expressions.
class Code {
 public:
  virtual Value EvaluateCall(const Expr& call) = 0;
  virtual Flow ExecuteAll(std::span<const Stmt> body) = 0;

 protected:
  ~Code() = default;
};

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_CODE_H_
