#include "runtime/sources/torch/recorder.h"

#include <ATen/core/Tensor.h>
#include <ATen/core/enum_tag.h>
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "runtime/aten/aten_schema.h"
#include "runtime/base/error.h"
#include "runtime/base/interruption.h"
#include "runtime/base/refusal.h"
#include "runtime/ir/location.h"
#include "runtime/sources/torch/arguments.h"
#include "runtime/sources/torch/interceptor.h"
#include "runtime/sources/torch/known_operator.h"
#include "runtime/sources/torch/place.h"
#include "runtime/sources/torch/tensor_memory.h"
#include "runtime/sources/torch/without_memory.h"
#include "runtime/trace/functionalize/twins.h"

namespace onnxport::torch_export {
namespace {

using c10::IValue;
using ir::Arg;
using ir::ValueId;

bool IsComposite(const c10::OperatorHandle& op) {
  return op.hasKernelForDispatchKey(c10::DispatchKey::CompositeImplicitAutograd);
}

bool IsWritten(const c10::Argument& argument) {
  return argument.alias_info() != nullptr && argument.alias_info()->isWrite();
}

bool HoldsTensors(const c10::TypePtr& type) {
  if (const auto* list = type->castRaw<c10::ListType>()) return HoldsTensors(list->getElementType());
  if (const auto* optional = type->castRaw<c10::OptionalType>()) return HoldsTensors(optional->getElementType());
  return type->kind() == c10::TypeKind::TensorType;
}

bool GivesTensors(const c10::FunctionSchema& schema) {
  const auto holds_tensors = [](const c10::Argument& argument) { return HoldsTensors(argument.type()); };
  return std::ranges::any_of(schema.returns(), holds_tensors) || std::ranges::any_of(schema.arguments(), IsWritten);
}

// It writes to nothing, and each result may share memory with an argument.
bool GivesViews(const c10::FunctionSchema& schema) {
  const auto shares = [](const c10::Argument& result) { return result.alias_info() != nullptr; };
  return !schema.is_mutable() && std::ranges::all_of(schema.returns(), shares);
}

// "conv2d" of "aten::conv2d.padding".
std::string PlainName(std::string_view name) {
  name.remove_prefix(name.rfind(':') + 1);
  return std::string(name.substr(0, name.find('.')));
}

// Its result holds whatever its memory held before.
// A hash of the result of `at::empty` would be one of what was there by chance. A program that fills it by pointer with
// the same bytes would then look as if it had not: see Memory::Mark.
bool LeavesContentsOpen(std::string_view name) {
  static constexpr std::string_view kOperators[] = {"_empty_affine_quantized",
                                                    "_empty_per_channel_affine_quantized",
                                                    "empty",
                                                    "empty_like",
                                                    "empty_permuted",
                                                    "empty_quantized",
                                                    "empty_strided",
                                                    "new_empty",
                                                    "new_empty_strided"};
  return name.starts_with("aten::") && std::ranges::find(kOperators, PlainName(name)) != std::end(kOperators);
}

}  // namespace

RunRecorder::RunRecorder(const NamedTensors& parameters, const NamedTensors& buffers, bool weights_vary,
                         const ir::Graph* seen, PlacesOfCalls* asked)
    : seen_(seen), asked_(asked) {
  for (const NamedTensors* tensors : {&parameters, &buffers}) {
    for (const auto& [name, tensor] : *tensors) {
      if (!tensor.defined() || !tensor.has_storage()) continue;
      registered_.emplace(PlaceOf(tensor), name);
      memory_.NoteOld(tensor, weights_vary ? kOtherThings : kNothing);
      if (tensors == &buffers) buffers_.emplace(tensor.storage().unsafeGetStorageImpl(), name);
    }
  }
}

ValueId RunRecorder::AddValue(ir::Value type, std::string_view name) {
  type.name = std::string(name);
  return graph_.AddValue(std::move(type));
}

void RunRecorder::AddInput(const std::string& name, const at::Tensor& tensor) {
  const ValueId id = AddValue(TypeOf(tensor), name);
  graph_.inputs.push_back({name, {id}});
  graph_.body.inputs.push_back(id);
  memory_.NoteOld(tensor, OnInput(graph_.inputs.size() - 1));
  threads_.Watch(tensor);
  Bind(tensor, id);
}

namespace {

// The arguments that the call writes to without saying so in its schema. The positions are those of the schema that is
// compiled in, so the linked LibTorch, which made the call, must have the same arguments.
std::vector<size_t> UnmarkedWritesOf(const c10::FunctionSchema& linked, const ir::Node& call) {
  const ir::AtenSchema* known = ir::FindAtenSchema(call.op);
  if (known == nullptr) return {};
  std::vector<size_t> unmarked = functionalize::UnmarkedWrites(*known, call.inputs);
  const auto same = [](const c10::Argument& a, const ir::AtenArgument& b) { return a.name() == b.name; };
  if (!unmarked.empty() && !std::ranges::equal(linked.arguments(), known->arguments, same)) {
    throw Error(
        Code::kUnsupportedCall,
        fmt::format("{} has other arguments in this LibTorch than in that which onnxport knows", call.op.text()));
  }
  return unmarked;
}

}  // namespace

void RunRecorder::KeepState(const c10::FunctionSchema& schema, const ir::Node& call, std::span<const IValue> values) {
  const bool known = ir::FindAtenSchema(call.op) != nullptr;
  // Some operators write to running statistics without saying so in their schema.
  const std::vector<size_t> unmarked = UnmarkedWritesOf(schema, call);
  for (size_t i = 0; i < values.size(); ++i) {
    const bool written = IsWritten(schema.arguments()[i]) || std::ranges::find(unmarked, i) != unmarked.end();
    VisitTensors(values[i], [&](const at::Tensor& tensor) {
      // Memory that the run made goes with it; only older memory is put back.
      if (!tensor.has_storage() || memory_.IsMade(tensor)) return;
      const bool may_be = !known && buffers_.contains(tensor.storage().unsafeGetStorageImpl());
      if (written || may_be) state_.Keep(tensor);
    });
  }
}

DependsOn RunRecorder::VaryAny(std::span<const IValue> values) const {
  DependsOn on = kNothing;
  for (const IValue& value : values) {
    VisitTensors(value, [&](const at::Tensor& tensor) { on |= memory_.Varies(tensor); });
  }
  return on;
}

void RunRecorder::NoteWrites(const c10::FunctionSchema& schema, const ir::Node& call, std::span<const IValue> values,
                             DependsOn on) {
  const std::vector<size_t> unmarked = UnmarkedWritesOf(schema, call);
  for (size_t i = 0; i < values.size(); ++i) {
    if (!IsWritten(schema.arguments()[i]) && std::ranges::find(unmarked, i) == unmarked.end()) continue;
    VisitTensors(values[i], [&](const at::Tensor& tensor) {
      memory_.NoteMade(tensor, on);
      if (on != kNothing) threads_.Watch(tensor);
    });
  }
}

// C++ modules are not called through LibTorch, so the only trace of one is the name of a parameter: `conv1` of
// `conv1.weight`.
std::string RunRecorder::ModuleOf(const ir::Node& call) const {
  for (const Arg& input : call.inputs) {
    if (input.value() == nullptr) continue;
    const auto found = weight_names_.find(static_cast<int32_t>(*input.value()));
    if (found == weight_names_.end()) continue;
    const size_t dot = found->second.rfind('.');
    return dot == std::string::npos ? "" : found->second.substr(0, dot);
  }
  return "";
}

void RunRecorder::Fail(Code code, const std::string& op, const std::string& reason) {
  const std::string place = PlaceInProgram();
  recording_.failures.push_back({.code = code,
                                 .op = op,
                                 .calls = 1,
                                 .reason = place.empty() ? reason : fmt::format("{} (in {})", reason, place),
                                 .opset = 0,
                                 .spec = {},
                                 .sites = {}});
}

void RunRecorder::Ask(const c10::OperatorHandle& op, const std::string& name, std::span<const IValue> values,
                      Stack* stack) {
  if (!op.hasTag(at::Tag::data_dependent_output) || VaryAny(values) == kNothing) return Make(op, values, stack);
  // A tensor is compared with itself or with one of another shape: the values do not matter.
  std::vector<at::Tensor> tensors;
  for (const IValue& value : values) VisitTensors(value, [&](const at::Tensor& tensor) { tensors.push_back(tensor); });
  const bool same = tensors.size() == 2 && tensors[0].is_same(tensors[1]);
  if (same || (tensors.size() == 2 && tensors[0].sizes() != tensors[1].sizes())) {
    const auto& returns = op.schema().returns();
    const bool compares = returns.size() == 1 && returns[0].type()->kind() == c10::TypeKind::BoolType;
    if (!compares || !AnyWithoutMemory(values)) return Make(op, values, stack);
    torch::jit::drop(*stack, values.size());
    stack->emplace_back(same);
    return;
  }
  Fail(Code::kNotDecided, name,
       "the program asks for a value that each run computes anew, and goes on with the number: a model has no such "
       "number. Compute with tensors instead (torch::where), or make the number one of the module's");
  Make(op, values, stack);
}

void RunRecorder::Make(const c10::OperatorHandle& op, std::span<const IValue> values, Stack* stack) {
  const OtherThreads::AtWork at_work(&threads_);
  if (!AnyWithoutMemory(values)) {
    op.callBoxed(stack);
    return CloseMemory(std::span(*stack).last(op.schema().returns().size()));
  }
  try {
    const Seen seen = [&] { return SeenAt(c10::toString(op.operator_name())); };
    CallWithoutMemory(op, stack, seen_ != nullptr ? &seen : nullptr);
  } catch (...) {
    recording_.needed_values = true;
    throw;
  }
}

std::vector<const ir::Value*> RunRecorder::SeenAt(const std::string& name) const {
  const std::vector<ir::Node>& calls = seen_->body.nodes;
  const size_t place = graph_.body.nodes.size();
  if (place >= calls.size() || calls[place].op != name)
    throw Refusal::NotDecided("the run with values did not call " + name);
  std::vector<const ir::Value*> results;
  for (const ValueId id : calls[place].outputs) results.push_back(id == ValueId::kNone ? nullptr : &seen_->value(id));
  return results;
}

void RunRecorder::Call(const c10::OperatorHandle& op, c10::DispatchKeySet keys, Stack* stack) {
  Interruption::Check();
  const c10::FunctionSchema& schema = op.schema();
  const std::string name = c10::toString(op.operator_name());
  const bool gives_tensors = GivesTensors(schema);
  // Its parts come back to Call one by one. A known operator is taken whole: `linear`, and not `t` and `addmm`. Among
  // those that give no tensor, only a question for values is of interest (`equal`, `item`).
  if (IsComposite(op) && (gives_tensors ? !IsKnownOperator(name) : !op.hasTag(at::Tag::data_dependent_output))) {
    return op.redispatchBoxed(keys & c10::DispatchKeySet(c10::DispatchKeySet::FULL_AFTER, kInterceptKey), stack);
  }
  const NotIntercepted below;
  const std::vector<IValue> values(stack->end() - static_cast<std::ptrdiff_t>(schema.arguments().size()), stack->end());
  if (!gives_tensors) return Ask(op, name, values, stack);
  ir::Node node;
  node.op = name;
  unchecked_.clear();
  try {
    const bool views = GivesViews(schema);
    node.inputs = ArgsOf(name, schema, values, [&](const at::Tensor& tensor) { return ArgOf(tensor, views); });
  } catch (const Error& error) {
    const std::string place = PlaceInProgram();
    throw error.Behind(place.empty() ? name + ": " : fmt::format("{} (in {}): ", name, place));
  }
  if (ir::FindAtenSchema(name) == nullptr) NoteUnknown(schema, &node);
  // The order counts. State is copied before the call may write to it. Dependencies of the result are asked before
  // writes change the answer. Memory is noted after the call, with the bytes that it holds then. Results come last, as
  // they may lie in memory that was written to.
  KeepState(schema, node, values);
  const DependsOn on = VaryAny(values) | (op.hasTag(at::Tag::nondeterministic_seeded) ? kOtherThings : kNothing);
  Make(op, values, stack);
  NoteWrites(schema, node, values, on);
  const std::vector<IValue> results(stack->end() - static_cast<std::ptrdiff_t>(schema.returns().size()), stack->end());
  CheckCopied(results);
  BindResults(schema, results, on, &node);
  if (on != kNothing && op.hasTag(at::Tag::dynamic_output_shape)) recording_.values_decide_sizes = true;
  AddNode(std::move(node), PlainName(name));
  ForgetDead();
}

// Nobody but LibTorch knows it: what its arguments are called is needed if the user makes it a node.
void RunRecorder::NoteUnknown(const c10::FunctionSchema& schema, ir::Node* node) {
  for (const c10::Argument& argument : schema.arguments()) node->attributes.push_back({argument.name(), {}});
  if (schema.is_mutable())
    Fail(Code::kUnsupportedOperator, node->op, "it writes to its arguments, and no spec says how to export it");
}

void RunRecorder::AddNode(ir::Node node, const std::string& name) {
  std::string module = ModuleOf(node);
  std::string call = fmt::format("{}_{}", name, graph_.body.nodes.size());
  if (asked_ != nullptr) {
    if (const auto found = asked_->find(call); found != asked_->end()) found->second = PlaceInProgram();
  }
  node.location = graph_.AddLocation(
      {.module = module.empty() ? nullptr : std::make_shared<const ir::ModuleCall>(std::move(module)),
       .op_name = std::move(call)});
  graph_.body.nodes.push_back(std::move(node));
}

void RunRecorder::BindResult(const at::Tensor& tensor, DependsOn on, const std::string& name, ir::Node* node) {
  memory_.NoteResult(tensor, on);
  if (on != kNothing) threads_.Watch(tensor);
  const ValueId id = AddValue(TypeOf(tensor), name);
  Bind(tensor, id);
  node->outputs.push_back(id);
}

void RunRecorder::BindResults(const c10::FunctionSchema& schema, std::span<const IValue> results, DependsOn on,
                              ir::Node* node) {
  const auto bind = [&](const IValue& result) {
    if (!result.isTensor() || !result.toTensor().defined()) return node->outputs.push_back(ValueId::kNone);
    const at::Tensor& tensor = result.toTensor();
    if (!memory_.IsMade(tensor) && LeavesContentsOpen(node->op)) Memory::Mark(tensor);
    BindResult(tensor, on, PlainName(node->op), node);
  };
  for (size_t i = 0; i < results.size(); ++i) {
    if (schema.returns()[i].type()->kind() == c10::TypeKind::ListType && results[i].isList()) {
      for (const IValue& item : results[i].toListRef()) bind(item);
    } else {
      bind(results[i]);
    }
  }
}

void RunRecorder::AddOutput(const std::string& name, const IValue& value) {
  const c10::Argument argument(name, c10::AnyType::get());
  const c10::FunctionSchema schema("output", "", {argument}, {});
  const std::vector<Arg> args =
      ArgsOf("", schema, std::span(&value, 1), [this](const at::Tensor& tensor) { return ArgOf(tensor); });
  outputs_ |= VaryAny(std::span(&value, 1));
  graph_.outputs.push_back({name, args.at(0)});
  graph_.body.outputs.push_back(args.at(0));
}

Recording RunRecorder::Finish() {
  // First: constants that the program wrote to by operators have their bytes again, and what then differs was written
  // by something else.
  state_.Restore();
  CheckConstants();
  for (size_t i = 0; i < graph_.inputs.size(); ++i) {
    if ((outputs_ & OnInput(i)) == kNothing) recording_.unused.push_back(graph_.inputs[i].name);
  }
  recording_.graph = std::move(graph_);
  return std::move(recording_);
}

}  // namespace onnxport::torch_export
