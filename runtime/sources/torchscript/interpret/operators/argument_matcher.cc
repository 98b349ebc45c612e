// Decides if an overload takes a value, and converts it to the argument. Code of an archive does not name overloads:
// LibTorch chose one by the types of the arguments, and this must choose the same. So it follows LibTorch's rules, in
// passes. First come values that fit unchanged, then those that LibTorch converts, last an int for a float.
#include "runtime/sources/torchscript/interpret/operators/argument_matcher.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "runtime/ir/scalar_type.h"
#include "runtime/sources/torchscript/interpret/values/values.h"

namespace onnxport::torchscript {
namespace {

using ir::AtenKind;
using ir::AtenType;
using ir::ValueKind;

enum class Kind : uint8_t { kNone, kBool, kInt, kFloat, kString, kWord, kTensor, kComplex, kOther };

constexpr std::string_view kMemoryFormats[] = {"contiguous_format", "preserve_format", "channels_last",
                                               "channels_last_3d"};
constexpr std::string_view kLayouts[] = {"strided", "sparse_coo", "sparse_csr", "_mkldnn"};

// A new kind of value does not compile until it has a row here.
struct KindIn {
  const trace::Tracer* tracer;

  Kind operator()(const None&) const { return Kind::kNone; }
  Kind operator()(bool) const { return Kind::kBool; }
  Kind operator()(int64_t) const { return Kind::kInt; }
  Kind operator()(double) const { return Kind::kFloat; }
  Kind operator()(const Text&) const { return Kind::kString; }
  Kind operator()(const ir::DType&) const { return Kind::kInt; }
  Kind operator()(const ir::Word&) const { return Kind::kWord; }
  Kind operator()(const Tensor&) const { return Kind::kTensor; }
  Kind operator()(const Number& number) const {
    const ValueKind kind = tracer->TypeOf(number.id).kind;
    return kind == ValueKind::kFloat ? Kind::kFloat : kind == ValueKind::kBool ? Kind::kBool : Kind::kInt;
  }
  Kind operator()(const Complex&) const { return Kind::kComplex; }
  Kind operator()(const CellPtr&) const { return Kind::kOther; }
  Kind operator()(const TuplePtr&) const { return Kind::kOther; }
  Kind operator()(const EnumValue&) const { return Kind::kOther; }
  Kind operator()(const FunctionValue&) const { return Kind::kOther; }
  Kind operator()(const Missing&) const { return Kind::kOther; }
};

Kind KindOf(const Value& value, const trace::Tracer* tracer) { return std::visit(KindIn{tracer}, value.v); }

// `[]` of a known element type.
bool FitsEmpty(const AtenType& type, const Type& element) {
  if (element.name.empty()) return true;
  static constexpr std::pair<std::string_view, AtenKind> kElements[] = {
      {"Tensor", AtenKind::kTensor}, {"int", AtenKind::kInt},   {"int", AtenKind::kSymInt},
      {"float", AtenKind::kFloat},   {"bool", AtenKind::kBool}, {"str", AtenKind::kString},
      {"number", AtenKind::kScalar}};
  const std::string_view name = element.Is("Optional") && !element.args.empty() ? element.args[0].name : element.name;
  return std::any_of(std::begin(kElements), std::end(kElements),
                     [&](const auto& row) { return row.first == name && row.second == type.kind; });
}

// In the code, dtypes, layouts and memory formats are ints.
std::optional<ir::Arg> NamedNumber(AtenKind kind, const Value& value) {
  if (value.As<ir::Word>() != nullptr && kind != AtenKind::kScalarType) return ToScalarArg(value);
  if (value.As<ir::DType>() != nullptr && kind == AtenKind::kScalarType) return ToScalarArg(value);
  const auto* number = value.As<int64_t>();
  if (number == nullptr) return std::nullopt;
  if (kind == AtenKind::kScalarType) {
    const std::optional<ir::DType> dtype = ir::DTypeOfScalarType(*number);
    return dtype ? std::optional<ir::Arg>(ir::Arg{*dtype}) : std::nullopt;
  }
  const auto index = static_cast<size_t>(*number);
  if (kind == AtenKind::kLayout && index < std::size(kLayouts)) return ir::Arg{ir::Word{std::string(kLayouts[index])}};
  if (kind == AtenKind::kMemoryFormat && index < std::size(kMemoryFormats)) {
    return ir::Arg{ir::Word{std::string(kMemoryFormats[index])}};
  }
  return std::nullopt;
}

}  // namespace

bool ArgumentMatcher::Takes(const AtenType& type, const Value& value, bool is_last) const {
  // None first, because it has no kind of its own: it fits optional arguments only.
  if (value.is_none()) return type.optional || type.text == "NoneType";
  if (!type.list) return TakesOne(type, value);
  if (const auto* tuple = value.As<TuplePtr>()) return TakesAll(type, (*tuple)->items);
  if (const CellPtr* list = AsList(value)) return TakesList(type, **list);
  // By its schema, `int[2] stride` also takes one number, for both. The last list may be given without brackets:
  // `x.view(2, 3)`.
  return (type.list_size.has_value() || is_last) && IsElement(type, value);
}

ir::Arg ArgumentMatcher::Convert(const AtenType& type, const Value& value) const {
  if (value.is_none()) return {ir::None{}};
  if (!type.list) return ConvertOne(type, value);
  if (const auto* tuple = value.As<TuplePtr>()) return ConvertAll(type, (*tuple)->items);
  if (const CellPtr* list = AsList(value)) return ConvertList(type, **list);
  return {ir::ArgList(std::clamp(type.list_size.value_or(1), 1, 16), ConvertOne(type, value))};
}

bool ArgumentMatcher::IsElement(const AtenType& type, const Value& value) const {
  const Kind kind = KindOf(value, tracer_);
  return kind == Kind::kFloat ? type.kind == AtenKind::kFloat
                              : kind == Kind::kInt && (type.kind == AtenKind::kInt || type.kind == AtenKind::kSymInt);
}

bool ArgumentMatcher::TakesOne(const AtenType& type, const Value& value) const {
  const Kind kind = KindOf(value, tracer_);
  const bool converts = pass_ != Pass::kAsIs;
  // Where a number is wanted, LibTorch reads it from a tensor, or takes a bool. It tries both after all other
  // overloads.
  const bool is_convertible = converts && (kind == Kind::kBool || kind == Kind::kTensor);
  switch (type.kind) {
    case AtenKind::kTensor:
      return kind == Kind::kTensor;
    case AtenKind::kInt:
    case AtenKind::kSymInt:
      return kind == Kind::kInt || is_convertible;
    case AtenKind::kFloat:
      return kind == Kind::kFloat || is_convertible || (pass_ == Pass::kIntAsFloat && kind == Kind::kInt);
    case AtenKind::kScalar:
      return kind == Kind::kInt || kind == Kind::kFloat || kind == Kind::kComplex || is_convertible;
    case AtenKind::kBool:
      return kind == Kind::kBool;
    case AtenKind::kString:
      return kind == Kind::kString;
    case AtenKind::kScalarType:
    case AtenKind::kLayout:
    case AtenKind::kMemoryFormat:
      return NamedNumber(type.kind, value).has_value();
    case AtenKind::kDevice:
      return kind == Kind::kWord || (converts && kind == Kind::kString);
    case AtenKind::kGenerator:
    case AtenKind::kOther:
      return false;
  }
  return false;
}

bool ArgumentMatcher::TakesAll(const AtenType& type, const ValueList& items) const {
  if (type.kind == AtenKind::kOther) return false;
  return std::all_of(items.begin(), items.end(),
                     [&](const Value& item) { return item.is_none() ? type.optional_elements : TakesOne(type, item); });
}

bool ArgumentMatcher::TakesList(const AtenType& type, const Cell& list) const {
  if (list.is_dynamic())
    return type.kind == AtenKind::kTensor && (list.element.name.empty() || list.element.Is("Tensor"));
  if (list.items.empty()) return type.kind != AtenKind::kOther && FitsEmpty(type, list.element);
  return TakesAll(type, list.items);
}

ir::Arg ArgumentMatcher::ConvertOne(const AtenType& type, const Value& value) const {
  if (type.kind == AtenKind::kTensor) return {value.As<Tensor>()->id};
  if (type.kind == AtenKind::kScalarType || type.kind == AtenKind::kLayout || type.kind == AtenKind::kMemoryFormat) {
    return *NamedNumber(type.kind, value);
  }
  if (type.kind == AtenKind::kDevice && value.As<std::string>() != nullptr) {
    return {ir::Word{*value.As<std::string>()}};
  }
  const bool is_int = type.kind == AtenKind::kInt || type.kind == AtenKind::kSymInt;
  if (is_int || type.kind == AtenKind::kFloat || type.kind == AtenKind::kScalar) {
    return ConvertNumber(type.kind == AtenKind::kFloat, is_int, value);
  }
  return *ToScalarArg(value);
}

ir::Arg ArgumentMatcher::ConvertNumber(bool to_float, bool to_int, const Value& value) const {
  const Kind kind = KindOf(value, tracer_);
  if (kind == Kind::kTensor) {
    return FromRun(tracer_->Call("aten::item", {{value.As<Tensor>()->id}}).at(0), to_float, to_int);
  }
  if (const auto* number = value.As<Number>()) {
    const bool stays = kind == Kind::kFloat || (kind == Kind::kInt && !to_float);
    return stays ? ir::Arg{number->id} : FromRun({number->id}, to_float, true);
  }
  if (kind == Kind::kComplex) return *ToScalarArg(value);
  if (to_float) return {AsDouble(value)};
  if (value.As<bool>() != nullptr) return {static_cast<int64_t>(*value.As<bool>())};
  return *ToScalarArg(Plain(value));
}

ir::Arg ArgumentMatcher::FromRun(const ir::Arg& number, bool to_float, bool to_int) const {
  if (to_float) return tracer_->Call(ir::Instruction::kFloat, {number}).at(0);
  return to_int ? tracer_->Call(ir::Instruction::kTrunc, {number}).at(0) : number;
}

ir::Arg ArgumentMatcher::ConvertAll(const AtenType& type, const ValueList& items) const {
  ir::ArgList args;
  args.reserve(items.size());
  for (const Value& item : items) args.push_back(item.is_none() ? ir::Arg{ir::None{}} : ConvertOne(type, item));
  return {std::move(args)};
}

ir::Arg ArgumentMatcher::ConvertList(const AtenType& type, const Cell& list) const {
  if (list.sequence != ir::ValueId::kNone) return {list.sequence};
  if (list.stacked != ir::ValueId::kNone) return tracer_->Call(ir::Instruction::kSequenceSplit, {{list.stacked}}).at(0);
  return ConvertAll(type, list.items);
}

}  // namespace onnxport::torchscript
