#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "runtime/ir/program_weight.h"
#include "runtime/model/passes/quantize/quantized_recipe.h"
#include "runtime/model/passes/recipes/read_recipes.h"
#include "runtime/model/passes/recipes/write_recipes.h"
#include "runtime/model/passes/weights/makers.h"
#include "runtime/testing/error_of.h"

namespace onnxport::passes {
namespace {

using ir::DType;

WeightData Floats(std::vector<int64_t> shape, const std::vector<float>& elements) {
  return ir::MakeTensor(DType::kFloat32, std::move(shape),
                        {reinterpret_cast<const char*>(elements.data()), elements.size() * sizeof(float)});
}

WeightData OfProgram(const WeightData& data, std::vector<std::string> names) {
  return std::make_shared<const ir::TensorData>(
      ir::TensorData{data->dtype, data->shape, std::make_shared<ir::ProgramWeight>(std::move(names), data)});
}

// A model of one stored weight, and the program of these.
std::string Stated(const std::string& name, const WeightData& stored, const WeightDatas& program, bool used = true) {
  ir::Graph model;
  ir::Value value;
  value.name = name;
  model.weights.push_back({.value = model.AddValue(value), .name = name, .data = stored});
  ir::Graph calls;
  for (const WeightData& data : program) {
    calls.weights.push_back({.value = calls.AddValue({}), .name = "", .data = data});
    if (used) calls.body.outputs.push_back({calls.weights.back().value});
  }
  return WriteRecipes(model, calls);
}

std::string Bytes(const WeightData& data) { return data == nullptr ? "none" : ir::BytesOf(*data->bytes); }

WeightData Again(const Recipes& recipes, const std::string& stored, const Renewed::Sources& sources) {
  return Renewed(recipes, sources).Make(stored);
}

class RecipesTest : public testing::Test {
 protected:
  WeightData w_ = OfProgram(Floats({2, 3}, {0, 1, 2, 3, 4, 5}), {"w"});
  WeightData other_ = Floats({2, 3}, {5, 6, 7, 8, 9, 10});
  WeightData turned_ = MakeOne({.maker = &kTransposed, .how = {1, 0}, .of = {w_}});
};

TEST_F(RecipesTest, NothingIsStatedOfPlainWeights) { EXPECT_EQ(Stated("w", w_, {w_}), ""); }

TEST_F(RecipesTest, ARenamedOneIsStated) {
  EXPECT_EQ(Stated("p", w_, {w_}), R"({"made":{"p":"w"},"of":{"w":["float32",[2,3]]}})");
}

TEST_F(RecipesTest, NamesAreTextsOfJson) {
  EXPECT_EQ(Stated("a\"b\\c\n", w_, {w_}), R"({"made":{"a\"b\\c\n":"w"},"of":{"w":["float32",[2,3]]}})");
  EXPECT_EQ(Stated("\u00e9", w_, {w_}), "{\"made\":{\"\u00e9\":\"w\"},\"of\":{\"w\":[\"float32\",[2,3]]}}");
  EXPECT_EQ(Stated("\xff", w_, {w_}), "{\"made\":{\"\ufffd\":\"w\"},\"of\":{\"w\":[\"float32\",[2,3]]}}");
}

TEST_F(RecipesTest, IsMadeAgainOfOthers) {
  const std::string text = Stated("w.T", turned_, {w_});
  EXPECT_EQ(text, R"({"made":{"w.T":{"of":["w"],"transpose":[1,0]}},"of":{"w":["float32",[2,3]]}})");
  const Recipes recipes(text, "m.onnx");
  EXPECT_EQ(recipes.SourcesOf("w.T"), std::vector<std::string>{"w"});
  const WeightData made = Again(recipes, "w.T", {{"w", other_}});
  ASSERT_NE(made, nullptr);
  EXPECT_EQ(made->shape, (std::vector<int64_t>{3, 2}));
  EXPECT_EQ(Bytes(made), Bytes(Floats({3, 2}, {5, 8, 6, 9, 7, 10})));
}

TEST_F(RecipesTest, StepsAfterOneAnother) {
  const WeightData rounded = MakeOne({.maker = &kRounded, .how = "float16", .of = {turned_}});
  const Recipes recipes(Stated("h", rounded, {w_}), "m.onnx");
  const WeightData made = Again(recipes, "h", {{"w", other_}});
  ASSERT_NE(made, nullptr);
  EXPECT_EQ(made->dtype, DType::kFloat16);
  EXPECT_EQ(Bytes(made), Bytes(MakeOne({.maker = &kRounded,
                                        .how = "float16",
                                        .of = {MakeOne({.maker = &kTransposed, .how = {1, 0}, .of = {other_}})}})));
  EXPECT_EQ(Again(recipes, "h", {{"w", Floats({2, 3}, {1e9F, 0, 0, 0, 0, 0})}}), nullptr);  // beyond float16
}

TEST_F(RecipesTest, AViewHasTheBytesOfTheWhole) {
  const auto view = std::make_shared<const ir::TensorData>(ir::TensorData{DType::kInt32, {6}, turned_->bytes});
  const Recipes recipes(Stated("v", view, {w_}), "m.onnx");
  const WeightData made = Again(recipes, "v", {{"w", other_}});
  ASSERT_NE(made, nullptr);
  EXPECT_EQ(made->dtype, DType::kInt32);
  EXPECT_EQ(made->shape, std::vector<int64_t>{6});
}

TEST_F(RecipesTest, PartsOfSeveral) {
  const QuantizedAs as = {.type = WeightType::kInt8, .axis = 0};
  const QuantizedTensor quantized = Quantized(other_, as, "w");
  const WeightDatas parts = MadeBy(QuantizedRecipe(w_, as), {quantized.elements, quantized.scales});
  EXPECT_EQ(Stated("w.int8", parts[0], {w_}),
            R"({"made":{"w.int8":{"of":["w"],"quantize":{"axis":0,"type":"int8"}}},"of":{"w":["float32",[2,3]]}})");
  const Recipes recipes(Stated("w.int8_scale", parts[1], {w_}), "m.onnx");
  EXPECT_EQ(Bytes(Again(recipes, "w.int8_scale", {{"w", other_}})), Bytes(quantized.scales));
}

TEST_F(RecipesTest, WhatIsReadIsStatedWithItsHash) {
  const std::string plain = Stated("w.T", turned_, {w_});
  EXPECT_FALSE(Recipes(plain, "m.onnx").read().contains("w"));
  Bytes(turned_);  // of what is made of it
  EXPECT_TRUE(Recipes(Stated("w.T", turned_, {w_}), "m.onnx").read().contains("w"));
  EXPECT_FALSE(Recipes(Stated("w.T", turned_, {w_}, /*used=*/false), "m.onnx").read().contains("w"));
}

TEST_F(RecipesTest, WhatNoRecipeStates) {
  const WeightData mixed = MakeOne({.maker = &kPieces,
                                    .how = {{"type", {"float32", {4, 3}}}, {"ranges", {{0, 0, 24}, {1, 0, 24}}}},
                                    .of = {w_, other_}});  // a constant of the program, which the model does not have
  for (const WeightData& data : {mixed, MadeUnstated(other_, {w_})}) {
    const Recipes recipes(Stated("m", data, {w_}), "m.onnx");
    EXPECT_EQ(recipes.SourcesOf("m"), std::vector<std::string>{"w"});
    EXPECT_FALSE(recipes.IsStated("m"));
  }
}

TEST_F(RecipesTest, ManyStepsThatShareTheirs) {
  const auto norm = [](const WeightDatas& before, const WeightData& c) {
    return Make(
        {.maker = &kBatchNorm, .how = {{"axis", 0}, {"epsilon", 0.5}}, .of = {before[0], c, c, c, c, before[1]}});
  };
  const WeightData c = OfProgram(Floats({2}, {1, 1}), {"c"});
  WeightDatas made = {w_, c};
  for (int i = 0; i < 100; ++i) made = norm(made, c);
  const Recipes recipes(Stated("m", made[1], {w_, c}), "m.onnx");
  EXPECT_FALSE(recipes.IsStated("m"));
  EXPECT_EQ(recipes.SourcesOf("m"), (std::vector<std::string>{"c", "w"}));
  EXPECT_EQ(Bytes(made[1]).size(), 2 * sizeof(float));
}

TEST_F(RecipesTest, AConstantWithTheNameOfAWeight) {
  EXPECT_TRUE(Recipes(Stated("w", other_, {w_}), "m.onnx").IsConstant("w"));
  EXPECT_EQ(Stated("c", other_, {w_}), "");
}

TEST_F(RecipesTest, NamesOfATiedWeight) {
  const WeightData tied = OfProgram(other_, {"a", "b"});
  EXPECT_EQ(Stated("a", tied, {tied}), R"({"tied":{"b":"a"}})");
  EXPECT_EQ(Stated("b", tied, {tied}), R"({"made":{"b":"a"},"of":{"a":["float32",[2,3]]},"tied":{"b":"a"}})");
}

TEST_F(RecipesTest, DamageIsSaid) {
  for (const std::string text : {"{", "[]", "7", R"({"made":7})", R"({"made":{"a":"b"}})", R"({"made":{"a":{}}})",
                                 R"({"tied":{"a":1}})", R"({"of":{"a":[]}})"}) {
    EXPECT_EQ(ErrorOf(ErrorKind::kBadInput, [&] { Recipes(text, "m.onnx"); }).substr(0, 8), "m.onnx: ") << text;
  }
  EXPECT_EQ(ErrorOf(ErrorKind::kBadInput, [] { Recipes(std::string(1000000, '['), "m.onnx"); }).substr(0, 8),
            "m.onnx: ");
}

}  // namespace
}  // namespace onnxport::passes
