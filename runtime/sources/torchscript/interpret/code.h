// The functions by which the parts of the interpreter call each other in a circle. All else between them points one
// way.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_CODE_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_CODE_H_

#include <cstdint>
#include <span>

#include "runtime/sources/torchscript/interpret/values/value.h"
#include "runtime/sources/torchscript/syntax/ast.h"

namespace onnxport::torchscript {

// How statements end. kRestDone: what follows in the block has been run as well (see Branches).
enum class Flow : uint8_t { kNext, kReturn, kRestDone };

// `f(x) + 1` is an expression with a call, the call runs the statements of `f`, and these have expressions.
class Code {
 public:
  virtual Value EvaluateCall(const Expr& call) = 0;
  virtual Flow ExecuteAll(std::span<const Stmt> body) = 0;

 protected:
  ~Code() = default;
};

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_CODE_H_
