// Conversions: between kinds of numbers, texts and tensors of one element, and of tensors to lists.
#include <charconv>
#include <cmath>

#include "runtime/sources/torchscript/interpret/builtins/call_site.h"

namespace onnxport::torchscript {
namespace conversions {
namespace {

// Returns the number of a tensor with one element; other values unchanged.
Value Element(const CallSite& call) {
  const Value x = Plain(call.At(0));
  return x.As<Tensor>() != nullptr ? ItemOf(call, x) : x;
}

std::optional<Value> IntOfText(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\n+"), end = text.find_last_not_of(" \t\n");
  int64_t value = 0;
  if (begin == std::string_view::npos) return std::nullopt;
  const auto [stop, code] = std::from_chars(text.data() + begin, text.data() + end + 1, value);
  return code == std::errc() && stop == text.data() + end + 1 ? std::optional<Value>(Value{value}) : std::nullopt;
}

std::optional<Value> Int(const CallSite& call) {
  if (const auto* text = call.As<std::string>(0)) {
    if (const std::optional<Value> value = IntOfText(*text)) return value;
    throw Refusal::Raised("invalid literal for int(): '" + *text + "'");
  }
  const Value x = Element(call);
  if (!IsNumber(x)) return std::nullopt;
  if (const auto* d = x.As<double>()) return TruncatedInt(std::trunc(*d));
  if (const auto* b = x.As<bool>()) return Value{static_cast<int64_t>(*b)};
  const auto* number = x.As<Number>();
  const bool stays = number == nullptr || call.tracer->TypeOf(number->id).kind == ir::ValueKind::kInt;
  return stays ? x : call.Arithmetic(ir::Instruction::kTrunc, {x});
}

std::optional<Value> Float(const CallSite& call) {
  if (const auto* text = call.As<std::string>(0)) {
    double value = 0;
    const auto [stop, code] = std::from_chars(text->data(), text->data() + text->size(), value);
    if (code == std::errc() && stop == text->data() + text->size()) return Value{value};
    throw Refusal::Raised("could not convert string to float: '" + *text + "'");
  }
  const Value x = Element(call);
  if (!IsNumber(x)) return std::nullopt;
  if (IsKnownNumber(x)) return Value{AsDouble(x)};
  const bool stays = call.tracer->TypeOf(x.As<Number>()->id).kind == ir::ValueKind::kFloat;
  return stays ? x : call.Arithmetic(ir::Instruction::kFloat, {x});
}

std::optional<Value> Bool(const CallSite& call) {
  const Value x = Element(call);
  if (!IsNumber(x)) return std::nullopt;
  if (IsKnownNumber(x)) return Value{AsDouble(x) != 0};
  const bool stays = call.tracer->TypeOf(x.As<Number>()->id).kind == ir::ValueKind::kBool;
  return stays ? x : call.Arithmetic(ir::Instruction::kNe, {x, Value{int64_t{0}}});
}

std::optional<Value> Item(const CallSite& call) {
  const Value x = Element(call);
  return IsNumber(x) ? std::optional<Value>(x) : std::nullopt;
}

// ---- tensors as lists

constexpr int64_t kMaxListed = 4096;  // largest tensor whose elements become separate numbers

Value Listed(const CallSite& call, const Value& tensor, size_t depth, int64_t* count) {
  const ir::Value& type = call.tracer->TypeOf(tensor.As<Tensor>()->id);
  if (!type.dims) throw Refusal("the rank of the tensor is not known");
  if (type.dims->empty()) return ItemOf(call, tensor);
  const ir::DType dtype = type.dtype;
  const size_t rank = type.dims->size();
  const Type element{ir::IsFloat(dtype) ? "float" : dtype == ir::DType::kBool ? "bool" : "int", {}};
  const Value size = SizeOf(call, tensor, 0);
  const CellPtr list = call.heap->NewList({}, rank == 1 ? element : Type{});
  const auto* known = size.As<int64_t>();
  if (known == nullptr) {
    if (rank > 1 || depth > 0) throw Refusal("lists in lists whose length is known only at run time");
    const Value copy = call.Run("aten::clone", {{tensor.As<Tensor>()->id}, {ir::None{}}});
    call.heap->Edit(list).stacked = copy.As<Tensor>()->id;
    return {list};
  }
  if ((*count += *known) > kMaxListed) throw Refusal("a list of so many numbers");
  for (int64_t i = 0; i < *known; ++i) {
    const Value part = call.Run("aten::select.int", {{tensor.As<Tensor>()->id}, {int64_t{0}}, {i}});
    Value item = Listed(call, part, depth + 1, count);
    call.heap->Edit(list).items.push_back(std::move(item));
  }
  return {list};
}

std::optional<Value> ToList(const CallSite& call) {
  if (call.As<Tensor>(0) == nullptr) return std::nullopt;
  call.CheckUsable(call.As<Tensor>(0)->id);
  int64_t count = 0;
  return Listed(call, call.At(0), 0, &count);
}

constexpr BuiltinRow kRows[] = {
    {"aten::Int", Int},
    {"aten::IntImplicit", Int},
    {"aten::Float", Float},
    {"aten::FloatImplicit", Float},
    {"aten::Bool", Bool},
    {"aten::is_nonzero", Bool},
    {"aten::item", Item},
    {"aten::ScalarImplicit", Item},
    {"aten::_local_scalar_dense", Item},
    {"aten::tolist", ToList},
    {"aten::_tensor_to_list", ToList},
};

}  // namespace
}  // namespace conversions

std::span<const BuiltinRow> ConversionBuiltins() { return conversions::kRows; }

Value TruncatedInt(double value) {
  if (!(std::abs(value) < 9.2e18)) throw Refusal::Raised("cannot convert " + Str({value}) + " to an int");
  return {static_cast<int64_t>(value)};
}

}  // namespace onnxport::torchscript
