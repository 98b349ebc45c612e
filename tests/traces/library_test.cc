// Other traces as an option of the library. Environment: FIXTURE (folder of make_traces.py).
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "onnxport/export.h"

namespace onnxport {
namespace {

Result<Model> ExportHeads(const ExportOptions& options) {
  return Export(Source::File(std::string(std::getenv("FIXTURE")) + "/Heads/0.pt"), options);
}

TEST(OtherTraces, TellWhatDependsOnTheAxes) {
  ExportOptions options;
  options.inputs = {TensorInput("x", kFloat32, {Sym("batch"), Sym("seq"), 16})};
  EXPECT_FALSE(ExportHeads(options));
  options.other_traces = {{.source = Source::File(std::string(std::getenv("FIXTURE")) + "/Heads/1.pt")}};
  const auto model = ExportHeads(options);
  ASSERT_TRUE(model) << model.error().Text();
  EXPECT_EQ(model->outputs().at(0).dims, (std::vector<Dim>{Sym("batch"), Sym("16*seq")}));
  EXPECT_EQ(model->outputs().at(1).dims, (std::vector<Dim>{Sym("batch*seq"), 16}));
}

// Sizes that contradict what the file has recorded, and sizes of nothing.
TEST(OtherTraces, SizesMustFit) {
  const struct {
    AxisSizes sizes;
    const char* message;
  } kCases[] = {
      {{{"x_axis0", 3}}, "the axis `x_axis0` is 3 in one place and 2 in another"},
      {{{"rows", 3}}, "no axis is called `rows`, whose size is given"},
  };
  for (const auto& test : kCases) {
    ExportOptions options{.traced_sizes = test.sizes};
    options.other_traces = {{.source = Source::File(std::string(std::getenv("FIXTURE")) + "/Heads/1.pt")}};
    const auto model = ExportHeads(options);
    ASSERT_FALSE(model);
    EXPECT_EQ(model.error().kind(), ErrorKind::kUsage);
    EXPECT_NE(model.error().Text().find(test.message), std::string::npos) << model.error().Text();
  }
}

TEST(OtherTraces, AreNeededForSizes) {
  const auto model = ExportHeads({.traced_sizes = {{"batch", 3}}});
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().kind(), ErrorKind::kUsage);
}

}  // namespace
}  // namespace onnxport
