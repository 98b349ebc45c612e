// The convert_to_onnx recipe as one command: a transformer, traced, with every batch and sequence axis free and all
// names given. Environment: FIXTURE (folder of make_recipe.py), EXPORTER, ORT_RUNNER, ORT_RUNNER_NEW.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "onnx/checker.h"
#include "onnx/onnx_pb.h"
#include "runtime/verify/ort/compare.h"
#include "tests/models/fixture.h"

namespace onnxport::models {
namespace {

namespace fs = std::filesystem;

class RecipeTest : public testing::TestWithParam<int> {};

TEST_P(RecipeTest, OneCommand) {
  const std::string stem = Env("FIXTURE") + "/recipe";
  const fs::path out = fs::path(testing::TempDir()) / ("recipe." + std::to_string(GetParam()) + ".onnx");
  const Outcome outcome = Export(stem +
                                     ".pt --input 'input_ids=i64[batch_size,sequence]'"
                                     " --input 'attention_mask=i64[batch_size,sequence]'"
                                     " --input 'token_type_ids=i64[batch_size,sequence]'"
                                     " --output-names output",
                                 out, GetParam());
  ASSERT_EQ(outcome.status, 0) << outcome.text;
  onnx::ModelProto model;
  ASSERT_TRUE(model.ParseFromString(ReadFile(out)));
  ASSERT_EQ(model.opset_import(0).version(), GetParam());
  ASSERT_NO_THROW(onnx::checker::check_model(model, /*full_check=*/true));
  for (const onnx::ValueInfoProto& input : model.graph().input()) {
    ASSERT_EQ(input.type().tensor_type().shape().dim_size(), 2) << input.name();
    EXPECT_EQ(input.type().tensor_type().shape().dim(0).dim_param(), "batch_size") << input.name();
    EXPECT_EQ(input.type().tensor_type().shape().dim(1).dim_param(), "sequence") << input.name();
  }
  ASSERT_EQ(model.graph().output_size(), 1);
  EXPECT_EQ(model.graph().output(0).name(), "output");
  EXPECT_EQ(model.graph().output(0).type().tensor_type().shape().dim(0).dim_param(), "batch_size");
  for (int run = 0; run < 3; ++run) {
    const fs::path data = stem + "." + std::to_string(run);
    const auto response = RunModel(out, model, ReadTensors(data, "input"));
    ASSERT_EQ(response.error, "");
    ASSERT_EQ(response.outputs.size(), 1U);
    EXPECT_EQ(ort::Difference(response.outputs[0], ReadTensors(data, "output").at(0), {}), "") << data;
  }
}

INSTANTIATE_TEST_SUITE_P(Opsets, RecipeTest, testing::Values(12, 13),
                         [](const auto& info) { return "opset" + std::to_string(info.param); });

}  // namespace
}  // namespace onnxport::models
