#include "runtime/inputs/input_spec.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <limits>
#include <memory>

#include "runtime/base/error.h"

namespace onnxport::inputs {
namespace {

[[noreturn]] void Usage(std::string_view text, const std::string& what) {
  throw Error(ErrorKind::kUsage, "--input '" + std::string(text) + "': " + what +
                                     "; write NAME=DTYPE[d0,d1,...], for example x=f32[batch,3,224,224]");
}

std::string_view Trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

InputDim ParseDim(std::string_view dim, std::string_view text) {
  int64_t number = 0;
  const auto [end, error] = std::from_chars(dim.data(), dim.data() + dim.size(), number);
  if (error == std::errc() && end == dim.data() + dim.size()) {
    if (number < 0) Usage(text, "a dimension is not negative: " + std::string(dim));
    return number;
  }
  if (!IsAxisName(dim))
    Usage(text, "'" + std::string(dim) + "' is neither a number nor a name (letters, digits and _)");
  return std::string(dim);
}

std::vector<InputDim> ParseDims(std::string_view list, std::string_view text) {
  std::vector<InputDim> dims;
  if (Trim(list).empty()) return dims;
  while (true) {
    const size_t comma = std::min(list.find(','), list.size());
    dims.push_back(ParseDim(Trim(list.substr(0, comma)), text));
    if (dims.size() > kMaxRank) Usage(text, "more than " + std::to_string(kMaxRank) + " dimensions");
    if (comma == list.size()) return dims;
    list.remove_prefix(comma + 1);
  }
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
    spec->dims = ParseDims(type.substr(bracket + 1, type.size() - bracket - 2), text);
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

InputSpec ParseInputSpec(std::string_view text) {
  // The last `=`, but not one inside of quotes.
  size_t equals = text.find("='");
  if (equals == std::string_view::npos) equals = text.find("=\"");
  if (equals == std::string_view::npos) equals = text.rfind('=');
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
