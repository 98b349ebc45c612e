#include "runtime/api/options/options_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "onnxport/options.h"
#include "runtime/api/border/shape_text.h"
#include "runtime/api/options/target_options.h"

namespace onnxport {
namespace {

using nlohmann::ordered_json;

std::string ValueText(const Value& value) {
  return std::visit(
      []<typename T>(const T& held) -> std::string {
        if constexpr (std::is_same_v<T, None>)
          return "none";
        else if constexpr (std::is_same_v<T, std::string>)
          return "'" + held + "'";
        else
          return fmt::format("{}", held);
      },
      value);
}

// ---- one JsonValue for each type that a member may have

ordered_json JsonValue(const bool& value) { return value; }
ordered_json JsonValue(const int& value) { return value; }
ordered_json JsonValue(const std::string& value) { return value; }
ordered_json JsonValue(const std::vector<std::string>& value) { return value; }
ordered_json JsonValue(const std::map<std::string, int>& value) { return value; }
ordered_json JsonValue(const WeightsAs& value) { return Text(value); }
ordered_json JsonValue(const ComputeAs& value) { return Text(value); }
ordered_json JsonValue(const ComplexTensors& value) {
  return std::ranges::find(kComplexTensorsWords, value, [](const auto& word) { return word.second; })->first;
}
ordered_json JsonValue(const OperatorMapping& mapping) {
  std::string arguments;
  for (const std::string& name : mapping.arguments) arguments += (arguments.empty() ? "" : ", ") + name;
  return mapping.op + (arguments.empty() ? "" : "(" + arguments + ")") + "=" + mapping.node;
}
ordered_json JsonValue(const Output& output) { return output.name + "=" + ShapeText(output.dims); }
ordered_json JsonValue(const Input& input) {
  if (input.fixed) return input.name + "=" + ValueText(*input.fixed);
  const std::string type = std::string(Name(input.dtype)) + (input.dims ? ShapeText(*input.dims) : "");
  return input.name + "=" + (input.list ? "list[" + type + "]" : type);
}
template <typename T>
concept HasJson = requires(const T& value) { JsonValue(value); };
template <HasJson T>
ordered_json JsonValue(const std::vector<T>& values) {
  ordered_json list = ordered_json::array();
  for (const T& value : values) list.push_back(JsonValue(value));
  return list;
}
template <HasJson T>
ordered_json JsonValue(const std::optional<T>& value) {
  return JsonValue(*value);
}

// ---- what nobody has said

template <typename T>
bool IsDefault(const std::vector<T>& value, const std::vector<T>& /*usual*/) {
  return value.empty();
}
template <typename T>
bool IsDefault(const std::optional<T>& value, const std::optional<T>& /*usual*/) {
  return !value;
}
template <typename T>
bool IsDefault(const T& value, const T& usual) {
  return value == usual;
}

}  // namespace

ordered_json OptionsOf(const ExportOptions& options) {
  ordered_json json = {{"opset", OpsetOf(options)}};
  const ExportOptions usual;
  ForEachOption(kExportOptions, [&]<auto kMember>(const Option<kMember>& option) {
    // The types of what is not reported have no JsonValue.
    constexpr bool kReadable = requires { JsonValue(options.*kMember); };
    if constexpr (kReadable) {
      if (!option.reported || json.contains(option.name)) return;
      if (!IsDefault(options.*kMember, usual.*kMember)) json[option.name] = JsonValue(options.*kMember);
    }
  });
  return json;
}

}  // namespace onnxport
