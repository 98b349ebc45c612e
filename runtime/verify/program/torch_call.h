// Calls of a graph as calls of LibTorch.
#ifndef ONNXPORT_RUNTIME_VERIFY_PROGRAM_TORCH_CALL_H_
#define ONNXPORT_RUNTIME_VERIFY_PROGRAM_TORCH_CALL_H_

#include <ATen/core/function_schema.h>
#include <ATen/core/ivalue.h>
#include <ATen/core/stack.h>

#include <functional>
#include <string>

#include "runtime/ir/graph.h"

namespace onnxport::verify {

// Looks up a value of the graph.
using ValueOf = std::function<c10::IValue(ir::ValueId)>;

// An argument of that type. Devices are the CPU, whatever the program says.
c10::IValue MakeArgument(const ir::Arg& arg, const c10::TypePtr& type, const ValueOf& value_of);

// Some overloads are known to TorchScript only (aten::split with sizes, index.Tensor_hacked_twin).
struct Operator {
  const c10::FunctionSchema* schema;
  std::function<void(torch::jit::Stack&)> run;
};

// "aten::add.Tensor". Throws std::runtime_error for one that nothing has registered.
Operator FindOperator(const std::string& overload);

}  // namespace onnxport::verify

#endif  // ONNXPORT_RUNTIME_VERIFY_PROGRAM_TORCH_CALL_H_
