// Calls operators with tensors without memory (LibTorch's meta device): the results have types but no values.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCH_WITHOUT_MEMORY_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCH_WITHOUT_MEMORY_H_

#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/ivalue.h>

#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "runtime/ir/graph.h"

namespace onnxport::torch_export {

// Returns a tensor without memory. To read it through a pointer throws.
at::Tensor WithoutMemory(at::IntArrayRef sizes, at::IntArrayRef strides, at::ScalarType dtype);
// Returns a tensor of the same type.
at::Tensor WithoutMemory(const at::Tensor& tensor);

// Returns true if any tensor in `values` has no memory.
bool AnyWithoutMemory(std::span<const c10::IValue> values);

// Makes tensors without memory throw when they are read through a pointer, which would be null.
void CloseMemory(std::span<const c10::IValue> values);

// Makes the call on the stack, some of whose tensors have no memory. If LibTorch has no kernel for that, its shape
// function computes the sizes. The dtype and the memory order of the axes are those of `seen`, the results of the same
// call in a run with values. Without such a run (null), or without a shape function, the call is made with zeros, which
// needs the memory for this call.
//
// Throws Refusal (kNotDecided), because a run without memory cannot go on:
// - if LibTorch cannot tell the type,
// - if values are written to a tensor with memory,
// - if the program reads a value.
using Seen = std::function<std::vector<const ir::Value*>()>;
void CallWithoutMemory(const c10::OperatorHandle& op, std::vector<c10::IValue>* stack, const Seen* seen);

}  // namespace onnxport::torch_export

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCH_WITHOUT_MEMORY_H_
