#include "runtime/lowering/dsl/context.h"

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <set>

#include "runtime/lowering/build/emitter.h"
#include "runtime/lowering/build/tensor.h"
#include "runtime/lowering/dsl/placement.h"

namespace onnxport::lowering {
namespace {

// Returns the value of the condition; nothing if it is known only at run time.
std::optional<bool> Answer(Emitter* emitter, FunctionRef<bool()> condition) {
  const Blocks::OfQuestion dropped(&emitter->blocks());
  try {
    return condition();
  } catch (const Refusal& refusal) {
    if (refusal.kind() != Refusal::Kind::kNotDecided) throw;
    return std::nullopt;
  }
}

// Nothing where the list cannot be told. Throws Refusal for what is no list of sizes.
std::optional<ir::Dims> StatedDims(FunctionRef<Val()> sizes) {
  Val list;
  try {
    list = sizes();
  } catch (const Refusal&) {
    return std::nullopt;
  }
  ir::Dims dims;
  for (const Val& size : list.AsList()) {
    const bool computed = size.is_tensor() && IsScalar(size.AsTensor()) && dtype(size) == DType::kInt64;
    if (!size.is_number() && !computed) throw Refusal(fmt::format("{} is no size", size.ToString()));
    dims.push_back(SizeOf(size).value_or(ir::Dim()));
  }
  return dims;
}

void CheckStated(const std::optional<ir::Dims>& known, const ir::Dims& stated, const Emitter& emitter) {
  if (!known) return;
  bool differs = known->size() != stated.size();
  for (size_t i = 0; !differs && i < stated.size(); ++i) {
    differs = NeverEqual((*known)[i], stated[i], emitter);
  }
  if (differs) throw Refusal(Code::kSizesDoNotFit, "the sizes that the spec states are not those of its nodes");
}

}  // namespace

Context::Context(Emitter* emitter, Vals args)
    : emitter_(emitter), args_(std::move(args)), outer_(emitter->compute_in()) {
  // Each entry has its own clause. If another entry calls it, it must not be computed in the caller's dtypes.
  emitter_->compute_in() = {};
}

Context::~Context() { emitter_->compute_in() = outer_; }

void Context::compute_in(const ComputeIn& dtypes) { emitter_->compute_in() = dtypes; }

int Context::opset() const { return emitter_->opset(); }

Val Context::op(std::string_view op, const Inputs& inputs, const NamedArgs& named) {
  return Tensor{emitter_, EmitPlaced(emitter_, op, inputs, named, 1)[0]};
}

Val Context::op(std::string_view op, std::initializer_list<Input> inputs, std::initializer_list<Named> named) {
  return Tensor{emitter_, EmitPlaced(emitter_, op, inputs, named, 1)[0]};
}

Val Context::ops(std::string_view op, const Inputs& inputs, const NamedArgs& named, const Val& outputs) {
  const int64_t count = outputs.AsInt();
  if (count < 1) throw Refusal(fmt::format("ONNX {} with {} results", op, count));
  Vals results;
  for (const ir::ValueId id : EmitPlaced(emitter_, op, inputs, named, static_cast<size_t>(count))) {
    results.push_back(Tensor{emitter_, id});
  }
  return results;
}

Val Context::axis(const char* name, const Val& value, const Val& tensor) {
  if (value.is_none()) return value;
  try {
    return normal_axis(value, rank(tensor));
  } catch (const Refusal& refusal) {
    throw refusal.Of(name);
  }
}

Val Context::axis_list(const char* name, const Val& value, const Val& tensor) {
  if (value.is_none()) return value;
  const Val list = value.is_list() ? value : Val(Vals{value});
  const Val axes = Map(list, [&](const Val& element) { return axis(name, element, tensor); });
  // PyTorch refuses it, and the behaviour of ONNX's nodes is undefined.
  std::set<int64_t> seen;
  for (const Val& element : axes.AsList()) {
    if (element.is_int() && !seen.insert(element.AsInt()).second) {
      throw Refusal(fmt::format("{} names one axis twice: {}", name, value.ToString()));
    }
  }
  return axes;
}

void must(const char* name, const Val& value, const Val& expected) {
  if (value != expected) {
    throw Refusal(fmt::format("{} must be {}, is {}", name, expected.ToString(), value.ToString()));
  }
}

Val one_of(const char* name, const Val& value, std::initializer_list<std::pair<Val, Val>> table) {
  std::string known;
  for (const auto& [key, meaning] : table) {
    if (key == value) return meaning;
    if (!known.empty()) known += ", ";
    known += key.ToString();
  }
  throw Refusal(Code::kRefusedBySpec, fmt::format("{} is {}; only {} can be exported", name, value.ToString(), known));
}

void require(bool condition, const char* text) {
  if (!condition) throw Refusal(Code::kRefusedBySpec, fmt::format("only exported if {}", text));
}

void no_case(std::initializer_list<const char*> conditions) {
  std::string text = "no case of the spec fits; one of these would have to hold: ";
  bool first = true;
  for (const char* condition : conditions) {
    if (!first) text += "; ";
    first = false;
    text += condition;
  }
  throw Refusal(Code::kRefusedBySpec, text);
}

Val Context::constant(const Val& value, const Val& like) {
  const DType target = like.is_dtype() ? like.AsDType() : dtype(like).AsDType();
  if (value.is_tensor()) return cast(value, target);
  if (!is_static(value)) return cast(shape_tensor(value), target);
  return Tensor{emitter_, emitter_->Constant(value, target)};
}

std::optional<bool> Context::stated(FunctionRef<bool()> condition) {
  const Assumptions::AsStated as_stated(&emitter_->assumptions());
  return Answer(emitter_, condition);
}

bool Context::statically_true(FunctionRef<bool()> condition) { return stated(condition).value_or(false); }

bool Context::decided(FunctionRef<bool()> condition) { return Answer(emitter_, condition).has_value(); }

Val Context::sized(const Val& tensor, FunctionRef<Val()> sizes) {
  const ir::ValueId id = tensor.AsTensor().id;
  // Nodes that compute a stated size are no part of the model, and they assume nothing.
  const Assumptions::AsStated as_stated(&emitter_->assumptions());
  ir::Value stated;
  {
    const Blocks::OfQuestion dropped(&emitter_->blocks());
    stated.dims = StatedDims(sizes);
  }
  if (!stated.dims) return tensor;
  CheckStated(emitter_->value(id).dims, *stated.dims, *emitter_);
  emitter_->Refine(id, stated);
  return tensor;
}

Val Context::shape_tensor(const Val& list) { return Tensor{emitter_, emitter_->sizes().List(list.AsList())}; }

bool Context::has_domain(const Val& name) const { return emitter_->choices().domains.contains(name.AsText()); }

bool Context::keeps_training() const { return emitter_->choices().training; }

bool Context::keeps(const Val& name) const { return emitter_->choices().kept.contains(name.AsText()); }

}  // namespace onnxport::lowering
