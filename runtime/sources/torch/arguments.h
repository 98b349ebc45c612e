// Converts the arguments of a LibTorch call to those of a call in a graph.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCH_ARGUMENTS_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCH_ARGUMENTS_H_

#include <ATen/core/Tensor.h>
#include <ATen/core/function_schema.h>
#include <ATen/core/ivalue.h>

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "runtime/ir/graph.h"

namespace onnxport::torch_export {

// Returns the graph's argument for a tensor: a value, or a number that LibTorch wrapped in a tensor.
using TensorArg = std::function<ir::Arg(const at::Tensor&)>;

// Returns one for each argument of `op` in aten_schema.h, matched by name. For other operators, one for each argument
// of `schema`. Throws Error (kCannotExport) for an argument that a graph cannot hold.
std::vector<ir::Arg> ArgsOf(const std::string& op, const c10::FunctionSchema& schema,
                            std::span<const c10::IValue> values, const TensorArg& tensor_arg);

// Calls `visit` with each defined tensor in the value, also in lists, tuples and dicts.
void VisitTensors(const c10::IValue& value, const std::function<void(const at::Tensor&)>& visit);

}  // namespace onnxport::torch_export

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCH_ARGUMENTS_H_
