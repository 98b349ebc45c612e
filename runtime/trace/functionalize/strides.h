// Answers questions about the memory layout that the source program gave a tensor.
#ifndef ONNXPORT_RUNTIME_TRACE_FUNCTIONALIZE_STRIDES_H_
#define ONNXPORT_RUNTIME_TRACE_FUNCTIONALIZE_STRIDES_H_

#include <optional>

#include "runtime/ir/graph.h"

namespace onnxport::functionalize {

// All return nothing if the answer is unknown, because sizes are symbolic or there are no strides. A symbol is assumed
// to be at least 1, because a tensor without elements shares nothing.

// Row-major without gaps (`is_contiguous()`).
std::optional<bool> RowMajor(const ir::Graph& graph, const ir::Value& tensor);

// The orders of `is_contiguous(memory_format=...)`: kChannelsLast for images (rank 4), kChannelsLast3d for volumes
// (rank 5); false for other ranks. Source: c10/core/TensorImpl.h, is_contiguous_default.
enum class MemoryFormat { kContiguous, kChannelsLast, kChannelsLast3d };
std::optional<bool> IsContiguous(const ir::Graph& graph, const ir::Value& tensor, MemoryFormat format);

// Returns true if `suggest_memory_format()` would call the tensor channels_last. It looks at the order of the axes, not
// at gaps. Source: c10/core/MemoryFormat.h, is_channels_last_strides_2d.
std::optional<bool> LikeChannelsLast(const ir::Value& tensor);

// Returns true if several elements of a tensor are at the same place in memory.
std::optional<bool> Overlaps(const ir::Graph& graph, const ir::Dims& sizes, const ir::Dims& strides);

// Returns true if `reshape` of `tensor` to the sizes of `shape` is a view and not a copy. Source:
// aten/src/ATen/TensorUtils.cpp, computeStride.
std::optional<bool> CanView(const ir::Graph& graph, const ir::Value& tensor, const ir::Value& shape);

}  // namespace onnxport::functionalize

#endif  // ONNXPORT_RUNTIME_TRACE_FUNCTIONALIZE_STRIDES_H_
