// Messages about a free axis that would not stay free.
#ifndef ONNXPORT_RUNTIME_ONNX_SIZE_REFUSALS_H_
#define ONNXPORT_RUNTIME_ONNX_SIZE_REFUSALS_H_

#include <cstdint>
#include <string>

#include "runtime/ir/graph.h"

namespace onnxport::onnx_ops {

// "[batch, 3]"
std::string Text(const ir::Dims& dims);

// "axis `batch` of `x`": the axes of inputs that make up the size; empty if there are none.
std::string AxesOf(const ir::Graph& graph, const ir::Dim& size);

// Tells how to make such a size known.
inline constexpr const char* kGiveTheSize = "give the size itself instead of a name if that is meant";

// Tells how to make any other argument known.
inline constexpr const char* kGiveTheValue = "use a constant, or in a .pt a parameter with a value (<<inputs: n=5>>)";

// Refuses because `free` would have to be `number`, which fixes its symbols. `how` names the cause.
[[noreturn]] void RefuseFixed(const ir::Graph& graph, const ir::Dim& free, int64_t number, const std::string& how);
// Does the same if no number is known.
[[noreturn]] void RefuseFixed(const ir::Graph& graph, const std::string& symbol, const std::string& how);

}  // namespace onnxport::onnx_ops

#endif  // ONNXPORT_RUNTIME_ONNX_SIZE_REFUSALS_H_
