// Other traces as an option of the library. Environment: FIXTURE (folder of make_traces.py).
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "onnxport/export.h"
#include "runtime/archive/archive.h"
#include "runtime/testing/zip_writer.h"

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

std::vector<std::string> Archives() {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(std::getenv("FIXTURE"))) {
    const std::string path = entry.path().string();
    if (path.ends_with("/1.pt") && path.find("random") == std::string::npos) paths.push_back(path);
  }
  return paths;
}

void ExpectRefused(const Source& other) {
  ExportOptions options{.traced_sizes = {{"batch", 2}, {"seq", 10}}};
  options.inputs = {TensorInput("x", kFloat32, {Sym("batch"), Sym("seq"), 16})};
  options.other_traces = {{.source = other, .sizes = {{"batch", 3}, {"seq", 14}}}};
  const auto model = ExportHeads(options);
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().Text().find("internal error"), std::string::npos) << model.error().Text();
  EXPECT_TRUE(model.error().kind() == ErrorKind::kUsage || model.error().kind() == ErrorKind::kCannotExport ||
              model.error().kind() == ErrorKind::kBadInput)
      << model.error().Text();
}

TEST(OtherTraces, OfOtherModelsAreRefused) {
  EXPECT_GT(Archives().size(), 5u);
  for (const std::string& path : Archives()) {
    if (path.find("/Heads/") != std::string::npos) continue;
    SCOPED_TRACE(path);
    ExpectRefused(Source::File(path));
  }
}

// The archive of a trace without one of its files of code, of constants, of inputs.
TEST(OtherTraces, ThatAreNotWholeAreRefused) {
  const auto whole = archive::Archive::Open(std::string(std::getenv("FIXTURE")) + "/Heads/1.pt");
  int codes = 0;
  for (const auto& left_out : whole->records()) {
    if (!left_out.name.ends_with(".py")) continue;
    SCOPED_TRACE(left_out.name);
    archive::ZipContents rest;
    for (const auto& record : whole->records()) {
      if (record.name != left_out.name) rest.emplace_back(record.name, whole->ReadText(record, 1 << 24));
    }
    const std::string bytes = archive::WriteZip(rest);
    ExpectRefused(Source::Bytes(std::as_bytes(std::span(bytes))));
    ++codes;
  }
  EXPECT_GT(codes, 1);
}

TEST(OtherTraces, AreNotWrittenTo) {
  const std::string copy = testing::TempDir() + "/trace.pt";
  std::filesystem::copy_file(std::string(std::getenv("FIXTURE")) + "/Heads/1.pt", copy,
                             std::filesystem::copy_options::overwrite_existing);
  const auto size = std::filesystem::file_size(copy);
  ExportOptions options;
  options.inputs = {TensorInput("x", kFloat32, {Sym("batch"), Sym("seq"), 16})};
  options.other_traces = {{.source = Source::File(copy)}};
  const auto model = ExportHeads(options);
  ASSERT_TRUE(model) << model.error().Text();
  const auto saved = model->Save(copy);
  ASSERT_FALSE(saved);
  EXPECT_EQ(saved.error().kind(), ErrorKind::kUsage);
  EXPECT_EQ(std::filesystem::file_size(copy), size);
}

TEST(OtherTraces, SizesAreOfAxes) {
  const auto model = ExportHeads({.traced_sizes = {{"batch", 3}}});
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().kind(), ErrorKind::kUsage);
}

}  // namespace
}  // namespace onnxport
