#include "runtime/inputs/input_spec.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <limits>
#include <memory>

#include "runtime/base/error.h"
#include "runtime/base/text.h"

namespace onnxport::inputs {
namespace {

[[noreturn]] void Usage(std::string_view text, const std::string& what) {
  throw Error(ErrorKind::kUsage, "ParseInput(\"" + std::string(text) + "\"): " + what +
                                     "; write NAME=DTYPE[d0,d1,...], for example x=f32[batch,3,224,224]");
}

template <typename T>
std::optional<T> ParseNumber(std::string_view text) {
  T number{};
  const char* first = std::to_address(text.begin());
  const char* last = std::to_address(text.end());
  const auto [end, error] = std::from_chars(first, last, number);
  if (error != std::errc() || end != last) return std::nullopt;
  return number;
}

[[noreturn]] void Wrong(const std::string& what) { throw Error(ErrorKind::kUsage, what); }

// `1..64`, `8..`, `..64`
void ParseRange(std::string_view range, FreeAxis* axis) {
  const size_t dots = range.find("..");
  const auto bound = [&](std::string_view text) -> std::optional<int64_t> {
    if (text.empty()) return std::nullopt;
    const auto number = ParseNumber<int64_t>(text);
    if (!number || *number < 0) Wrong("'" + std::string(text) + "' is no size");
    return number;
  };
  if (dots == std::string_view::npos || range == "..") Wrong("'" + std::string(range) + "' is no range like 1..64");
  axis->min = bound(Trim(range.substr(0, dots)));
  axis->max = bound(Trim(range.substr(dots + 2)));
  if (axis->min && axis->max && *axis->min > *axis->max) Wrong("no size is in " + std::string(range));
}

InputDim ParseDim(std::string_view dim) {
  if (const auto number = ParseNumber<int64_t>(dim)) {
    if (*number < 0) Wrong("a dimension is not negative: " + std::string(dim));
    return *number;
  }
  FreeAxis axis;
  const size_t equals = std::min(dim.find('='), dim.size());
  const std::string_view name = Trim(dim.substr(0, equals));
  if (equals < dim.size()) ParseRange(Trim(dim.substr(equals + 1)), &axis);
  if (name == "?" && equals == dim.size()) return axis;
  if (!IsAxisName(name) && (equals < dim.size() || !IsAxisSum(name)))
    Wrong("'" + std::string(name) +
          "' is neither a number nor a name (letters, digits and _) nor a sum of names, nor ?");
  axis.name = std::string(name);
  return axis;
}

// Of a sum.
std::vector<std::string_view> Summands(std::string_view text) {
  std::vector<std::string_view> parts;
  while (true) {
    const size_t plus = std::min(text.find('+'), text.size());
    parts.push_back(Trim(text.substr(0, plus)));
    if (plus == text.size()) return parts;
    text.remove_prefix(plus + 1);
  }
}

// `3`, `-0.5`, `true`, `none`, `inf`, `'text'`, `sum`; nothing for other texts.
std::optional<ir::Arg> ParseFixed(std::string_view text) {
  const auto is = [&](std::string_view small, std::string_view python) { return text == small || text == python; };
  if (is("none", "None")) return ir::Arg{ir::None{}};
  if (is("true", "True")) return ir::Arg{true};
  if (is("false", "False")) return ir::Arg{false};
  const bool quoted = text.size() >= 2 && (text.front() == '"' || text.front() == '\'') && text.front() == text.back();
  if (quoted) return ir::Arg{std::string(text.substr(1, text.size() - 2))};
  if (const auto integer = ParseNumber<int64_t>(text)) return ir::Arg{*integer};
  if (const auto number = ParseNumber<double>(text)) return ir::Arg{*number};
  if (IsAxisName(text)) return ir::Arg{std::string(text)};
  return std::nullopt;
}

// `f32[n,4]`, `f32`; false when there is no dtype.
bool ParseTensor(std::string_view type, std::string_view text, InputSpec* spec) {
  if (const size_t bracket = type.find('['); bracket != std::string_view::npos) {
    if (type.back() != ']') Usage(text, "']' is missing");
    try {
      spec->dims = ParseDims(type.substr(bracket + 1, type.size() - bracket - 2));
    } catch (const Error& error) {
      Usage(text, error.what());
    }
    type = Trim(type.substr(0, bracket));
  }
  const auto dtype = ir::ParseDType(type);
  if (dtype && *dtype != ir::DType::kUndefined) {
    spec->dtype = *dtype;
    return true;
  }
  if (spec->dims) Usage(text, "unknown dtype '" + std::string(type) + "' (f32, f16, bf16, f64, i64, i32, bool ...)");
  return false;
}

}  // namespace

bool IsAxisName(std::string_view text) {
  const auto part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  return !text.empty() && text.size() <= 64 && std::isdigit(static_cast<unsigned char>(text[0])) == 0 &&
         std::all_of(text.begin(), text.end(), part);
}

bool IsAxisSum(std::string_view text) {
  const std::vector<std::string_view> parts = Summands(text);
  const auto is_number = [](std::string_view part) { return ParseNumber<uint32_t>(part).has_value(); };
  return parts.size() > 1 && std::ranges::any_of(parts, IsAxisName) &&
         std::ranges::all_of(parts, [&](std::string_view part) { return IsAxisName(part) || is_number(part); });
}

ir::Dim DimOfAxis(std::string_view text) {
  ir::Dim sum = 0;
  for (const std::string_view part : Summands(text)) {
    const auto number = ParseNumber<uint32_t>(part);
    sum = sum + (number ? ir::Dim(*number) : ir::Dim::Symbol(part));
  }
  return sum;
}

std::vector<InputDim> ParseDims(std::string_view list) {
  std::vector<InputDim> dims;
  if (Trim(list).empty()) return dims;
  while (true) {
    const size_t comma = std::min(list.find(','), list.size());
    dims.push_back(ParseDim(Trim(list.substr(0, comma))));
    if (dims.size() > kMaxRank) Wrong("more than " + std::to_string(kMaxRank) + " dimensions");
    if (comma == list.size()) return dims;
    list.remove_prefix(comma + 1);
  }
}

std::string AxisName(std::string_view input, size_t axis) {
  std::string name = std::string(input) + "_axis" + std::to_string(axis);
  std::ranges::replace_if(name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
}

ir::Ranges RangesOf(const std::vector<InputSpec>& specs) {
  ir::Ranges ranges;
  for (const InputSpec& spec : specs) {
    for (const InputDim& dim : spec.dims.value_or(std::vector<InputDim>())) {
      const auto* axis = std::get_if<FreeAxis>(&dim);
      if (axis == nullptr || (!axis->min && !axis->max)) continue;
      const ir::Range range = {axis->min.value_or(1), axis->max};
      if (*range.min < 1) Wrong("the axis `" + axis->name + "` of input '" + spec.name + "' is at least 1");
      const auto [found, added] = ranges.emplace(axis->name, range);
      if (added || (found->second.min == range.min && found->second.max == range.max)) continue;
      Wrong("the axis `" + axis->name + "` has two ranges; say it once");
    }
  }
  return ranges;
}

InputSpec ParseInputSpec(std::string_view text) {
  // The last `=`, but not one inside of quotes or brackets.
  size_t equals = text.find("='");
  if (equals == std::string_view::npos) equals = text.find("=\"");
  if (equals == std::string_view::npos) equals = text.substr(0, text.find('[')).rfind('=');
  if (equals == std::string_view::npos || equals == 0) Usage(text, "no 'NAME=' in it");
  InputSpec spec;
  spec.name = std::string(Trim(text.substr(0, equals)));
  const std::string_view type = Trim(text.substr(equals + 1));
  constexpr std::string_view kList = "list[";
  if (type.starts_with(kList) && type.ends_with(']')) {
    spec.list = true;
    const std::string_view element = Trim(type.substr(kList.size(), type.size() - kList.size() - 1));
    if (!ParseTensor(element, text, &spec)) Usage(text, "'" + std::string(element) + "' is no tensor");
    return spec;
  }
  if (ParseTensor(type, text, &spec)) return spec;
  spec.fixed = ParseFixed(type);
  if (!spec.fixed) Usage(text, "'" + std::string(type) + "' is neither a dtype nor a value");
  return spec;
}

}  // namespace onnxport::inputs
