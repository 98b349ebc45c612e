#include "runtime/sources/torch/shape_function.h"

#include <torch/csrc/jit/ir/ir.h>
#include <torch/csrc/jit/runtime/interpreter.h>
#include <torch/csrc/jit/runtime/symbolic_shape_registry.h>

#include <map>
#include <mutex>
#include <string>

namespace onnxport::torch_export {
namespace {

using c10::IValue;

// Compiled once. LibTorch finds a function by the schema object with which it was registered.
const torch::jit::Code* CodeOf(const c10::FunctionSchema& schema) {
  static std::mutex mutex;
  static std::map<std::string, torch::jit::Code> codes;
  const std::scoped_lock lock(mutex);
  if (codes.empty()) {
    for (const c10::FunctionSchema* known : torch::jit::RegisteredShapeComputeSchemas()) {
      const auto graph = torch::jit::shapeComputeGraphForSchema(*known);
      if (graph) codes.emplace(c10::toString(known->operator_name()), torch::jit::Code((*graph)->copy(), "sizes"));
    }
  }
  const auto found = codes.find(c10::toString(schema.operator_name()));
  return found == codes.end() ? nullptr : &found->second;
}

// Replaces tensors by their sizes; other values stay unchanged.
IValue SizesIn(const IValue& value) {
  if (value.isTensor()) return value.toTensor().defined() ? IValue(value.toTensor().sizes().vec()) : IValue();
  if (!value.isTensorList()) return value;
  c10::impl::GenericList sizes(c10::ListType::ofInts());
  for (const at::Tensor& tensor : value.toTensorVector()) sizes.push_back(tensor.sizes().vec());
  return sizes;
}

}  // namespace

std::optional<std::vector<std::vector<int64_t>>> ResultSizes(const c10::FunctionSchema& schema,
                                                             std::span<const IValue> arguments) {
  const torch::jit::Code* code = CodeOf(schema);
  if (code == nullptr || code->num_inputs() > arguments.size()) return std::nullopt;
  torch::jit::Stack stack;
  // A shape function may lack the last arguments, if sizes do not depend on them.
  for (const IValue& argument : arguments.first(code->num_inputs())) stack.push_back(SizesIn(argument));
  torch::jit::InterpreterState(*code).run(stack);
  if (stack.size() == 1 && stack[0].isTuple()) {
    const std::vector<IValue> elements = std::move(*stack[0].toTuple()).elements().vec();
    // A function with several results returns one tuple.
    stack = elements;
  }
  std::vector<std::vector<int64_t>> sizes;
  for (const IValue& result : stack) {
    if (!result.isIntList()) return std::nullopt;
    sizes.push_back(result.toIntVector());
  }
  return sizes;
}

}  // namespace onnxport::torch_export
