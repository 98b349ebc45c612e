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

// Returns true if `suggest_memory_format()` takes the tensor for channels_last: the order of its axes, whatever gaps
// there are.
// Source: c10/core/MemoryFormat.h, is_channels_last_strides_2d.
std::optional<bool> LikeChannelsLast(const ir::Value& tensor);

// Several elements of a tensor are one in memory.
std::optional<bool> Overlaps(const ir::Graph& graph, const ir::Dims& sizes, const ir::Dims& strides);

// `reshape` of `tensor` to the sizes of `shape` is a view and no copy.
// Source: aten/src/ATen/TensorUtils.cpp, computeStride.
std::optional<bool> CanView(const ir::Graph& graph, const ir::Value& tensor, const ir::Value& shape);

}  // namespace onnxport::functionalize

#endif  // ONNXPORT_RUNTIME_TRACE_FUNCTIONALIZE_STRIDES_H_
