#include "runtime/model/passes/quantize/quantized_recipe.h"

#include <algorithm>
#include <utility>

#include "runtime/model/passes/quantize/weight_types.h"
#include "runtime/model/passes/weights/float_blocks.h"

namespace onnxport::passes {
namespace {

using nlohmann::json;

Grouping GroupingOf(const QuantizedAs& as) {
  return {.axis = as.axis, .group = as.group.value_or(1), .type = as.type, .asymmetric = as.asymmetric};
}

// Nothing for options that no export has.
std::optional<QuantizedAs> ReadHow(const json& how) {
  const auto types = WeightTypes();
  const auto facts = std::ranges::find(types, how.at("type").get<std::string>(), &WeightTypeFacts::name);
  if (facts == types.end()) return std::nullopt;
  QuantizedAs as = {.type = facts->type, .axis = how.at("axis"), .asymmetric = how.value("asymmetric", false)};
  if (how.contains("group")) as.group = how.at("group").get<int64_t>();
  const bool has_group = as.group.has_value();
  if (has_group != facts->group.has_value() || as.group.value_or(1) < 1 || as.group.value_or(1) > kMostGroupBytes)
    return std::nullopt;
  if (has_group && !facts->any_group && as.group != facts->group) return std::nullopt;
  if (as.asymmetric && !facts->asymmetric) return std::nullopt;
  return as;
}

WeightDatas QuantizedBy(const json& how, const WeightDatas& of) {
  const std::optional<QuantizedAs> as = ReadHow(how);
  if (!as || of.size() != 1 || !HasFloatBlocks(of[0]->dtype) || as->axis >= of[0]->shape.size()) return {};
  if (as->group && GroupBytes(*of[0], GroupingOf(*as)) > kMostGroupBytes) return {};
  QuantizedTensor made = Quantized(of[0], *as, how.value("name", ""));
  return {made.elements, made.scales, made.zero_points, made.scale_scale};
}

}  // namespace

QuantizedTensor Quantized(WeightData source, const QuantizedAs& as, std::string name,
                          std::shared_ptr<PrecisionLoss> lost) {
  return as.group ? QuantizedByGroup(std::move(source), GroupingOf(as), std::move(name), std::move(lost))
                  : QuantizedByChannel(std::move(source), as.axis, std::move(name), std::move(lost));
}

Recipe QuantizedRecipe(WeightData source, const QuantizedAs& as) {
  json how = {{"type", std::string(FactsOf(as.type).name)}, {"axis", as.axis}};
  if (as.group) how["group"] = *as.group;
  if (as.asymmetric) how["asymmetric"] = true;
  return {.maker = &kQuantized, .how = std::move(how), .of = {std::move(source)}};
}

const Maker kQuantized = {.name = "quantize", .make = QuantizedBy};

}  // namespace onnxport::passes
