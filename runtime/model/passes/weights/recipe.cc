#include "runtime/model/passes/weights/recipe.h"

#include "runtime/ir/program_weight.h"
#include "runtime/model/passes/weights/makers.h"

namespace onnxport::passes {
void NoteReading(const ir::TensorData& data) {
  if (const auto* weight = dynamic_cast<const ir::ProgramWeight*>(data.bytes.get())) weight->NoteReading();
  if (const auto* made = dynamic_cast<const MadeBytes*>(data.bytes.get())) made->NoteReading();
}

// Only once, because recipes share sources.
void MadeBytes::NoteReading() const {
  if (noted_.exchange(true)) return;
  for (const WeightData& data : recipe_->of) passes::NoteReading(*data);
}

void MadeBytes::Stream(const ir::ByteSink& sink) const {
  NoteReading();
  data_->bytes->Stream(sink);
}

void MadeBytes::StreamRange(int64_t begin, int64_t size, const ir::ByteSink& sink) const {
  NoteReading();
  data_->bytes->StreamRange(begin, size, sink);
}

WeightDatas Make(Recipe recipe) {
  WeightDatas made = recipe.maker->make(recipe.how, Unnoted(recipe.of));
  return MadeBy(std::move(recipe), std::move(made));
}

WeightData MakeOne(Recipe recipe) {
  const WeightDatas made = Make(std::move(recipe));
  return made.empty() ? nullptr : made.front();
}

WeightDatas MadeBy(Recipe recipe, WeightDatas made) {
  const auto shared = std::make_shared<const Recipe>(std::move(recipe));
  for (size_t part = 0; part < made.size(); ++part) {
    WeightData& data = made[part];
    if (data == nullptr) continue;
    data = std::make_shared<const ir::TensorData>(ir::TensorData{
        .dtype = data->dtype, .shape = data->shape, .bytes = std::make_shared<MadeBytes>(shared, part, data)});
  }
  return made;
}

WeightData MadeUnstated(WeightData made, WeightDatas of) {
  return MadeBy({.maker = &kUnstated, .how = nullptr, .of = std::move(of)}, {std::move(made)}).front();
}

WeightData Unnoted(const ir::TensorData& data) {
  std::shared_ptr<const ir::TensorBytes> bytes = data.bytes;
  if (const auto* weight = dynamic_cast<const ir::ProgramWeight*>(bytes.get())) bytes = weight->data().bytes;
  if (const auto* made = dynamic_cast<const MadeBytes*>(bytes.get())) bytes = made->data().bytes;
  return std::make_shared<const ir::TensorData>(
      ir::TensorData{.dtype = data.dtype, .shape = data.shape, .bytes = std::move(bytes)});
}

WeightDatas Unnoted(const WeightDatas& datas) {
  WeightDatas unnoted;
  for (const WeightData& data : datas) unnoted.push_back(Unnoted(*data));
  return unnoted;
}

}  // namespace onnxport::passes
