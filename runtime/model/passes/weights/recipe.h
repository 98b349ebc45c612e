// Recipes: how a weight of the model is made from weights of the program. With them, it can be made from other weights.
#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_WEIGHTS_RECIPE_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_WEIGHTS_RECIPE_H_

#include <atomic>
#include <cstddef>
#include <memory>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/ir/graph.h"

namespace onnxport::passes {

using WeightData = std::shared_ptr<const ir::TensorData>;
using WeightDatas = std::vector<WeightData>;

// Makes weights. `how` may come from a file. If it is invalid for these weights, `make` returns nothing or throws
// nlohmann::json's exception.
struct Maker {
  std::string_view name;
  // Returns one weight or several, some of which may be null; empty if it cannot make any. Null for kUnstated.
  WeightDatas (*make)(const nlohmann::json& how, const WeightDatas& of);
  // The condition on the elements that the pass checked before it made the weight; null: none.
  bool (*suits)(const nlohmann::json& how, const WeightDatas& of) = nullptr;
};

struct Recipe {
  const Maker* maker;
  nlohmann::json how;
  WeightDatas of;
};

// The bytes of a weight that was made, with its recipe.
class MadeBytes : public ir::TensorBytes {
 public:
  MadeBytes(std::shared_ptr<const Recipe> recipe, size_t part, WeightData data)
      : recipe_(std::move(recipe)), part_(part), data_(std::move(data)) {}

  void Stream(const ir::ByteSink& sink) const override;
  void StreamRange(int64_t begin, int64_t size, const ir::ByteSink& sink) const override;
  bool has_ranges() const override { return data_->bytes->has_ranges(); }

  void NoteReading() const;
  const Recipe& recipe() const { return *recipe_; }
  size_t part() const { return part_; }  // index in the recipe's results
  const ir::TensorData& data() const { return *data_; }

 private:
  std::shared_ptr<const Recipe> recipe_;
  size_t part_;
  WeightData data_;
  mutable std::atomic<bool> noted_ = false;  // atomic, because two threads may write weights
};

// Passes make weights with this function, so the recipe is always right.
WeightDatas Make(Recipe recipe);
// For a recipe with one weight; null if it cannot be made.
WeightData MakeOne(Recipe recipe);
// For weights that the code of the recipe's maker made from Unnoted(recipe.of).
WeightDatas MadeBy(Recipe recipe, WeightDatas made);
// For a weight that no recipe describes.
WeightData MadeUnstated(WeightData made, WeightDatas of);

// Notes that elements of these weights became part of the model. It notes the weights of the program behind them.
void NoteReading(const ir::TensorData& data);
// The same tensor, but reading it is not noted. For code that computes with it while the model is written.
WeightData Unnoted(const ir::TensorData& data);
WeightDatas Unnoted(const WeightDatas& datas);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_WEIGHTS_RECIPE_H_
