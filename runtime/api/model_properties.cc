#include "runtime/api/model_properties.h"

#define XXH_INLINE_ALL
#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "runtime/aten/aten_schema.h"
#include "runtime/model/passes/recipes/write_recipes.h"

namespace onnxport {
std::vector<Model::FreeAxis> AxesOf(const ir::Graph& model) {
  std::vector<Model::FreeAxis> axes;
  for (const ir::ValueId input : model.body.inputs) {
    const ir::Value& value = model.value(input);
    for (size_t axis = 0; value.dims && axis < value.dims->size(); ++axis) {
      const auto symbol = (*value.dims)[axis].symbol();
      if (!symbol || std::ranges::find(axes, *symbol, &Model::FreeAxis::name) != axes.end()) continue;
      const auto range = model.ranges.find(*symbol);
      const ir::Range sizes = range == model.ranges.end() ? ir::Range() : range->second;
      axes.push_back({*symbol, value.name, axis, sizes.min, sizes.max});
    }
  }
  return axes;
}

// The hash of the archive's directory, which has a CRC of every record: it tells two files apart as one of all bytes
// does, and costs no reading of weights.
std::string IdentityOf(const archive::Archive& archive) {
  std::string directory;
  for (const archive::Archive::Record& record : archive.records()) {
    // The first folder is what the file was called when it was saved.
    directory += fmt::format("{} {} {:08x}\n", record.name.substr(record.name.find('/') + 1), record.size, record.crc);
  }
  return fmt::format("xxh3:{:016x}", XXH3_64bits(directory.data(), directory.size()));
}

namespace {

using WeightNames = std::map<ir::ValueId, std::string>;

// `w.item()`, `float(w)`: what the program read of a weight is part of the model, and does not change with the weight.
// The model lists such weights, for `apply-weights` to refuse them (onnx_file/apply_weights.cc).
bool GivesANumber(const ir::Node& call) {
  const ir::AtenSchema* schema = ir::FindAtenSchema(call.op);
  return schema != nullptr && schema->results.size() == 1 && schema->results[0].type.kind == ir::AtenKind::kScalar;
}

void AddNumbers(const ir::Block& block, const WeightNames& weights, std::set<std::string>* names) {
  for (const ir::Node& call : block.nodes) {
    for (const ir::Block& inner : call.blocks) AddNumbers(inner, weights, names);
    const ir::ValueId* tensor = GivesANumber(call) && !call.inputs.empty() ? call.inputs[0].value() : nullptr;
    const auto weight = tensor != nullptr ? weights.find(*tensor) : weights.end();
    if (weight != weights.end()) names->insert(weight->second);
  }
}

std::set<std::string> NumbersOf(const ir::Graph& calls) {
  WeightNames weights;
  for (const ir::Weight& weight : calls.weights) weights.emplace(weight.value, weight.name);
  std::set<std::string> names;
  AddNumbers(calls.body, weights, &names);
  return names;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> ModelProperties(const ir::Graph& model, const ir::Graph& calls,
                                                                 const std::vector<Model::State>& state,
                                                                 const std::string& identity) {
  std::vector<std::pair<std::string, std::string>> properties;
  if (!identity.empty()) properties.emplace_back("onnxport.source", identity);
  nlohmann::ordered_json axes = nlohmann::ordered_json::object();
  for (const Model::FreeAxis& axis : AxesOf(model)) {
    auto& entry = axes[axis.name] = {{"input", axis.input}, {"axis", axis.axis}};
    if (axis.min) entry["min"] = *axis.min;
    if (axis.max) entry["max"] = *axis.max;
  }
  if (!axes.empty()) {
    properties.emplace_back("onnxport.axes", axes.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  }
  for (const Model::State& kept : state) properties.emplace_back("onnxport.state." + kept.input, kept.output);
  if (const std::set<std::string> numbers = NumbersOf(calls); !numbers.empty()) {
    properties.emplace_back("onnxport.numbers",
                            nlohmann::json(numbers).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  }
  if (std::string recipes = passes::WriteRecipes(model, calls); !recipes.empty())
    properties.emplace_back(passes::kRecipesProperty, std::move(recipes));
  return properties;
}

}  // namespace onnxport
