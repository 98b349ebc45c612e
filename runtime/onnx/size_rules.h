// Internal to runtime/onnx: how the sizes of results follow, one function for each operator or kind of operator
// (OpFacts::sizes).
#ifndef ONNXPORT_RUNTIME_ONNX_SIZE_RULES_H_
#define ONNXPORT_RUNTIME_ONNX_SIZE_RULES_H_

#include <cstddef>

#include "runtime/ir/dim.h"
#include "runtime/onnx/inferred_type.h"
#include "runtime/onnx/node_view.h"

namespace onnxport::onnx_ops::sizes {

// `dims` of the first result, made with `rank` unknown ones if there are none; null when the rank differs.
inline ir::Dims* Result(InferredTypes* types, size_t rank) {
  auto& dims = types->front().dims;
  if (!dims) dims.emplace(rank);
  return dims->size() == rank ? &*dims : nullptr;
}

// Only what is open: what inference has found, or a rule before this one, stays.
inline void Set(ir::Dims* dims, size_t i, const ir::Dim& dim) {
  if ((*dims)[i].is_unknown()) (*dims)[i] = dim;
}

// sizes.cc
void Broadcast(const NodeView& node, InferredTypes* types);  // of all inputs
void Compress(const NodeView& node, InferredTypes* types);
void Concat(const NodeView& node, InferredTypes* types);
void ConstantOfShape(const NodeView& node, InferredTypes* types);
void Expand(const NodeView& node, InferredTypes* types);
void Flatten(const NodeView& node, InferredTypes* types);
void Range(const NodeView& node, InferredTypes* types);
void Reshape(const NodeView& node, InferredTypes* types);
void Same(const NodeView& node, InferredTypes* types);  // as the first input

// cut_sizes.cc: parts of their input, and more of it.
void Pad(const NodeView& node, InferredTypes* types);
void Slice(const NodeView& node, InferredTypes* types);
void Split(const NodeView& node, InferredTypes* types);
void SplitToSequence(const NodeView& node, InferredTypes* types);
void Tile(const NodeView& node, InferredTypes* types);
void TopK(const NodeView& node, InferredTypes* types);

// window_sizes.cc: what slides over its input.
void Col2Im(const NodeView& node, InferredTypes* types);
void Convolution(const NodeView& node, InferredTypes* types);
void ConvTranspose(const NodeView& node, InferredTypes* types);
void Dft(const NodeView& node, InferredTypes* types);
void Resize(const NodeView& node, InferredTypes* types);
void Pool(const NodeView& node, InferredTypes* types);
void Stft(const NodeView& node, InferredTypes* types);

}  // namespace onnxport::onnx_ops::sizes

#endif  // ONNXPORT_RUNTIME_ONNX_SIZE_RULES_H_
