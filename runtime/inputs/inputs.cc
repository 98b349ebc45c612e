#include "runtime/inputs/inputs.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "runtime/base/error.h"
#include "runtime/base/text.h"

namespace onnxport::inputs {
namespace {

[[noreturn]] void Usage(std::string_view text, const std::string& what) {
  throw Error(Code::kInputText, "<<inputs: " + std::string(text) + ">>: " + what +
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

[[noreturn]] void Wrong(const std::string& what) { throw Error(Code::kInputText, what); }

// `1..64`, `8..`, `..64`
Dim ParseRange(std::string_view range, const Dim& axis) {
  const size_t dots = range.find("..");
  const auto bound = [&](std::string_view text) -> std::optional<int64_t> {
    if (text.empty()) return std::nullopt;
    const auto number = ParseNumber<int64_t>(text);
    if (!number || *number < 0) Wrong("'" + std::string(text) + "' is no size");
    return number;
  };
  if (dots == std::string_view::npos || range == "..") Wrong("'" + std::string(range) + "' is no range like 1..64");
  const auto min = bound(Trim(range.substr(0, dots)));
  const auto max = bound(Trim(range.substr(dots + 2)));
  if (min && max && *min > *max) Wrong("no size is in " + std::string(range));
  return axis.Between(min, max);
}

// Splits a sum into its terms.
std::vector<std::string_view> Summands(std::string_view text) {
  std::vector<std::string_view> parts;
  while (true) {
    const size_t plus = std::min(text.find('+'), text.size());
    parts.push_back(Trim(text.substr(0, plus)));
    if (plus == text.size()) return parts;
    text.remove_prefix(plus + 1);
  }
}

// Reads `3`, `-0.5`, `true`, `none`, `inf`, `'text'`, `sum`. Returns nothing for other texts.
std::optional<Value> ParseFixed(std::string_view text) {
  const auto is = [&](std::string_view small, std::string_view python) { return text == small || text == python; };
  if (is("none", "None")) return None{};
  if (is("true", "True")) return true;
  if (is("false", "False")) return false;
  const bool quoted = text.size() >= 2 && (text.front() == '"' || text.front() == '\'') && text.front() == text.back();
  if (quoted) return std::string(text.substr(1, text.size() - 2));
  if (const auto integer = ParseNumber<int64_t>(text)) return *integer;
  if (const auto number = ParseNumber<double>(text)) return *number;
  if (IsAxisName(text)) return std::string(text);
  return std::nullopt;
}

// Reads `f32[n,4]` or `f32`. Returns false if there is no dtype.
bool ParseTensor(std::string_view type, std::string_view text, Input* input) {
  if (const size_t bracket = type.find('['); bracket != std::string_view::npos) {
    if (type.back() != ']') Usage(text, "']' is missing");
    try {
      input->dims = ParseDims(type.substr(bracket + 1, type.size() - bracket - 2));
    } catch (const Error& error) {
      Usage(text, error.what());
    }
    type = Trim(type.substr(0, bracket));
  }
  const auto dtype = ir::ParseDType(type);
  if (dtype && *dtype != ir::DType::kUndefined) {
    input->dtype = *dtype;
    return true;
  }
  if (input->dims) Usage(text, "unknown dtype '" + std::string(type) + "' (f32, f16, bf16, f64, i64, i32, bool ...)");
  return false;
}

// Finds the `=` after the name. A key of a dict may contain brackets and a `=` itself. So it is the last `=` outside
// quotes and brackets.
size_t EndOfName(std::string_view text) {
  for (const char quote : {'\'', '"'}) {
    const size_t quoted = text.ends_with(quote) ? text.find(std::string{'=', quote}) : std::string_view::npos;
    if (quoted != std::string_view::npos) return quoted;
  }
  size_t found = std::string_view::npos;
  int closed = 0;  // brackets that close to the right of here
  for (size_t i = text.size(); i-- > 0;) {
    if (text[i] == ']') ++closed;
    // Nothing closes this bracket, so everything to its right is inside it.
    if (text[i] == '[' && closed == 0) found = std::string_view::npos;
    if (text[i] == '[' && closed > 0) --closed;
    if (text[i] == '=' && closed == 0 && found == std::string_view::npos) found = i;
  }
  return found;
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

Dim ParseDim(std::string_view dim) {
  if (const auto number = ParseNumber<int64_t>(dim)) {
    if (*number < 0) Wrong("a dimension is not negative: " + std::string(dim));
    return *number;
  }
  const size_t equals = std::min(dim.find('='), dim.size());
  const std::string_view name = Trim(dim.substr(0, equals));
  Dim axis = Sym(std::string(name));
  if (equals < dim.size()) axis = ParseRange(Trim(dim.substr(equals + 1)), axis);
  if (name == "?" && equals == dim.size()) return {};
  if (!IsAxisName(name) && (equals < dim.size() || !IsAxisSum(name)))
    Wrong("'" + std::string(name) +
          "' is neither a number nor a name (letters, digits and _) nor a sum of names, nor ?");
  return axis;
}

std::vector<Dim> ParseDims(std::string_view list) {
  std::vector<Dim> dims;
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

void CheckDims(const std::string& where, const std::vector<Dim>& dims) {
  if (dims.size() > kMaxRank) Wrong(where + ": more than " + std::to_string(kMaxRank) + " dimensions");
  for (const Dim& dim : dims) {
    if (dim.is_number() && dim.number() < 0) {
      Wrong(where + ": a dimension is not negative: " + std::to_string(dim.number()));
    }
    if (dim.is_symbolic() && !IsAxisName(dim.symbol()) && !IsAxisSum(dim.symbol())) {
      Wrong(where + ": '" + dim.symbol() +
            "' is no name of an axis (letters, digits and _, no digit first) nor a sum of such");
    }
  }
}

void Check(const std::vector<Input>& inputs) {
  for (const Input& input : inputs) {
    if (input.name.empty()) Wrong("an input has no name");
    if (input.fixed) continue;
    const std::string where = "input '" + input.name + "'";
    const bool typed = ir::DTypeOfNumber(static_cast<int64_t>(input.dtype)) != ir::DType::kUndefined;
    if (!typed) Wrong(where + ": it has neither a dtype nor a value");
    CheckDims(where, input.dims.value_or(std::vector<Dim>()));
  }
}

ir::Ranges RangesOf(const std::vector<Input>& inputs) {
  ir::Ranges ranges;
  for (const Input& input : inputs) {
    if (input.fixed) continue;
    for (const Dim& dim : input.dims.value_or(std::vector<Dim>())) {
      if (!dim.is_symbolic() || (!dim.min() && !dim.max())) continue;
      const ir::Range range = {dim.min().value_or(1), dim.max()};
      if (*range.min < 1) Wrong("the axis `" + dim.symbol() + "` of input '" + input.name + "' is at least 1");
      const auto [found, added] = ranges.emplace(dim.symbol(), range);
      if (added || (found->second.min == range.min && found->second.max == range.max)) continue;
      Wrong("the axis `" + dim.symbol() + "` has two ranges; say it once");
    }
  }
  return ranges;
}

Input ParseInput(std::string_view text) {
  const size_t equals = EndOfName(text);
  if (equals == std::string_view::npos || equals == 0) Usage(text, "no 'NAME=' in it");
  Input input;
  input.name = std::string(Trim(text.substr(0, equals)));
  const std::string_view type = Trim(text.substr(equals + 1));
  constexpr std::string_view kList = "list[";
  if (type.starts_with(kList) && type.ends_with(']')) {
    input.list = true;
    const std::string_view element = Trim(type.substr(kList.size(), type.size() - kList.size() - 1));
    if (!ParseTensor(element, text, &input)) Usage(text, "'" + std::string(element) + "' is no tensor");
    return input;
  }
  const bool quoted = type.starts_with('\'') || type.starts_with('"');
  if (!quoted && ParseTensor(type, text, &input)) return input;
  input.fixed = ParseFixed(type);
  if (!input.fixed) Usage(text, "'" + std::string(type) + "' is neither a dtype nor a value");
  return input;
}

}  // namespace onnxport::inputs
