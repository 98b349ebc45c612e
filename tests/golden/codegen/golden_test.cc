// Spec files and what the generator makes of them: NAME.yaml -> NAME.expected.cc, or NAME.expected.txt with the
// diagnostics. With ONNXPORT_UPDATE_GOLDENS (a folder) in the environment the expected files are written there.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "codegen/check/check.h"
#include "codegen/emit/family.h"
#include "codegen/emit/files.h"
#include "codegen/emit/template.h"
#include "codegen/load/load.h"
#include "codegen/specialize/specialize.h"

namespace onnxport::codegen {
namespace {

constexpr char kFolder[] = "tests/golden/codegen/";

struct Result {
  std::string suffix;  // ".expected.cc" or ".expected.txt"
  std::string text;
};

Result Generate(const std::string& name) {
  Diagnostics diagnostics;
  const auto spec = LoadSpecFile("spec/aten/" + name + ".yaml", ReadFile(kFolder + name + ".yaml"), &diagnostics);
  const auto checked = spec ? Check(Specialize(*spec, {}), {}, &diagnostics) : std::nullopt;
  if (!checked) return {".expected.txt", diagnostics.ToText()};
  Templates templates("templates");
  return {".expected.cc", WriteFamily(*checked, &templates).code};
}

std::vector<std::string> Names() {
  std::vector<std::string> names;
  for (const auto& item : std::filesystem::directory_iterator(kFolder))
    if (item.path().extension() == ".yaml") names.push_back(item.path().stem().string());
  std::ranges::sort(names);
  return names;
}

class Golden : public testing::TestWithParam<std::string> {};

TEST_P(Golden, IsAsExpected) {
  const Result result = Generate(GetParam());
  if (const char* folder = std::getenv("ONNXPORT_UPDATE_GOLDENS")) {
    const std::string stem = std::string(folder) + "/" + kFolder + GetParam();
    std::filesystem::remove(stem + (result.suffix == ".expected.cc" ? ".expected.txt" : ".expected.cc"));
    std::ofstream(stem + result.suffix, std::ios::binary) << result.text;
    return;
  }
  const std::string path = kFolder + GetParam() + result.suffix;
  ASSERT_TRUE(std::filesystem::exists(path)) << "no " << path << "; the generator says:\n" << result.text;
  EXPECT_EQ(result.text, ReadFile(path)) << "if this is right: ./bazelw run //tests/golden:update";
}

INSTANTIATE_TEST_SUITE_P(Codegen, Golden, testing::ValuesIn(Names()), [](const auto& info) { return info.param; });

}  // namespace
}  // namespace onnxport::codegen
