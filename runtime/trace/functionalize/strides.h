// Questions about the memory layout that the source program gave a tensor.
#ifndef ONNXPORT_RUNTIME_TRACE_FUNCTIONALIZE_STRIDES_H_
#define ONNXPORT_RUNTIME_TRACE_FUNCTIONALIZE_STRIDES_H_

#include <optional>

#include "runtime/ir/graph.h"

namespace onnxport::functionalize {

// All answer nothing when that is not known, for symbolic sizes or without strides. A symbol is taken as at least 1: a
// tensor without elements has nothing to share.

// Row-major without gaps (`is_contiguous()`).
std::optional<bool> RowMajor(const ir::Graph& graph, const ir::Value& tensor);

// Orders that `is_contiguous(memory_format=...)` asks for: kChannelsLast of pictures (rank 4), kChannelsLast3d of
// volumes (rank 5); false for other ranks.
// Source: c10/core/TensorImpl.h, is_contiguous_default.
enum class MemoryFormat { kContiguous, kChannelsLast, kChannelsLast3d };
std::optional<bool> IsContiguous(const ir::Graph& graph, const ir::Value& tensor, MemoryFormat format);

// `reshape` of `tensor` to the sizes of `shape` is a view and no copy.
// Source: aten/src/ATen/TensorUtils.cpp, computeStride.
std::optional<bool> CanView(const ir::Graph& graph, const ir::Value& tensor, const ir::Value& shape);

}  // namespace onnxport::functionalize

#endif  // ONNXPORT_RUNTIME_TRACE_FUNCTIONALIZE_STRIDES_H_
