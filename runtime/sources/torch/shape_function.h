// Calls LibTorch's shape functions, which compute sizes of results from sizes of arguments. They are in TorchScript.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCH_SHAPE_FUNCTION_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCH_SHAPE_FUNCTION_H_

#include <ATen/core/function_schema.h>
#include <ATen/core/ivalue.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace onnxport::torch_export {

// Returns the sizes of each result of the operator; nothing if LibTorch has no shape function. Throws c10::Error, or
// another exception of LibTorch, for arguments that the operator does not accept.
std::optional<std::vector<std::vector<int64_t>>> ResultSizes(const c10::FunctionSchema& schema,
                                                             std::span<const c10::IValue> arguments);

}  // namespace onnxport::torch_export

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCH_SHAPE_FUNCTION_H_
