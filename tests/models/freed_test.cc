// Axes that torch.export made numbers, named by `--input`: free at every length, or refused with the call that depends
// on the number. Environment: FIXTURE (folder of make_freed.py), EXPORTER, ORT_RUNNER, ORT_RUNNER_NEW.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "onnx/checker.h"
#include "onnx/onnx_pb.h"
#include "runtime/verify/ort/compare.h"
#include "tests/models/fixture.h"

namespace onnxport::models {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> Archives() {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(Env("FIXTURE"))) {
    if (entry.path().extension() == ".pt2") found.push_back(entry.path());
  }
  return found;
}

Outcome ExportFree(const fs::path& archive, const fs::path& out) {
  const std::string input = ReadFile(fs::path(archive).replace_extension(".input"));
  return Export(archive.string() + " --input '" + input + "'", out, 18);
}

void Compare(const fs::path& archive, const fs::path& out) {
  onnx::ModelProto model;
  ASSERT_TRUE(model.ParseFromString(ReadFile(out)));
  ASSERT_NO_THROW(onnx::checker::check_model(model, /*full_check=*/true));
  for (int run = 0; run < 4; ++run) {
    const fs::path data = fs::path(archive).replace_extension("." + std::to_string(run));
    const auto response = RunModel(out, model, ReadTensors(data, "input"));
    ASSERT_EQ(response.error, "") << data;
    const auto expected = ReadTensors(data, "output");
    ASSERT_EQ(response.outputs.size(), expected.size());
    for (size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(ort::Difference(response.outputs[i], expected[i], {}), "") << data;
    }
  }
}

TEST(Freed, AnyLengthOrAReason) {
  const fs::path out = fs::path(testing::TempDir()) / "freed.onnx";
  int free = 0;
  int refused = 0;
  for (const fs::path& archive : Archives()) {
    SCOPED_TRACE(archive);
    const Outcome outcome = ExportFree(archive, out);
    const std::string reason = ReadFile(fs::path(archive).replace_extension(".refused"));
    if (reason.empty()) {
      ++free;
      EXPECT_EQ(outcome.status, 0) << outcome.text;
      EXPECT_THAT(outcome.text, testing::HasSubstr("note: free, though the file fixed it"));
      if (outcome.status == 0) Compare(archive, out);
    } else {
      ++refused;
      EXPECT_EQ(outcome.status, 1) << outcome.text;
      EXPECT_THAT(outcome.text, testing::HasSubstr(reason));
    }
  }
  EXPECT_GT(free, 15);
  EXPECT_GT(refused, 15);
}

}  // namespace
}  // namespace onnxport::models
