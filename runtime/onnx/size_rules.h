// Internal to runtime/onnx: computes the sizes of results, one function for each operator or kind of operator
// (OpFacts::sizes).
#ifndef ONNXPORT_RUNTIME_ONNX_SIZE_RULES_H_
#define ONNXPORT_RUNTIME_ONNX_SIZE_RULES_H_

#include <cstddef>

#include "runtime/ir/dim.h"
#include "runtime/onnx/inferred_type.h"
#include "runtime/onnx/node_view.h"

namespace onnxport::onnx_ops::sizes {

// Returns the `dims` of the first result; if there are none, makes `rank` unknown ones. Returns null if the rank
// differs.
inline ir::Dims* Result(InferredTypes* types, size_t rank) {
  auto& dims = types->front().dims;
  if (!dims) dims.emplace(rank);
  return dims->size() == rank ? &*dims : nullptr;
}

// Sets only an unknown size: a size that inference or an earlier rule found stays.
inline void Set(ir::Dims* dims, size_t i, const ir::Dim& dim) {
  if ((*dims)[i].is_unknown()) (*dims)[i] = dim;
}

// sizes.cc
void Broadcast(const NodeView& node, InferredTypes* types);  // all inputs
void Compress(const NodeView& node, InferredTypes* types);
void Concat(const NodeView& node, InferredTypes* types);
void ConstantOfShape(const NodeView& node, InferredTypes* types);
void Expand(const NodeView& node, InferredTypes* types);
void Flatten(const NodeView& node, InferredTypes* types);
void Range(const NodeView& node, InferredTypes* types);
void Reshape(const NodeView& node, InferredTypes* types);
void Same(const NodeView& node, InferredTypes* types);  // the sizes of the first input

// cut_sizes.cc: operators that cut or extend their input.
void Pad(const NodeView& node, InferredTypes* types);
void Slice(const NodeView& node, InferredTypes* types);
void Split(const NodeView& node, InferredTypes* types);
void SplitToSequence(const NodeView& node, InferredTypes* types);
void Tile(const NodeView& node, InferredTypes* types);
void TopK(const NodeView& node, InferredTypes* types);

// window_sizes.cc: operators with a window that slides over the input.
void Col2Im(const NodeView& node, InferredTypes* types);
void Convolution(const NodeView& node, InferredTypes* types);
void ConvTranspose(const NodeView& node, InferredTypes* types);
void Dft(const NodeView& node, InferredTypes* types);
void Resize(const NodeView& node, InferredTypes* types);
void Pool(const NodeView& node, InferredTypes* types);
void Stft(const NodeView& node, InferredTypes* types);

}  // namespace onnxport::onnx_ops::sizes

#endif  // ONNXPORT_RUNTIME_ONNX_SIZE_RULES_H_
