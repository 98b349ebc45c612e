// The axes of a .pt2; those of TorchScript programs are tested in tests/script.
#include "onnxport/check_axes.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace onnxport::check_axes_test {
namespace {

using testing::HasSubstr;

const Source kMnist = Source::File("examples/mnist/mnist.pt2");
const Source kFeatures = Source::File("runtime/sources/pt2/testdata/features.pt2");

TEST(CheckAxes, TellsWhatTheFileLeavesFree) {
  const auto axes = CheckAxes(kMnist);
  ASSERT_TRUE(axes) << axes.error().Text();
  ASSERT_EQ(axes->size(), 4u);
  EXPECT_TRUE((*axes)[0].free);
  EXPECT_EQ((*axes)[0].axis.input, "x");
  EXPECT_EQ((*axes)[0].size.symbol(), "s77");
  EXPECT_FALSE((*axes)[2].free);
  EXPECT_THAT((*axes)[2].fixed_by, HasSubstr("with axis 2 of input 'x' ('size', 28 in the file) free"));
}

TEST(CheckAxes, TakesTheUsersInputs) {
  const auto named = CheckAxes(kMnist, {.inputs = {TensorInput("x", kFloat32, {Sym("batch"), 1, 28, 28})}});
  ASSERT_TRUE(named) << named.error().Text();
  EXPECT_TRUE((*named)[0].free);
  const auto fixed = CheckAxes(kMnist, {.inputs = {TensorInput("x", kFloat32, {8, 1, 28, 28})}});
  ASSERT_TRUE(fixed) << fixed.error().Text();
  EXPECT_FALSE((*fixed)[0].free);
  EXPECT_THAT((*fixed)[0].fixed_by, HasSubstr("it is free in the file, as s77"));
}

// The model is converted as an export does it.
TEST(CheckAxes, FailsAsTheExportDoes) {
  const struct {
    const Source& source;
    ExportOptions options;
    const char* text;
  } kCases[] = {
      {kMnist, {.inputs = {TensorInput("nothing", kFloat32, {1})}}, "no input 'nothing'"},
      {kMnist, {.inputs = {TensorInput("x", kFloat32, {Sym("batch"), 1, Sym("high"), 28})}}, "28 in the file) free"},
      {kMnist, {.opset = 99}, "opset 99 is not supported"},
      {kFeatures, {.opset = 7}, "cannot be exported at opset 7"},
  };
  for (const auto& test : kCases) {
    const auto axes = CheckAxes(test.source, test.options);
    ASSERT_FALSE(axes) << test.text;
    EXPECT_THAT(axes.error().Text(), HasSubstr(test.text));
    const auto model = Export(test.source, test.options);
    ASSERT_FALSE(model) << test.text;
    EXPECT_EQ(axes.error().Text(), model.error().Text());
  }
}

}  // namespace
}  // namespace onnxport::check_axes_test
