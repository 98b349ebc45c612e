// Questions of host code about tensors of the graph under construction.
#ifndef ONNXPORT_RUNTIME_LOWERING_BUILD_TENSOR_H_
#define ONNXPORT_RUNTIME_LOWERING_BUILD_TENSOR_H_

#include <optional>
#include <string>

#include "runtime/ir/graph.h"
#include "runtime/lowering/build/val.h"

namespace onnxport::lowering {

class Emitter;

const ir::Value& ValueOf(const Tensor& tensor);

// Where the tensors among them are; at least one of the two is.
Emitter* EmitterOf(const Val& a, const Val& b);

// "float32[batch, 10]", with contents when they are known: "int64[] {batch}".
std::string Describe(const Tensor& tensor);

// 0-d.
bool IsScalar(const Tensor& tensor);

// An int's number, a size's expression; nothing for what is not known.
std::optional<ir::Dim> SizeOf(const Val& value);

// The dimension as a host int when it is a number, else as a 0-d int64 tensor; `expression` must be found or a number.
std::optional<Val> FindSize(Emitter* emitter, const ir::Dim& expression);

// A symbol of torch.export for what only a run gives: `u0`, and `zuf0` for a float.
bool IsUnbacked(const std::string& symbol);

// Bounds of a size at run time: what the source states; a symbol it says nothing of is not negative.
ir::Range RunBounds(const ir::Dim& dim, const ir::Ranges& ranges);
// Bounds for decisions about the graph: as torch.export decided, a free dimension is not 0 or 1.
ir::Range AssumedBounds(const ir::Dim& dim, const ir::Ranges& ranges);

// The ones of the two that fit the graph: AssumedBounds for an export of torch.export, RunBounds for other programs.
ir::Range TrustedBounds(const ir::Dim& dim, const Emitter& emitter);

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_BUILD_TENSOR_H_
