#include "runtime/lowering/dsl/placement.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/lowering/build/constants.h"
#include "runtime/lowering/build/emitter.h"
#include "runtime/lowering/build/tensor.h"
#include "runtime/lowering/dsl/attributes.h"
#include "runtime/lowering/dsl/reshape_target.h"
#include "runtime/lowering/dsl/slice_bounds.h"

namespace onnxport::lowering {
namespace {

using ir::DType;
using ir::ValueId;

// Inputs that are 1-d even if the spec gives one number, because in older opsets they are list attributes.
bool IsListInput(std::string_view op, std::string_view name) {
  constexpr std::string_view kNames[] = {"axes",  "starts",  "ends",  "steps", "pads",
                                         "shape", "repeats", "sizes", "scales"};
  return std::ranges::find(kNames, name) != std::end(kNames) || (op == "TopK" && name == "K");
}

Vals Flatten(std::span<const Input> inputs) {
  Vals flat;
  flat.reserve(inputs.size());
  for (const Input& input : inputs) {
    if (input.splat) {
      flat.insert(flat.end(), input.value.AsList().begin(), input.value.AsList().end());
    } else {
      flat.push_back(input.value);
    }
  }
  return flat;
}

// The arguments in their places in the schema of this opset.
struct Arguments {
  Vals inputs;
  NamedArgs attributes;
};

void PlaceInput(const OpInfo& op, int opset, size_t positional, const Named& arg, Vals* inputs) {
  const int found = op.FindInput(arg.name);
  if (found < 0)
    throw Refusal(Code::kNotAtThisOpset,
                  fmt::format("ONNX {} of opset {} has no argument {}", op.name, opset, arg.name));
  const auto position = static_cast<size_t>(found);
  // An input given by position and by name: one of the two would be lost.
  if (position < positional) throw Refusal(fmt::format("ONNX {} is given its input {} twice", op.name, arg.name));
  inputs->resize(std::max(inputs->size(), position + 1));
  (*inputs)[position] = arg.value;
}

Arguments Arrange(const OpInfo& op, int opset, std::span<const Input> inputs, std::span<const Named> named) {
  Arguments arranged{.inputs = Flatten(inputs), .attributes = {}};
  const size_t positional = arranged.inputs.size();
  for (const Named& arg : named) {
    if (op.FindAttribute(arg.name)) {
      arranged.attributes.push_back(arg);
    } else {
      PlaceInput(op, opset, positional, arg, &arranged.inputs);
    }
  }
  // ONNX omits trailing inputs. A None in the middle stays, as an input without a name.
  while (!arranged.inputs.empty() && arranged.inputs.back().is_none()) arranged.inputs.pop_back();
  return arranged;
}

constexpr int kCastOfBFloat16 = 13;

// Builds one node.
//
// Each step of Emit needs the earlier ones. Lists come first, because a list binds variables differently than a number
// of the spec. Tensors bind the type variables before host values do: in `x + 1` the 1 has the dtype of `x`, and its
// own dtype only if no tensor decides. When all of a variable is bound, the dtype of the computation can be chosen.
// Only then can constants be made, in that dtype, which saves a Cast of each.
class Placement {
 public:
  Placement(Emitter* emitter, const OpInfo& op, Vals inputs)
      : emitter_(*emitter),
        op_(op),
        inputs_(std::move(inputs)),
        bound_(op.variables.size(), DType::kUndefined),
        target_(bound_),
        is_sequence_(op.variables.size()) {}

  std::vector<ValueId> Emit(const NamedArgs& attributes, size_t outputs) {
    CheckCount();
    MakeLists();
    MakeSequences();
    BindTensors();
    BindHostValues();
    for (size_t v = 0; v < bound_.size(); ++v) ChooseTarget(v);
    std::vector<ir::Arg> args;
    args.reserve(inputs_.size());
    for (size_t i = 0; i < inputs_.size(); ++i) args.push_back(Place(i));
    std::vector<ValueId> results =
        emitter_.AddNode(op_, std::move(args), ToAttributes(&emitter_, op_, attributes), outputs);
    for (size_t i = 0; i < results.size(); ++i) results[i] = CastBack(i, results[i]);
    return results;
  }

 private:
  void CheckCount() {
    const size_t count = inputs_.size();
    if (static_cast<int>(count) < op_.min_inputs || static_cast<int>(count) > op_.max_inputs) {
      throw Refusal(Code::kBreaksOnnx, fmt::format("ONNX {} of opset {} takes {} to {} inputs, not {}", op_.name,
                                                   emitter_.opset(), op_.min_inputs, op_.max_inputs, count));
    }
    for (size_t i = 0; i < count; ++i) {
      const FormalParameter& formal = *op_.input(i);
      if (inputs_[i].is_none() && !formal.optional) {
        throw Refusal(Code::kBreaksOnnx, fmt::format("ONNX {} needs its input {}", op_.name, formal.name));
      }
    }
  }

  void MakeLists() {
    for (size_t i = 0; i < inputs_.size(); ++i) {
      Val& input = inputs_[i];
      const bool scalar = input.is_number() || (input.is_tensor() && IsScalar(input.AsTensor()));
      if (scalar && IsListInput(op_.name, op_.input(i)->name)) input = Vals{input};
    }
  }

  // A host list becomes a sequence if the operator accepts nothing else.
  void MakeSequences() {
    for (size_t i = 0; i < inputs_.size(); ++i) {
      const auto v = static_cast<size_t>(op_.input(i)->variable);
      if (inputs_[i].is_list() && op_.variables[v].only_sequences()) {
        const Input elements[] = {Splat(inputs_[i])};
        inputs_[i] = Tensor{&emitter_, EmitPlaced(&emitter_, "SequenceConstruct", elements, {}, 1)[0]};
      }
    }
  }

  // The type variable of input i; a heterogeneous variadic input has none.
  DType* Variable(std::vector<DType>* dtypes, const FormalParameter& formal) {
    return formal.variadic && !formal.homogeneous ? nullptr : &(*dtypes)[static_cast<size_t>(formal.variable)];
  }

  void BindTensors() {
    for (size_t i = 0; i < inputs_.size(); ++i) {
      DType* bound = Variable(&bound_, *op_.input(i));
      const bool unknown_sizes = inputs_[i].is_list() && !is_static(inputs_[i]);
      if (!bound || (!inputs_[i].is_tensor() && !unknown_sizes)) continue;
      const DType seen = unknown_sizes ? DType::kInt64 : ValueOf(inputs_[i].AsTensor()).dtype;
      // A list of sizes takes the dtype of the other inputs.
      if (unknown_sizes && *bound != DType::kUndefined) continue;
      if (*bound != DType::kUndefined && *bound != seen) {
        throw Refusal(Code::kBreaksOnnx, fmt::format("ONNX {} needs inputs of one dtype, has {} and {}", op_.name,
                                                     ir::Name(*bound), ir::Name(seen)));
      }
      *bound = seen;
      if (is_sequence(inputs_[i])) is_sequence_[static_cast<size_t>(op_.input(i)->variable)] = true;
    }
  }

  void BindHostValues() {
    std::vector<DType> defaults(bound_.size(), DType::kUndefined);
    for (size_t i = 0; i < inputs_.size(); ++i) {
      const Val& input = inputs_[i];
      if (!input.is_number() && !input.is_list()) continue;
      const auto v = static_cast<size_t>(op_.input(i)->variable);
      const DType kind = is_static(input) ? DefaultDType(input) : DType::kInt64;
      defaults[v] = defaults[v] == DType::kUndefined ? kind : ir::Promote(defaults[v], kind);
    }
    for (size_t v = 0; v < bound_.size(); ++v) {
      if (bound_[v] != DType::kUndefined || defaults[v] == DType::kUndefined) continue;
      const ir::DTypeSet& allowed = op_.variables[v].allowed;
      // If the schema allows only one dtype, it decides. Otherwise Python's types decide: 1 is int64, 1.0 is float32.
      // If only floats are allowed, as for Sqrt, an integer of the spec was meant as a float.
      if (allowed.single()) {
        bound_[v] = allowed.first();
      } else {
        bound_[v] = allowed.Has(defaults[v]) || !allowed.Has(DType::kFloat32) ? defaults[v] : DType::kFloat32;
      }
    }
  }

  // Many operators got bfloat16 long after Cast did. PyTorch's kernels also compute it in float32 and round. This is
  // not done if the dtype of a result does not follow from a type variable, as in RandomNormalLike.
  bool HasBFloat16() const {
    const auto follows = [&](const FormalParameter& output) {
      const auto v = static_cast<size_t>(output.variable);
      return bound_[v] != DType::kUndefined || op_.variables[v].allowed.single();
    };
    return emitter_.opset() >= kCastOfBFloat16 && std::ranges::all_of(op_.outputs, follows);
  }

  // The dtype in which another one is computed; kUndefined: none.
  DType ComputedIn(DType dtype) const {
    const ComputeIn& dtypes = emitter_.compute_in();
    if (dtype == DType::kBool) return dtypes.boolean;
    if (dtype == DType::kBFloat16 && dtypes.half == DType::kUndefined && HasBFloat16()) return DType::kFloat32;
    if (dtype == DType::kFloat16 || dtype == DType::kBFloat16) return dtypes.half;
    if (dtype == DType::kFloat64) return dtypes.float64;
    return ir::IsInt(dtype) ? dtypes.integers : DType::kUndefined;
  }

  void ChooseTarget(size_t v) {
    const TypeVariable& variable = op_.variables[v];
    target_[v] = bound_[v];
    const bool sequence = is_sequence_[v];
    // The emitter knows which operators have a form for them.
    if (ir::IsComplex(bound_[v]) && !sequence) return;
    if (bound_[v] == DType::kUndefined || (sequence ? variable.sequences : variable.allowed).Has(bound_[v])) return;
    if (sequence) {
      throw Refusal(fmt::format("ONNX {} of opset {} takes no list of {} tensors of unknown length", op_.name,
                                emitter_.opset(), ir::Name(bound_[v])));
    }
    target_[v] = ComputedIn(bound_[v]);
    // Not the nearest dtype, but only the one that the entry (or the rule for bfloat16) allows, because another one
    // rounds differently. The author of the entry knows if PyTorch still computes the same.
    if (target_[v] != DType::kUndefined && variable.allowed.Has(target_[v])) return;
    throw Refusal(Code::kDTypeIsNotTaken,
                  fmt::format("ONNX {} of opset {} does not take {}; it takes {}", op_.name, emitter_.opset(),
                              ir::Name(bound_[v]), variable.allowed.ToString()));
  }

  ir::Arg Place(size_t i) {
    const Val& input = inputs_[i];
    if (input.is_none()) return {};
    const FormalParameter& formal = *op_.input(i);
    if (input.is_tensor()) {
      const DType* target = Variable(&target_, formal);
      return {target ? emitter_.Cast(input.AsTensor().id, *target) : input.AsTensor().id};
    }
    if (!input.is_number() && !input.is_list()) {
      throw Refusal(fmt::format("{} is no value for input {} of ONNX {}", input.ToString(), formal.name, op_.name));
    }
    const DType* target = Variable(&target_, formal);
    const DType dtype = target ? *target : DefaultDType(input);
    if (is_static(input)) return {emitter_.Constant(input, dtype)};
    return {emitter_.Cast(emitter_.sizes().List(input.AsList()), dtype)};
  }

  ValueId CastBack(size_t i, ValueId result) {
    const FormalParameter* formal = op_.output(i);
    if (!formal) return result;
    const auto v = static_cast<size_t>(formal->variable);
    return target_[v] == bound_[v] ? result : emitter_.Cast(result, bound_[v]);
  }

  Emitter& emitter_;
  const OpInfo& op_;
  Vals inputs_;
  std::vector<DType> bound_;   // per type variable: the dtype of the inputs
  std::vector<DType> target_;  // and the dtype to which they are cast
  std::vector<bool> is_sequence_;
};

}  // namespace

std::vector<ValueId> EmitPlaced(Emitter* emitter, std::string_view op, std::span<const Input> inputs,
                                std::span<const Named> named, size_t outputs) {
  const OpInfo& info = emitter->Op(op);
  if (static_cast<int>(outputs) > info.max_outputs) {
    throw Refusal(
        fmt::format("ONNX {} of opset {} has {} results, not {}", op, emitter->opset(), info.max_outputs, outputs));
  }
  Arguments arguments = Arrange(info, emitter->opset(), inputs, named);
  // While arguments are still host values: a number here is a shape that ONNX's inference can read.
  ir::Dims sizes;
  if (op == "Reshape") sizes = SetReshapeTarget(&arguments.inputs, &arguments.attributes);
  if (op == "Slice") SimplifySliceBounds(&arguments.inputs, &arguments.attributes);
  std::vector<ValueId> results =
      Placement(emitter, info, std::move(arguments.inputs)).Emit(arguments.attributes, outputs);
  if (sizes.empty()) return results;
  ir::Value asked;
  asked.dims = std::move(sizes);
  emitter->Refine(results[0], asked);
  return results;
}

Val EmitOn(std::string_view op, const Inputs& operands) {
  const auto found = std::ranges::find_if(operands, [](const Input& operand) { return operand.value.is_tensor(); });
  Emitter* emitter = found->value.AsTensor().emitter;
  return Tensor{emitter, EmitPlaced(emitter, op, operands, {}, 1)[0]};
}

}  // namespace onnxport::lowering
