// Answers questions of host code about tensors of the graph under construction.
#ifndef ONNXPORT_RUNTIME_LOWERING_BUILD_TENSOR_H_
#define ONNXPORT_RUNTIME_LOWERING_BUILD_TENSOR_H_

#include <optional>
#include <string>

#include "runtime/ir/graph.h"
#include "runtime/lowering/build/val.h"

namespace onnxport::lowering {

class Emitter;

const ir::Value& ValueOf(const Tensor& tensor);

// The emitter of the tensors among them; at least one must be a tensor.
Emitter* EmitterOf(const Val& a, const Val& b);

// "float32[batch, 10]", with contents when they are known: "int64[] {batch}".
std::string Describe(const Tensor& tensor);

// Returns true for a 0-d tensor.
bool IsScalar(const Tensor& tensor);

// Returns the number of an int, or the expression of a size; nothing if it is unknown.
std::optional<ir::Dim> SizeOf(const Val& value);

// Returns the dimension as a host int if it is a number, else as a 0-d int64 tensor. Returns nothing if it is an
// expression that was not computed before.
std::optional<Val> FindSize(Emitter* emitter, const ir::Dim& expression);

// Returns true for a symbol of torch.export whose value is known only at run time: `u0`, and `zuf0` for a float.
bool IsUnbacked(const std::string& symbol);

// Bounds of a size at run time, as the source states them. A symbol without stated bounds is not negative.
ir::Range RunBounds(const ir::Dim& dim, const ir::Ranges& ranges);
// Bounds for decisions about the graph: as in torch.export, a free dimension is not 0 or 1.
ir::Range AssumedBounds(const ir::Dim& dim, const ir::Ranges& ranges);

// The bounds to use for this graph: AssumedBounds for a program of torch.export, RunBounds for other programs.
ir::Range TrustedBounds(const ir::Dim& dim, const Emitter& emitter);
// Returns true if the two are known to differ, by those bounds.
bool NeverEqual(const ir::Dim& a, const ir::Dim& b, const Emitter& emitter);

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_BUILD_TENSOR_H_
