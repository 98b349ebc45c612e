// Questions about the memory layout that the source program gave a tensor.
#ifndef ONNXPORT_RUNTIME_FUNCTIONALIZE_STRIDES_H_
#define ONNXPORT_RUNTIME_FUNCTIONALIZE_STRIDES_H_

#include <optional>

#include "runtime/ir/graph.h"

namespace onnxport::functionalize {

// Both answer nothing when that is not known, for symbolic sizes or without strides. A symbol is taken as at least 1: a
// tensor without elements has nothing to share.

// Row-major without gaps (`is_contiguous()`).
std::optional<bool> RowMajor(const ir::Graph& graph, const ir::Value& tensor);

// `reshape` of `tensor` to the sizes of `shape` is a view and no copy.
// Source: aten/src/ATen/TensorUtils.cpp, computeStride.
std::optional<bool> CanView(const ir::Graph& graph, const ir::Value& tensor, const ir::Value& shape);

}  // namespace onnxport::functionalize

#endif  // ONNXPORT_RUNTIME_FUNCTIONALIZE_STRIDES_H_
