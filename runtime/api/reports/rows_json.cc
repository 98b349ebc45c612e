// Lists as JSON: a line for each row, so that a list of a thousand can be read and searched by lines.
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "onnxport/check_axes.h"
#include "onnxport/operators.h"
#include "onnxport/options.h"
#include "onnxport/text.h"
#include "runtime/ir/dtype.h"

namespace onnxport {
namespace {

using Json = nlohmann::ordered_json;

// Names of inputs come from files, and may be no UTF-8.
std::string Line(const Json& row) { return Visible(row.dump(-1, ' ', false, Json::error_handler_t::replace)); }

Json JsonOf(const OperatorSupport& row) {
  const auto& [name, opsets, spec, refusal] = row;
  Json json = {{"name", name}, {"first_opset", opsets.first}, {"last_opset", opsets.last}, {"spec", spec}};
  if (!refusal.empty()) json["refusal"] = refusal;
  return json;
}

Json JsonOf(const TargetInfo& row) {
  const auto& [name, title, opsets, source, date] = row;
  return {{"name", name},     {"title", title}, {"first_opset", opsets.first}, {"last_opset", opsets.last},
          {"source", source}, {"date", date}};
}

Json JsonOf(const KeptOperator& row) {
  return {{"name", row.name}, {"first_opset", row.since}, {"in_place_of", row.in_place_of}};
}

Json JsonOf(const OptionInfo& row) {
  const auto& [name, form, words, flag, takes, help, since, on] = row;
  Json json = {{"name", name}, {"form", form}};
  if (!words.empty()) json["words"] = words;
  if (on) json["default"] = true;
  if (!flag.empty()) json["flag"] = flag;
  if (!takes.empty()) json["takes"] = takes;
  json["help"] = help;
  json["since"] = since;
  return json;
}

Json JsonOf(const Axis& axis) { return {{"input", axis.input}, {"axis", axis.number}}; }

Json JsonOf(const AxisReport& row) {
  Json json = JsonOf(row.axis);
  json["dtype"] = ir::Name(row.dtype);
  json["size"] = row.size.is_number() ? Json(row.size.number()) : Json(row.size.Text());
  json["free"] = row.free;
  json["together"] = Json::array();
  for (const Axis& other : row.together) json["together"].push_back(JsonOf(other));
  json["fixed_by"] = row.fixed_by;
  return json;
}

template <typename Row>
std::string Lines(const std::vector<Row>& rows) {
  std::string text;
  for (const Row& row : rows) text += (text.empty() ? "[\n" : ",\n") + Line(JsonOf(row));
  return text.empty() ? "[]\n" : text + "\n]\n";
}

}  // namespace

std::string ToJson(const std::vector<OperatorSupport>& operators) { return Lines(operators); }
std::string ToJson(const std::vector<TargetInfo>& targets) { return Lines(targets); }
std::string ToJson(const std::vector<KeptOperator>& operators) { return Lines(operators); }
std::string ToJson(const std::vector<OptionInfo>& options) { return Lines(options); }
std::string ToJson(const std::vector<AxisReport>& axes) { return Lines(axes); }

}  // namespace onnxport
