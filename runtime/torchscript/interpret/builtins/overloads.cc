#include "runtime/torchscript/interpret/builtins/overloads.h"

#include <algorithm>
#include <optional>
#include <string_view>

namespace onnxport::torchscript {
namespace {

using ir::AtenArgument;
using ir::AtenKind;
using ir::AtenSchema;
using ir::AtenType;
using ir::ValueKind;

// What an argument may be turned into.
enum class Pass : uint8_t { kAsIs, kConverting, kIntAsFloat };

constexpr std::string_view kMemoryFormats[] = {"contiguous_format", "preserve_format", "channels_last",
                                               "channels_last_3d"};
constexpr std::string_view kLayouts[] = {"strided", "sparse_coo", "sparse_csr", "_mkldnn"};

enum class Kind : uint8_t { kNone, kBool, kInt, kFloat, kString, kWord, kTensor, kComplex, kOther };

class Matcher {
 public:
  Matcher(trace::Tracer* tracer, Pass pass) : tracer_(tracer), pass_(pass) {}

  // `is_last`: of the positional ones, where `zeros(2)` is `zeros([2])`.
  bool Takes(const AtenType& type, const Value& value, bool is_last) const {
    if (value.is_none()) return type.optional || type.text == "NoneType";
    if (!type.list) return TakesOne(type, value);
    if (const auto* tuple = value.As<TuplePtr>()) return TakesAll(type, (*tuple)->items);
    if (const CellPtr* list = AsList(value)) return TakesList(type, **list);
    return (type.list_size.has_value() || is_last) && IsElement(type, value);
  }

  ir::Arg Convert(const AtenType& type, const Value& value) const {
    if (value.is_none()) return {ir::None{}};
    if (!type.list) return ConvertOne(type, value);
    if (const auto* tuple = value.As<TuplePtr>()) return ConvertAll(type, (*tuple)->items);
    if (const CellPtr* list = AsList(value)) return ConvertList(type, **list);
    return {ir::ArgList(std::clamp(type.list_size.value_or(1), 1, 16), ConvertOne(type, value))};
  }

 private:
  Kind KindOf(const Value& value) const {
    if (const auto* number = value.As<Number>()) {
      const ValueKind kind = tracer_->TypeOf(number->id).kind;
      return kind == ValueKind::kFloat ? Kind::kFloat : kind == ValueKind::kBool ? Kind::kBool : Kind::kInt;
    }
    if (value.As<Complex>() != nullptr) return Kind::kComplex;
    static constexpr Kind kKinds[] = {Kind::kNone,   Kind::kBool, Kind::kInt,  Kind::kFloat,
                                      Kind::kString, Kind::kInt,  Kind::kWord, Kind::kTensor};
    return value.v.index() < std::size(kKinds) ? kKinds[value.v.index()] : Kind::kOther;
  }

  // A number that stands for a list of it: exactly the element's type.
  bool IsElement(const AtenType& type, const Value& value) const {
    const Kind kind = KindOf(value);
    return kind == Kind::kFloat ? type.kind == AtenKind::kFloat
                                : kind == Kind::kInt && (type.kind == AtenKind::kInt || type.kind == AtenKind::kSymInt);
  }

  bool TakesOne(const AtenType& type, const Value& value) const {
    const Kind kind = KindOf(value);
    const bool converts = pass_ != Pass::kAsIs;
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

  bool TakesAll(const AtenType& type, const ValueList& items) const {
    if (type.kind == AtenKind::kOther) return false;
    return std::all_of(items.begin(), items.end(), [&](const Value& item) {
      return item.is_none() ? type.optional_elements : TakesOne(type, item);
    });
  }

  bool TakesList(const AtenType& type, const Cell& list) const {
    if (list.is_dynamic())
      return type.kind == AtenKind::kTensor && (list.element.name.empty() || list.element.Is("Tensor"));
    if (list.items.empty()) return type.kind != AtenKind::kOther && FitsEmpty(type, list.element);
    return TakesAll(type, list.items);
  }

  // `[]` of a known element type.
  static bool FitsEmpty(const AtenType& type, const Type& element) {
    if (element.name.empty()) return true;
    static constexpr std::pair<std::string_view, AtenKind> kElements[] = {
        {"Tensor", AtenKind::kTensor}, {"int", AtenKind::kInt},   {"int", AtenKind::kSymInt},
        {"float", AtenKind::kFloat},   {"bool", AtenKind::kBool}, {"str", AtenKind::kString},
        {"number", AtenKind::kScalar}};
    const std::string_view name = element.Is("Optional") && !element.args.empty() ? element.args[0].name : element.name;
    return std::any_of(std::begin(kElements), std::end(kElements),
                       [&](const auto& row) { return row.first == name && row.second == type.kind; });
  }

  // Dtypes, layouts and memory formats are ints in code.
  static std::optional<ir::Arg> NamedNumber(AtenKind kind, const Value& value) {
    if (value.As<ir::Word>() != nullptr && kind != AtenKind::kScalarType) return ToScalarArg(value);
    if (value.As<ir::DType>() != nullptr && kind == AtenKind::kScalarType) return ToScalarArg(value);
    const auto* number = value.As<int64_t>();
    if (number == nullptr) return std::nullopt;
    if (kind == AtenKind::kScalarType) {
      const std::optional<ir::DType> dtype = DTypeOfNumber(*number);
      return dtype ? std::optional<ir::Arg>(ir::Arg{*dtype}) : std::nullopt;
    }
    const auto index = static_cast<size_t>(*number);
    if (kind == AtenKind::kLayout && index < std::size(kLayouts))
      return ir::Arg{ir::Word{std::string(kLayouts[index])}};
    if (kind == AtenKind::kMemoryFormat && index < std::size(kMemoryFormats)) {
      return ir::Arg{ir::Word{std::string(kMemoryFormats[index])}};
    }
    return std::nullopt;
  }

  ir::Arg ConvertOne(const AtenType& type, const Value& value) const {
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

  ir::Arg ConvertNumber(bool to_float, bool to_int, const Value& value) const {
    const Kind kind = KindOf(value);
    if (kind == Kind::kTensor) {
      return FromRun(tracer_->Call("aten::item", {{value.As<Tensor>()->id}}).at(0), to_float, to_int);
    }
    if (const auto* number = value.As<Number>()) {
      const bool stays = kind == Kind::kFloat || (kind == Kind::kInt && !to_float);
      return stays ? ir::Arg{number->id} : FromRun({number->id}, to_float, true);
    }
    if (kind == Kind::kComplex) return *ToScalarArg(value);
    if (to_float) return {torchscript::AsDouble(value)};
    if (value.As<bool>() != nullptr) return {static_cast<int64_t>(*value.As<bool>())};
    return *ToScalarArg(Plain(value));
  }

  ir::Arg FromRun(const ir::Arg& number, bool to_float, bool to_int) const {
    if (to_float) return tracer_->Call(ir::Instruction::kFloat, {number}).at(0);
    return to_int ? tracer_->Call(ir::Instruction::kTrunc, {number}).at(0) : number;
  }

  ir::Arg ConvertAll(const AtenType& type, const ValueList& items) const {
    ir::ArgList args;
    args.reserve(items.size());
    for (const Value& item : items) args.push_back(item.is_none() ? ir::Arg{ir::None{}} : ConvertOne(type, item));
    return {std::move(args)};
  }

  ir::Arg ConvertList(const AtenType& type, const Cell& list) const {
    if (list.sequence != ir::ValueId::kNone) return {list.sequence};
    if (list.stacked != ir::ValueId::kNone)
      return tracer_->Call(ir::Instruction::kSequenceSplit, {{list.stacked}}).at(0);
    return ConvertAll(type, list.items);
  }

  trace::Tracer* tracer_;
  Pass pass_;
};

// The value of each argument as the call gives it; null: its default. Nothing when the shape of the call does not fit.
std::optional<std::vector<const Value*>> Bind(const AtenSchema& schema, const CallArguments& call) {
  std::vector<const Value*> bound(schema.arguments.size(), nullptr);
  if (call.positional.size() > bound.size()) return std::nullopt;
  for (size_t i = 0; i < call.positional.size(); ++i) {
    if (schema.arguments[i].keyword_only) return std::nullopt;
    bound[i] = &call.positional[i];
  }
  for (const auto& [name, value] : call.keywords) {
    const int index = schema.FindArgument(name);
    if (index < 0 || bound[index] != nullptr) return std::nullopt;
    bound[index] = &value;
  }
  for (size_t i = 0; i < bound.size(); ++i) {
    if (bound[i] == nullptr && !schema.arguments[i].default_value) return std::nullopt;
  }
  return bound;
}

bool Fits(const Matcher& matcher, const AtenSchema& schema, const std::vector<const Value*>& bound) {
  for (size_t i = 0; i < bound.size(); ++i) {
    const bool is_last = i + 1 == bound.size() || schema.arguments[i + 1].keyword_only;
    if (bound[i] != nullptr && !matcher.Takes(schema.arguments[i].type, *bound[i], is_last)) return false;
  }
  return true;
}

}  // namespace

const Overloads::Candidates& Overloads::CandidatesOf(const std::string& name) {
  const auto [entry, is_new] = candidates_.try_emplace(name);
  if (!is_new) return entry->second;
  for (const std::string_view overload : ir::OverloadsInOrder(name)) {
    if (const AtenSchema* schema = ir::FindAtenSchema(overload)) entry->second.push_back(schema);
  }
  return entry->second;
}

std::variant<ResolvedCall, std::string> Overloads::Resolve(const std::string& name, const CallArguments& call) {
  const Candidates& candidates = CandidatesOf(name);
  for (const Pass pass : {Pass::kAsIs, Pass::kConverting, Pass::kIntAsFloat}) {
    const Matcher matcher(tracer_, pass);
    for (const AtenSchema* schema : candidates) {
      const auto bound = Bind(*schema, call);
      if (!bound || !Fits(matcher, *schema, *bound)) continue;
      ResolvedCall resolved{schema, {}};
      for (size_t i = 0; i < bound->size(); ++i) {
        const AtenArgument& argument = schema->arguments[i];
        const Value* value = (*bound)[i];
        resolved.args.push_back(value == nullptr ? *argument.default_value : matcher.Convert(argument.type, *value));
      }
      return resolved;
    }
  }
  return Describe(name, call, candidates);
}

std::string Overloads::Describe(const std::string& name, const CallArguments& call,
                                const Candidates& candidates) const {
  if (candidates.empty()) return "no spec says how to export it";
  std::string text = "no overload takes (";
  for (size_t i = 0; i < call.positional.size(); ++i) {
    text += (i == 0 ? "" : ", ") + KindName(call.positional[i], *tracer_);
  }
  for (const auto& [keyword, value] : call.keywords) {
    text += (text.ends_with('(') ? "" : ", ") + keyword + "=" + KindName(value, *tracer_);
  }
  text += ')';
  constexpr size_t kShown = 6;
  for (size_t i = 0; i < std::min(candidates.size(), kShown); ++i) text += "\n  " + candidates[i]->text;
  if (candidates.size() > kShown) text += "\n  and " + std::to_string(candidates.size() - kShown) + " more of " + name;
  return text;
}

}  // namespace onnxport::torchscript
