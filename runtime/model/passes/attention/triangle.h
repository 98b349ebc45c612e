// Matrices that are one number up to a diagonal and another one behind it, as causal masks are.
#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_ATTENTION_TRIANGLE_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_ATTENTION_TRIANGLE_H_

#include <optional>

#include "runtime/ir/graph.h"
#include "runtime/model/passes/graph/rewrite.h"
#include "runtime/onnx/known_tensor.h"

namespace onnxport::passes {

// Element [.., i, j] is `inside` if j <= i + diagonal, and else `outside`, for all other indices. Both have one
// element.
struct Triangle {
  ir::Dim diagonal;
  onnx_ops::KnownTensor inside;
  onnx_ops::KnownTensor outside;
};

// How the value is such a matrix in every run: by Trilu, a comparison of places (`arange(keys) <= arange(queries)[:,
// None]`), a constant, and what is done to each element of these. Nothing where that is not known.
std::optional<Triangle> FindTriangle(const ir::Graph& graph, const Producers& producers, ir::ValueId id);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_ATTENTION_TRIANGLE_H_
