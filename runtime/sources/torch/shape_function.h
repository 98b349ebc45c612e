// LibTorch's shape functions: sizes of results from sizes of arguments, written in TorchScript for its own analyses.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCH_SHAPE_FUNCTION_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCH_SHAPE_FUNCTION_H_

#include <ATen/core/function_schema.h>
#include <ATen/core/ivalue.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace onnxport::torch_export {

// The sizes of each result of the operator; nothing where LibTorch has no such function. Throws c10::Error, and what
// else LibTorch throws, for arguments that the operator would not take.
std::optional<std::vector<std::vector<int64_t>>> ResultSizes(const c10::FunctionSchema& schema,
                                                             std::span<const c10::IValue> arguments);

}  // namespace onnxport::torch_export

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCH_SHAPE_FUNCTION_H_
