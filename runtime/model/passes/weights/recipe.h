// How a weight of the model is made of weights of the program: stated, so that it can be made of others.
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

// Makes weights. `how` may come from a file: whatever is in it, `make` gives nothing or throws nlohmann::json's
// exception where it makes no sense for these weights.
struct Maker {
  std::string_view name;
  // One weight or several, of which some may be null; empty: of these it makes none. Null for what nobody can state.
  WeightDatas (*make)(const nlohmann::json& how, const WeightDatas& of);
  // The condition that the pass has looked for in the elements before it made the weight; null: none.
  bool (*suits)(const nlohmann::json& how, const WeightDatas& of) = nullptr;
};

struct Recipe {
  const Maker* maker;
  nlohmann::json how;
  WeightDatas of;
};

// Bytes of a weight that was made, with the recipe.
class MadeBytes : public ir::TensorBytes {
 public:
  MadeBytes(std::shared_ptr<const Recipe> recipe, size_t part, WeightData data)
      : recipe_(std::move(recipe)), part_(part), data_(std::move(data)) {}

  void Stream(const ir::ByteSink& sink) const override;
  void StreamRange(int64_t begin, int64_t size, const ir::ByteSink& sink) const override;
  bool has_ranges() const override { return data_->bytes->has_ranges(); }

  void NoteReading() const;
  const Recipe& recipe() const { return *recipe_; }
  size_t part() const { return part_; }  // of what the recipe makes
  const ir::TensorData& data() const { return *data_; }

 private:
  std::shared_ptr<const Recipe> recipe_;
  size_t part_;
  WeightData data_;
  mutable std::atomic<bool> noted_ = false;  // weights may be written by two threads
};

// Passes make weights with this, so that the recipe is what was done.
WeightDatas Make(Recipe recipe);
// For a recipe of one weight; null where it makes none.
WeightData MakeOne(Recipe recipe);
// For weights that were made of Unnoted(recipe.of) by the code that the recipe's maker runs.
WeightDatas MadeBy(Recipe recipe, WeightDatas made);
// For one that no recipe states.
WeightData MadeUnstated(WeightData made, WeightDatas of);

// Notes that elements of these weights became part of the model: of a weight of the program, or of those that it is
// made of.
void NoteReading(const ir::TensorData& data);
// The same tensor, read without notice: by what computes of it while the model is written.
WeightData Unnoted(const ir::TensorData& data);
WeightDatas Unnoted(const WeightDatas& datas);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_WEIGHTS_RECIPE_H_
