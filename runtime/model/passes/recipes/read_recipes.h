// Reads the recipes in a model, and makes the weights again.
#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_RECIPES_READ_RECIPES_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_RECIPES_READ_RECIPES_H_

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/model/passes/weights/recipe.h"

namespace onnxport::passes {

// The property that WriteRecipes writes. The file is not trusted.
class Recipes {
 public:
  // `text` is empty for a model without the property. Throws Error (kBadInput) with the file's name.
  Recipes(const std::string& text, const std::string& file);

  // The program's weights that a stored weight is made from, in order; empty if the property does not name it.
  std::vector<std::string> SourcesOf(const std::string& stored) const;
  // True if it is no weight of the program, although one has its name.
  bool IsConstant(const std::string& stored) const { return made_.contains(stored) && made_.at(stored).is_null(); }
  // True for a weight of the program from which some stored weight is made.
  bool IsSource(const std::string& name) const { return types_.contains(name); }
  // The type of such a weight, without elements.
  const ir::TensorData& TypeOf(const std::string& source) const { return types_.at(source); }
  // False if it was made in a way that no recipe describes.
  bool IsStated(const std::string& stored) const;
  const nlohmann::json& RecipeOf(const std::string& stored) const { return made_.at(stored); }

  const std::map<std::string, std::string>& tied() const { return tied_; }  // further name -> main name
  const std::map<std::string, std::string>& read() const { return read_; }  // hashes of weights that were read

 private:
  void Read(const nlohmann::json& all);
  void Check(const nlohmann::json& recipe, std::vector<std::string>* sources) const;

  std::map<std::string, nlohmann::json> made_;
  std::map<std::string, std::vector<std::string>> sources_;  // of those
  std::map<std::string, ir::TensorData> types_;
  std::map<std::string, std::string> tied_;
  std::map<std::string, std::string> read_;
};

// Makes stored weights from other weights of the program. The bytes of both stay in their files.
class Renewed {
 public:
  using Sources = std::map<std::string, WeightData>;
  Renewed(const Recipes& recipes, const Sources& sources) : recipes_(recipes), sources_(sources) {}

  // Null if it cannot be made from these. The sources must have all of its sources, with the types in the recipes.
  WeightData Make(const std::string& stored);

 private:
  WeightData MakeOf(const nlohmann::json& recipe, const std::string& stored);
  WeightDatas MakeAll(nlohmann::json recipe, const std::string& stored);

  const Recipes& recipes_;
  const Sources& sources_;
  std::map<std::string, WeightDatas> known_;  // by the text of a recipe, because its parts are made together
};

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_RECIPES_READ_RECIPES_H_
