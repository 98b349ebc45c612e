// Arguments of a call of LibTorch as those of a call in a graph.
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

// The tensor in the graph: a value, or a number where LibTorch wrapped one.
using TensorArg = std::function<ir::Arg(const at::Tensor&)>;

// One for each argument that `op` has in aten_schema.h, by its name; for other operators one for each of `schema`.
// Throws Error (kCannotExport) for what a graph cannot hold.
std::vector<ir::Arg> ArgsOf(const std::string& op, const c10::FunctionSchema& schema,
                            std::span<const c10::IValue> values, const TensorArg& tensor_arg);

// Calls `visit` with each tensor in it that is defined: in lists, tuples and dicts too.
void VisitTensors(const c10::IValue& value, const std::function<void(const at::Tensor&)>& visit);

}  // namespace onnxport::torch_export

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCH_ARGUMENTS_H_
