// Axes as nodes number them.
#ifndef ONNXPORT_RUNTIME_ONNX_AXIS_H_
#define ONNXPORT_RUNTIME_ONNX_AXIS_H_

#include <cstddef>
#include <cstdint>

namespace onnxport::onnx_ops {

// Counts an axis from the front: -1 is the last one.
inline int64_t FromFront(int64_t axis, size_t rank) { return axis < 0 ? axis + static_cast<int64_t>(rank) : axis; }

// Returns true if `axis`, counted from the front, exists.
inline bool IsAxis(int64_t axis, size_t rank) { return axis >= 0 && axis < static_cast<int64_t>(rank); }

}  // namespace onnxport::onnx_ops

#endif  // ONNXPORT_RUNTIME_ONNX_AXIS_H_
