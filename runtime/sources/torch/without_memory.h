// Calls of operators on tensors without memory (of LibTorch's meta device): their results have types, and no values.
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

// Whose memory nobody can ask for: reading it through a pointer throws.
at::Tensor WithoutMemory(at::IntArrayRef sizes, at::IntArrayRef strides, at::ScalarType dtype);
// Returns a tensor of the same type.
at::Tensor WithoutMemory(const at::Tensor& tensor);

// Returns true if any tensor in `values` has none.
bool AnyWithoutMemory(std::span<const c10::IValue> values);

// Those of them that have none throw when they are read through a pointer: it would be null.
void CloseMemory(std::span<const c10::IValue> values);

// Makes the call that stands on the stack, some of whose tensors have no memory. Where LibTorch has no kernel for that,
// its shape function says the sizes. Dtype and order of the axes in memory are those of `seen`, the results of a run
// with values at the same call. Without such a run (null), or a shape function, the call is made with zeros, which take
// the memory of this call.
//
// Throws Refusal (kNotDecided), as a run without memory cannot go on:
// - when LibTorch cannot say the type,
// - when values are written to a tensor that has memory,
// - when a value is asked for.
using Seen = std::function<std::vector<const ir::Value*>()>;
void CallWithoutMemory(const c10::OperatorHandle& op, std::vector<c10::IValue>* stack, const Seen* seen);

}  // namespace onnxport::torch_export

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCH_WITHOUT_MEMORY_H_
