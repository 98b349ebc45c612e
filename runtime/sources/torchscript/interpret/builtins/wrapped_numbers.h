// Python numbers in traces.
//
// `x * 0.5` is traced as `torch.mul(x, CONSTANTS.c0)` with a 0-d float64 tensor. When LibTorch runs the file, its
// optimiser makes a number of such a constant again, so that float32 stays float32. It does so before all other
// optimisations: only where the constant itself is the second operand of add, sub, mul or div, whatever its dtype is.
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

// The value after it went through a container, a branch or a loop. There it depends on LibTorch's optimiser (and on
// which of its two executors runs) whether it still sees the constant.
Value Doubted(Value value);

// Makes the numbers of the arguments of the call that LibTorch makes. Throws Refusal where the dtype of the result
// hangs on what is in doubt.
void WrapNumbers(const CallSite& call);

// Remarks, after the call, that such a constant made its result float64: eager PyTorch has a number there, which does
// not.
void RemarkFloat64(const CallSite& call, const Value& result);

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_BUILTINS_WRAPPED_NUMBERS_H_
