// Models that were traced at several sizes, exported with free axes: right at sizes of none of the traces, or refused.
// Environment: FIXTURE (folder of make_traces.py), EXPORTER, ORT_RUNNER, ORT_RUNNER_NEW.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "onnx/checker.h"
#include "onnx/onnx_pb.h"
#include "runtime/verify/ort/compare.h"
#include "tests/models/fixture.h"

namespace onnxport::models {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::vector<std::string> LinesOf(const fs::path& path) {
  std::vector<std::string> lines;
  std::istringstream text(ReadFile(path));
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

// Folders of random programs, or the others.
std::vector<std::string> Cases(bool random) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(Env("FIXTURE"))) {
    if (entry.path().filename().string().starts_with("random") == random) names.push_back(entry.path().filename());
  }
  std::ranges::sort(names);
  return names;
}

// "0.pt --and 1.pt ... --input '...'"
std::string Words(const fs::path& folder) {
  std::string words = (folder / "0.pt").string();
  for (int i = 1; fs::exists(folder / (std::to_string(i) + ".pt")); ++i)
    words += " --and " + (folder / (std::to_string(i) + ".pt")).string();
  for (const std::string& flag : LinesOf(folder / "flags")) words += " '" + flag + "'";
  return words;
}

// Checks that ONNX Runtime's results for the model equal those of eager PyTorch.
void ExpectRight(const fs::path& out, const fs::path& folder) {
  onnx::ModelProto model;
  ASSERT_TRUE(model.ParseFromString(ReadFile(out)));
  ASSERT_NO_THROW(onnx::checker::check_model(model, /*full_check=*/true));
  ASSERT_TRUE(fs::exists(folder / "run1"));
  for (int run = 0; fs::exists(folder / ("run" + std::to_string(run))); ++run) {
    const fs::path data = folder / ("run" + std::to_string(run));
    const auto response = RunModel(out, model, ReadTensors(data, "input"));
    ASSERT_EQ(response.error, "") << data;
    const auto expected = ReadTensors(data, "output");
    ASSERT_EQ(response.outputs.size(), expected.size());
    for (size_t i = 0; i < expected.size(); ++i)
      EXPECT_EQ(ort::Difference(response.outputs[i], expected[i], {.absolute = 1e-4}), "") << data << " output " << i;
  }
}

class TracesTest : public testing::TestWithParam<std::string> {};

TEST_P(TracesTest, IsRightOrRefused) {
  const fs::path folder = fs::path(Env("FIXTURE")) / GetParam();
  const fs::path out = fs::path(testing::TempDir()) / (GetParam() + ".onnx");
  const Outcome outcome = Export(Words(folder), out, 18);
  if (const std::vector<std::string> refused = LinesOf(folder / "refused"); !refused.empty()) {
    EXPECT_EQ(std::to_string(outcome.status), refused[0]) << outcome.text;
    for (size_t i = 1; i < refused.size(); ++i) EXPECT_THAT(outcome.text, HasSubstr(refused[i]));
    return;
  }
  ASSERT_EQ(outcome.status, 0) << outcome.text;
  for (const std::string& remark : LinesOf(folder / "remarks")) EXPECT_THAT(outcome.text, HasSubstr(remark));
  ExpectRight(out, folder);
}

INSTANTIATE_TEST_SUITE_P(Cases, TracesTest, testing::ValuesIn(Cases(false)),
                         [](const auto& info) { return info.param; });

TEST(Traces, OfRandomProgramsAreRightOrRefused) {
  const std::vector<std::string> names = Cases(true);
  size_t right = 0;
  for (const std::string& name : names) {
    SCOPED_TRACE(name);
    const fs::path folder = fs::path(Env("FIXTURE")) / name;
    const fs::path out = fs::path(testing::TempDir()) / (name + ".onnx");
    const Outcome outcome = Export(Words(folder), out, 18);
    if (outcome.status == 0) {
      ++right;
      ExpectRight(out, folder);
    } else {
      EXPECT_EQ(outcome.status, 1) << outcome.text;
    }
  }
  std::cout << right << " of " << names.size() << " programs are right\n";
  EXPECT_GT(right, names.size() / 2);
}

}  // namespace
}  // namespace onnxport::models
