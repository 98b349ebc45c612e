#include "tests/arguments/changes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <limits>
#include <set>
#include <utility>
#include <variant>

#include "runtime/aten/aten_schema.h"
#include "runtime/ir/dtype.h"
#include "runtime/ir/graph.h"

namespace onnxport::arguments {
namespace {

using ir::Arg;
using ir::AtenKind;
using ir::DType;

constexpr std::string_view kFlag = "flag";
constexpr std::string_view kAbsent = "absent";
constexpr std::string_view kPresent = "present";
constexpr std::string_view kZero = "zero";
constexpr std::string_view kNegative = "negative";
constexpr std::string_view kFraction = "fraction";
constexpr std::string_view kInfinite = "infinite or NaN";
constexpr std::string_view kNumber = "number";
constexpr std::string_view kLength = "length";
constexpr std::string_view kWord = "word";
constexpr std::string_view kDType = "dtype";
constexpr std::string_view kMemoryFormat = "memory format";
constexpr std::string_view kPair = "pair";

// The number of values per argument in pairs: the product for two arguments would be too large.
constexpr size_t kValuesInPairs = 4;

// Words that some operator takes. PyTorch says which takes which.
constexpr const char* kWords[] = {"none",     "tanh",    "sum",      "mean",     "prod",      "amax",     "amin",
                                  "trunc",    "floor",   "constant", "reflect",  "replicate", "circular", "zeros",
                                  "border",   "nearest", "linear",   "bilinear", "bicubic",   "lower",    "higher",
                                  "midpoint", "L",       "U",        "fro",      "nuc",       "ij",       "xy",
                                  "same",     "valid",   "left",     "right"};

constexpr DType kDTypes[] = {DType::kBool,    DType::kUInt8,   DType::kInt8,     DType::kInt16,
                             DType::kInt32,   DType::kInt64,   DType::kFloat16,  DType::kBFloat16,
                             DType::kFloat32, DType::kFloat64, DType::kComplex64};

constexpr const char* kFormats[] = {"contiguous_format", "preserve_format", "channels_last", "channels_last_3d"};

struct Valued {
  std::string_view category;
  Arg value;
};
using Values = std::vector<Valued>;

std::string_view CategoryOf(double value) {
  if (!std::isfinite(value)) return kInfinite;
  if (value != std::floor(value)) return kFraction;
  return value == 0 ? kZero : value < 0 ? kNegative : kNumber;
}

void AddInts(std::initializer_list<int64_t> numbers, Values* values) {
  for (const int64_t n : numbers) values->push_back({CategoryOf(static_cast<double>(n)), {n}});
}

void AddFloats(std::initializer_list<double> numbers, Values* values) {
  for (const double x : numbers) values->push_back({CategoryOf(x), {x}});
}

// Values of one element. `given`: what the call has.
Values ElementsOf(AtenKind kind, const Arg& given) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  Values values;
  const auto* integer = std::get_if<int64_t>(&given.v);
  const auto* number = std::get_if<double>(&given.v);
  switch (kind) {
    case AtenKind::kBool:
      for (const bool flag : {false, true}) values.push_back({kFlag, {flag}});
      break;
    case AtenKind::kInt:
    case AtenKind::kSymInt:
      if (integer != nullptr) AddInts({*integer + 1, *integer - 1, -*integer}, &values);
      AddInts({0, -1, 2, -2, 1, 3, 5}, &values);
      break;
    case AtenKind::kScalar:
      AddInts({0, -1, 2}, &values);
      AddFloats({0.5, -1.5, 2.0, -kInf, kInf, std::nan(""), 0.0, 3.0}, &values);
      values.push_back({kFlag, {true}});
      break;
    case AtenKind::kFloat:
      if (number != nullptr) AddFloats({-*number}, &values);
      AddFloats({0.0, -1.0, 0.5, -1.5, 1.0, kInf, -kInf, std::nan(""), 2.0, 3.0, 1e-3}, &values);
      break;
    case AtenKind::kString:
      for (const char* word : kWords) values.push_back({kWord, {std::string(word)}});
      break;
    case AtenKind::kScalarType:
      for (const DType dtype : kDTypes) values.push_back({kDType, {dtype}});
      break;
    case AtenKind::kMemoryFormat:
      for (const char* format : kFormats) values.push_back({kMemoryFormat, {ir::Word{format}}});
      break;
    default:  // tensors; and what no model depends on: devices, layouts, generators
      break;
  }
  return values;
}

// Other lengths, and each element with other values.
Values ListsOf(AtenKind kind, const Arg& given) {
  ir::ArgList list;
  if (const ir::ArgList* items = given.list())
    list = *items;
  else if (!given.is_none())
    list = {given};
  Values values;
  const auto add_length = [&](ir::ArgList items) { values.push_back({kLength, {std::move(items)}}); };
  for (size_t i = 0; i < list.size(); ++i) {
    for (Valued& element : ElementsOf(kind, list[i])) {
      ir::ArgList changed = list;
      changed[i] = std::move(element.value);
      values.push_back({element.category, {std::move(changed)}});
    }
  }
  if (list.empty()) {
    for (Valued& element : ElementsOf(kind, {ir::None{}})) add_length({std::move(element.value)});
    return values;
  }
  ir::ArgList longer = list;
  longer.push_back(ElementsOf(kind, list.back()).back().value);
  add_length(std::move(longer));
  add_length({list.begin(), list.end() - 1});
  add_length({list.front()});
  add_length({});
  add_length({list.rbegin(), list.rend()});
  return values;
}

std::string ValueText(const Arg& arg) {
  if (arg.is_none()) return "None";
  if (const auto* b = std::get_if<bool>(&arg.v)) return *b ? "True" : "False";
  if (const auto* i = std::get_if<int64_t>(&arg.v)) return fmt::format("{}", *i);
  if (const auto* d = std::get_if<double>(&arg.v))
    return std::isfinite(*d) ? fmt::format("{:#}", *d) : fmt::format("{}", *d);
  if (const auto* s = std::get_if<std::string>(&arg.v)) return fmt::format("\"{}\"", *s);
  if (const auto* t = std::get_if<DType>(&arg.v)) return std::string(ir::Name(*t));
  if (const auto* w = std::get_if<ir::Word>(&arg.v)) return w->text;
  std::vector<std::string> items;
  if (const ir::ArgList* list = arg.list()) {
    for (const Arg& item : *list) items.push_back(ValueText(item));
  }
  return fmt::format("[{}]", fmt::join(items, ","));
}

bool HoldsTensors(const Arg& arg) {
  if (arg.value() != nullptr) return true;
  const ir::ArgList* list = arg.list();
  return list != nullptr && std::ranges::any_of(*list, HoldsTensors);
}

Values ValuesOf(const ir::AtenType& type, const Arg& given) {
  if (HoldsTensors(given)) return {};
  Values values = type.list ? ListsOf(type.kind, given) : ElementsOf(type.kind, given);
  if (given.is_none()) {
    for (Valued& value : values) value.category = kPresent;
  } else if (type.optional && !values.empty()) {
    values.push_back({kAbsent, {ir::None{}}});
  }
  std::set<std::string> seen = {ValueText(given)};
  std::erase_if(values, [&](const Valued& value) { return !seen.insert(ValueText(value.value)).second; });
  return values;
}

// Spread over all of them.
Values FewOf(const Values& values) {
  if (values.size() <= kValuesInPairs) return values;
  Values few;
  for (size_t i = 0; i < kValuesInPairs; ++i) few.push_back(values[i * values.size() / kValuesInPairs]);
  return few;
}

}  // namespace

std::vector<Change> ChangesOf(const conformance::Call& call) {
  std::vector<Change> changes;
  for (size_t i = 0; i < call.args.size(); ++i) {
    for (Valued& value : ValuesOf(call.schema->arguments[i].type, call.args[i]))
      changes.push_back({value.category, {{i, std::move(value.value)}}});
  }
  return changes;
}

std::vector<Change> PairsOf(const conformance::Call& call) {
  std::vector<Values> few;
  for (size_t i = 0; i < call.args.size(); ++i)
    few.push_back(FewOf(ValuesOf(call.schema->arguments[i].type, call.args[i])));
  std::vector<Change> pairs;
  for (size_t i = 0; i < few.size(); ++i) {
    for (size_t k = i + 1; k < few.size(); ++k) {
      for (const Valued& one : few[i]) {
        for (const Valued& other : few[k]) pairs.push_back({kPair, {{i, one.value}, {k, other.value}}});
      }
    }
  }
  return pairs;
}

std::string ToText(const Change& change, const conformance::Call& call) {
  std::vector<std::string> texts;
  for (const conformance::Replacement& replacement : change.values)
    texts.push_back(
        fmt::format("{}={}", call.schema->arguments[replacement.argument].name, ValueText(replacement.value)));
  return fmt::format("{}", fmt::join(texts, ", "));
}

}  // namespace onnxport::arguments
