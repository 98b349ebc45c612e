// Internal to runtime/onnx: checks which sizes of the inputs must be equal, one function for each operator or kind of
// operator (OpFacts::fit). An unknown size passes, and so do two names that may be equal: they are compared at run
// time, as in PyTorch.
#ifndef ONNXPORT_RUNTIME_ONNX_FIT_RULES_H_
#define ONNXPORT_RUNTIME_ONNX_FIT_RULES_H_

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "runtime/ir/dim.h"
#include "runtime/onnx/node_view.h"

namespace onnxport::onnx_ops::fit {

// The common part of the rules. Throws Refusal if sizes do not fit.
class Checker {
 public:
  // `more` follows the shapes in the message.
  explicit Checker(const NodeView& view, std::string more = "") : view_(view), more_(std::move(more)) {}

  // Requires that both sizes are equal.
  void Equal(const ir::Dim& a, const ir::Dim& b) const;
  void Equal(const ir::Dims* a, size_t i, const ir::Dims* b, size_t j) const;
  // Requires a number: a free size would need another attribute of the node.
  void NotFree(const ir::Dims* a, size_t i) const;
  // Requires that the shapes broadcast as in NumPy, without the last `skip` dimensions.
  void Broadcast(const std::vector<const ir::Dims*>& shapes, size_t skip = 0) const;

  // Returns the shapes of the inputs; null for an unknown one.
  std::vector<const ir::Dims*> Shapes() const;

 private:
  // "[1, 4*n, 8] meets [6, 4, 3]", and `more`.
  std::string ShapesText() const;

  NodeView view_;
  std::string more_;
};

// Returns true if an expression has a bound, so that one result may stand for many sizes: Min(n, 10) is 10 for all n
// from 10 on.
bool HasBound(const ir::Dim& dim);

// size_check.cc
void Broadcast(const NodeView& view);  // all inputs

// fit_shapes.cc: operators that join tensors or change their shape.
void Concat(const NodeView& view);
void Einsum(const NodeView& view);
void EinsumGrammar(const NodeView& view);
void Expand(const NodeView& view);
void ExpandGrammar(const NodeView& view);
void Gemm(const NodeView& view);
void MatMul(const NodeView& view);
void Reshape(const NodeView& view);
void Split(const NodeView& view);
void Squeeze(const NodeView& view);

// fit_layers.cc: operators with weights, scales, states or indices.
void Boxes(const NodeView& view);
void Channels(const NodeView& view);
void ConvTranspose(const NodeView& view);
void Convolution(const NodeView& view);
void GridSample(const NodeView& view);
void Loss(const NodeView& view);
void MaxUnpool(const NodeView& view);
void Quantize(const NodeView& view);
void Recurrent(const NodeView& view);
void ReverseSequence(const NodeView& view);
void RoiAlign(const NodeView& view);
void Scatter(const NodeView& view);
void ScatterNd(const NodeView& view);

}  // namespace onnxport::onnx_ops::fit

#endif  // ONNXPORT_RUNTIME_ONNX_FIT_RULES_H_
