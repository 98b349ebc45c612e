// Python numbers in traces.
//
// `x * 0.5` is traced as `torch.mul(x, CONSTANTS.c0)` with a 0-d float64 tensor. When LibTorch runs the file, its
// optimizer turns such a constant back into a number, so that float32 stays float32. It does so before all other
// optimizations, and only if the constant itself is the second operand of add, sub, mul or div, with any dtype.
// docs/torchscript.md has the rules.
//
// Source: torch/csrc/jit/passes/canonicalize_graph_fuser_ops.cpp, `CanonicalizeOps`.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_BUILTINS_WRAPPED_NUMBERS_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_BUILTINS_WRAPPED_NUMBERS_H_

#include "runtime/sources/torchscript/interpret/values/value.h"
#include "runtime/trace/tracer.h"

namespace onnxport::torchscript {

struct CallSite;

// The meaning of `CONSTANTS.c0` in code.
Value NamedConstant(Value constant, const trace::Tracer& tracer);

// The value after it went through a container, a branch or a loop. Then it depends on LibTorch's optimizer (and on
// which of its two executors runs) if it still sees the constant.
Value Doubted(Value value);

// Turns arguments of the call into numbers as LibTorch does. Throws Refusal if the dtype of the result depends on a
// doubtful one.
void WrapNumbers(const CallSite& call);

// Call it after the call. It remarks that such a constant made the result float64: in eager PyTorch it is a number, and
// the result would not be float64.
void RemarkFloat64(const CallSite& call, const Value& result);

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_BUILTINS_WRAPPED_NUMBERS_H_
