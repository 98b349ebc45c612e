#include "runtime/verify/program/machine.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_strided.h>
#include <c10/core/TensorOptions.h>
#include <fmt/format.h>

#include <cstring>
#include <map>
#include <span>
#include <stdexcept>
#include <string>

#include "runtime/base/error.h"
#include "runtime/base/refusal.h"
#include "runtime/ir/location.h"
#include "runtime/verify/program/torch_call.h"
#include "runtime/verify/program/torch_values.h"
#include "runtime/verify/report/cannot_compare.h"

namespace onnxport::verify {
namespace {

using c10::IValue;

at::Tensor Load(const ir::TensorData& data) {
  at::Tensor tensor = at::empty(data.shape, at::TensorOptions().dtype(ScalarTypeOf(data.dtype)));
  auto* to = static_cast<std::byte*>(tensor.mutable_data_ptr());
  data.bytes->Stream([&to](std::span<const std::byte> piece) {
    std::memcpy(to, piece.data(), piece.size());
    to += piece.size();
  });
  return tensor;
}

// The layout that the program had: what views a tensor depends on it.
at::Tensor WithStrides(const at::Tensor& tensor, const Rare<ir::Dims>& stated) {
  if (!stated) return tensor;
  std::vector<int64_t> strides;
  for (const ir::Dim& stride : *stated) {
    // An expanded weight (stride 0) has one element for many, and copying into it is refused by PyTorch.
    if (!stride.is_number() || stride.number() == 0) return tensor;
    strides.push_back(stride.number());
  }
  if (strides.size() != static_cast<size_t>(tensor.dim()) || tensor.strides() == strides) return tensor;
  at::Tensor laid_out = at::empty_strided(tensor.sizes(), strides, tensor.options());
  laid_out.copy_(tensor);
  return laid_out;
}

// Lists lie flat.
void AddResults(const IValue& value, std::vector<IValue>* results) {
  if (!value.isList() && !value.isTuple()) return results->push_back(value);
  if (value.isTuple()) {
    for (const IValue& element : value.toTupleRef().elements()) AddResults(element, results);
  } else {
    for (const IValue& element : value.toListRef()) AddResults(element, results);
  }
}

// A call of the user's own operator may name its arguments; else they are in the schema's order.
const ir::Arg* Given(const ir::Node& call, const c10::Argument& argument, size_t position) {
  if (call.attributes.empty()) return position < call.inputs.size() ? &call.inputs[position] : nullptr;
  for (size_t i = 0; i < call.attributes.size(); ++i) {
    if (call.attributes[i].name == argument.name()) return &call.inputs.at(i);
  }
  return nullptr;
}

}  // namespace

std::string WhereOf(const ir::Graph& program, const ir::Node& call) {
  const ir::Location& at = program.location(call.location);
  const CallSite site{.module = std::string(ir::ModulePath(at)),
                      .file = at.file(),
                      .line = at.line(),
                      .code = at.code(),
                      .node = at.op_name};
  return site.Text();
}

void Machine::LoadWeights() {
  std::map<const ir::TensorData*, at::Tensor> loaded;  // tied ones are one tensor
  for (const ir::Weight& weight : program_.weights) {
    at::Tensor& tensor = loaded[weight.data.get()];
    if (!tensor.defined()) tensor = WithStrides(Load(*weight.data), program_.value(weight.value).strides);
    Set(weight.value, tensor);
  }
}

IValue Machine::Make(const ir::Arg& arg) const {
  if (const ir::ValueId* id = arg.value()) return Get(*id);
  if (const auto* number = std::get_if<int64_t>(&arg.v)) return *number;
  if (const auto* number = std::get_if<double>(&arg.v)) return *number;
  if (const auto* flag = std::get_if<bool>(&arg.v)) return *flag;
  if (arg.is_none()) return {};
  throw Refusal("a graph takes or gives what is neither a tensor nor a number");
}

Machine::Values Machine::MakeAll(const std::vector<ir::Arg>& args) const {
  Values values;
  for (const ir::Arg& arg : args) values.push_back(Make(arg));
  return values;
}

Machine::Values Machine::CallOperator(const ir::Node& call) {
  const Operator op = FindOperator(call.op);
  Values stack;
  for (const c10::Argument& argument : op.schema->arguments()) {
    // Every argument of the schema needs a value on the stack, also those that newer releases of PyTorch have added
    // behind the ones that the file knows: their defaults.
    const ir::Arg* given = Given(call, argument, stack.size());
    if (given == nullptr && !argument.default_value()) {
      throw Refusal("nothing is given for `" + argument.name() + "`");
    }
    stack.push_back(given == nullptr
                        ? *argument.default_value()
                        : MakeArgument(*given, argument.real_type(), [this](ir::ValueId id) { return Get(id); }));
  }
  op.run(stack);
  Values results;
  for (const IValue& value : stack) AddResults(value, &results);
  return results;
}

Machine::Values Machine::Call(const ir::Node& call) {
  if (call.op.text().starts_with("higher_order::")) return CallHigherOrder(call);
  if (const auto instruction = call.op.instruction()) return {Compute(*instruction, MakeAll(call.inputs))};
  return CallOperator(call);
}

void Machine::Run(const std::vector<ir::Node>& calls, const Watcher& watcher) {
  for (const ir::Node& call : calls) {
    try {
      Values results = Call(call);
      if (results.size() < call.outputs.size()) throw Refusal("another number of results than the file has");
      // Before the next call, which may write to what this one gave (`add_`).
      if (watcher) watcher(call, results);
      for (size_t i = 0; i < call.outputs.size(); ++i) {
        if (call.outputs[i] != ir::ValueId::kNone) Set(call.outputs[i], std::move(results[i]));
      }
    } catch (const Error&) {
      throw;
    } catch (const c10::Error& error) {
      throw CannotCompare(
          fmt::format("PyTorch: {} ({}): {}", call.op, WhereOf(program_, call), error.what_without_backtrace()));
    } catch (const Refusal& error) {
      throw CannotCompare(fmt::format("PyTorch: {} ({}): {}", call.op, WhereOf(program_, call), error.what()));
    }
  }
}

Machine::Values Machine::RunBlock(const ir::Block& block, const Values& inputs) {
  for (size_t i = 0; i < block.inputs.size(); ++i) {
    if (block.inputs[i] != ir::ValueId::kNone) Set(block.inputs[i], inputs.at(i));
  }
  Run(block.nodes, {});
  return MakeAll(block.outputs);
}

}  // namespace onnxport::verify
