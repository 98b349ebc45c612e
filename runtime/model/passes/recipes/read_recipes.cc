#include "runtime/model/passes/recipes/read_recipes.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "runtime/base/error.h"
#include "runtime/model/passes/quantize/quantized_recipe.h"
#include "runtime/model/passes/weights/makers.h"

namespace onnxport::passes {
namespace {

using nlohmann::json;

// A weight goes through a few passes, two levels each. A file could contain any depth, and recipes are walked
// recursively.
constexpr int kMostLevels = 64;

constexpr const Maker* kMakers[] = {&kViewed,    &kTransposed, &kCast,      &kRounded, &kPieces,
                                    &kBatchNorm, &kWeightNorm, &kQuantized, &kUnstated};

// Null if this version does not know it.
const Maker* MakerOf(const json& recipe) {
  for (const Maker* maker : kMakers) {
    if (recipe.contains(std::string(maker->name))) return maker;
  }
  return nullptr;
}

ir::TensorData TypeIn(const json& type) {
  ir::TensorData data;
  data.dtype = ir::ParseDType(type.at(0).get<std::string>()).value_or(ir::DType::kUndefined);
  type.at(1).get_to(data.shape);
  return data;
}

}  // namespace

Recipes::Recipes(const std::string& text, const std::string& file) {
  if (text.empty()) return;
  const Error damaged(ErrorKind::kBadInput, file + ": what it says of its weights (onnxport.weights) is damaged");
  const auto is_flat = [&](int depth, json::parse_event_t, json&) {
    return depth <= kMostLevels ? true : throw damaged;
  };
  try {
    Read(json::parse(text, is_flat));
  } catch (const json::exception&) {
    throw damaged;
  }
}

void Recipes::Read(const json& all) {
  const json types = all.value("of", json::object());
  for (const auto& [name, type] : types.items()) types_.emplace(name, TypeIn(type));
  all.value("made", json::object()).get_to(made_);
  // The first of several parts has the recipe.
  for (auto& [name, recipe] : made_) {
    if (!recipe.is_object() || !recipe.contains("with")) continue;
    json whole = made_.at(recipe.at("with").get<std::string>());
    whole["part"] = recipe.at("part");
    recipe = std::move(whole);
  }
  for (const auto& [name, recipe] : made_) {
    if (!recipe.is_null()) Check(recipe, &sources_[name]);
  }
  all.value("tied", json::object()).get_to(tied_);
  all.value("read", json::object()).get_to(read_);
}

// json::at throws exceptions that the constructor treats as damage.
void Recipes::Check(const json& recipe, std::vector<std::string>* sources) const {
  if (recipe.is_string()) {
    const auto name = recipe.get<std::string>();
    if (!types_.contains(name)) (void)json::object().at(name);
    if (std::ranges::find(*sources, name) == sources->end()) sources->push_back(name);
    return;
  }
  for (const json& of : recipe.at("of")) Check(of, sources);
}

std::vector<std::string> Recipes::SourcesOf(const std::string& stored) const {
  const auto found = sources_.find(stored);
  return found == sources_.end() ? std::vector<std::string>() : found->second;
}

bool Recipes::IsStated(const std::string& stored) const {
  const json& recipe = made_.at(stored);
  const Maker* maker = recipe.is_string() ? &kViewed : MakerOf(recipe);
  return maker != nullptr && maker->make != nullptr;
}

WeightData Renewed::Make(const std::string& stored) {
  try {
    return MakeOf(recipes_.RecipeOf(stored), stored);
  } catch (const json::exception&) {
    return nullptr;
  }
}

WeightData Renewed::MakeOf(const json& recipe, const std::string& stored) {
  if (recipe.is_string()) return sources_.at(recipe.get<std::string>());
  const auto part = recipe.value("part", size_t{0});
  json whole = recipe;
  whole.erase("part");
  const std::string text = whole.dump(-1, ' ', false, json::error_handler_t::replace);
  auto known = known_.find(text);
  if (known == known_.end()) known = known_.emplace(text, MakeAll(std::move(whole), stored)).first;
  return part < known->second.size() ? known->second[part] : nullptr;
}

WeightDatas Renewed::MakeAll(json recipe, const std::string& stored) {
  const Maker* maker = MakerOf(recipe);
  if (maker == nullptr || maker->make == nullptr) return {};
  WeightDatas of;
  for (const json& source : recipe.at("of")) {
    of.push_back(MakeOf(source, stored));
    if (of.back() == nullptr) return {};
  }
  json& how = recipe.at(std::string(maker->name));
  if (maker == &kQuantized) how["name"] = stored;  // for its message
  return maker->suits == nullptr || maker->suits(how, of) ? maker->make(how, of) : WeightDatas();
}

}  // namespace onnxport::passes
