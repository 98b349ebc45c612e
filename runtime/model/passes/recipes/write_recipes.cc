#include "runtime/model/passes/recipes/write_recipes.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "runtime/ir/program_weight.h"
#include "runtime/ir/uses.h"
#include "runtime/model/passes/recipes/hash_of.h"
#include "runtime/model/passes/weights/makers.h"

namespace onnxport::passes {
namespace {

using ir::ProgramWeight;
using ir::TensorData;
using nlohmann::json;

const ProgramWeight* AsProgramWeight(const TensorData& data) {
  return dynamic_cast<const ProgramWeight*>(data.bytes.get());
}
const MadeBytes* AsMade(const TensorData& data) { return dynamic_cast<const MadeBytes*>(data.bytes.get()); }

const std::string& NameOf(const ProgramWeight& weight) { return weight.names().front(); }

// The limit for steps of a recipe. Readers accept more. But if weights share sources again and again, the text would
// double with each step.
constexpr int kMostSteps = 16;

bool IsShort(const TensorData& data, int* left) {
  const MadeBytes* made = AsMade(data);
  if (made == nullptr) return true;
  if (--*left < 0) return false;
  return std::ranges::all_of(made->recipe().of, [left](const WeightData& of) { return IsShort(*of, left); });
}

// The program's weights from which one is made.
struct Leaves {
  std::set<const Recipe*> seen;
  std::map<std::string, const ProgramWeight*> weights;
  bool others = false;    // constants of the program, which the model does not have
  bool unstated = false;  // there is a step that no recipe states
};

void AddLeaves(const TensorData& data, Leaves* leaves) {
  if (const ProgramWeight* weight = AsProgramWeight(data)) {
    leaves->weights.emplace(NameOf(*weight), weight);
  } else if (const MadeBytes* made = AsMade(data)) {
    if (!leaves->seen.insert(&made->recipe()).second) return;
    leaves->unstated |= made->recipe().maker->make == nullptr;
    for (const WeightData& of : made->recipe().of) AddLeaves(*of, leaves);
  } else {
    leaves->others = true;
  }
}

// A view has the bytes of its source, and no recipe of its own.
json AsView(json of, const TensorData& view, const TensorData& whole) {
  if (view.dtype == whole.dtype && view.shape == whole.shape) return of;
  return {{kViewed.name, TypeJson(view.dtype, view.shape)}, {"of", json::array({std::move(of)})}};
}

json RecipeOf(const TensorData& data) {
  if (const ProgramWeight* weight = AsProgramWeight(data)) return AsView(NameOf(*weight), data, weight->data());
  const MadeBytes& made = *AsMade(data);
  const Recipe& recipe = made.recipe();
  json of = json::array();
  for (const WeightData& source : recipe.of) of.push_back(RecipeOf(*source));
  json stated = {{recipe.maker->name, recipe.how}, {"of", std::move(of)}};
  if (made.part() > 0) stated["part"] = made.part();
  return AsView(std::move(stated), data, made.data());
}

void AddUses(const ir::Block& block, ir::Uses* uses) {
  for (const ir::Node& node : block.nodes) {
    uses->Add(node.inputs);
    for (const ir::Block& inner : node.blocks) AddUses(inner, uses);
  }
  uses->Add(block.outputs);
}

class Writer {
 public:
  std::string Write(const ir::Graph& model, const ir::Graph& calls) {
    for (const ir::Weight& weight : calls.weights) {
      if (const ProgramWeight* own = AsProgramWeight(*weight.data))
        names_.insert(own->names().begin(), own->names().end());
    }
    for (const ir::Weight& weight : model.weights) AddStored(model.value(weight.value).name, *weight.data);
    ir::Uses uses(calls);
    AddUses(calls.body, &uses);
    for (const ir::Weight& weight : calls.weights) {
      const ProgramWeight* own = AsProgramWeight(*weight.data);
      if (own != nullptr && uses.Has(weight.value)) AddProgramWeight(*own);
    }
    return all_.empty() ? "" : all_.dump(-1, ' ', false, json::error_handler_t::replace);
  }

 private:
  void AddStored(const std::string& name, const TensorData& data) {
    Leaves leaves;
    AddLeaves(data, &leaves);
    if (leaves.weights.empty()) {  // a constant stays what it is
      if (names_.contains(name)) all_["made"][name] = nullptr;
      return;
    }
    int left = kMostSteps;
    const bool stated = !leaves.others && !leaves.unstated && IsShort(data, &left);
    json recipe = stated ? Shared(name, data) : Unstated(leaves);
    if (recipe == json(name)) return;
    all_["made"][name] = std::move(recipe);
    for (const auto& [of, weight] : leaves.weights)
      all_["of"][of] = TypeJson(weight->data().dtype, weight->data().shape);
  }

  // Returns the recipe, or the reference to another stored weight with this recipe.
  json Shared(const std::string& name, const TensorData& data) {
    json recipe = RecipeOf(data);
    if (!recipe.contains("of") || recipe.contains(kViewed.name)) return recipe;
    const MadeBytes& made = *AsMade(data);
    const auto [first, is_new] = shared_.try_emplace(&made.recipe(), name);
    return is_new ? recipe : json{{"with", first->second}, {"part", made.part()}};
  }

  // A weight with such steps is refused for any contents, so it needs no hash.
  json Unstated(const Leaves& leaves) {
    json names = json::array();
    for (const auto& [name, _] : leaves.weights) {
      names.push_back(name);
      refused_.insert(name);
    }
    return {{kUnstated.name, nullptr}, {"of", std::move(names)}};
  }

  void AddProgramWeight(const ProgramWeight& weight) {
    for (size_t i = 1; i < weight.names().size(); ++i) all_["tied"][weight.names()[i]] = NameOf(weight);
    if (weight.was_read() && !weight.absent() && !refused_.contains(NameOf(weight)))
      all_["read"][NameOf(weight)] = HashOf(weight.data());
  }

  json all_ = json::object();
  std::map<const Recipe*, std::string> shared_;  // the first stored weight by each
  std::set<std::string> names_;                  // of weights of the program
  std::set<std::string> refused_;                // of weights in a step that no recipe describes
};

}  // namespace

std::string WriteRecipes(const ir::Graph& model, const ir::Graph& calls) { return Writer().Write(model, calls); }

}  // namespace onnxport::passes
