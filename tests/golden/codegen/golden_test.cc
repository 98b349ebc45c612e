// Spec files and what the generator makes of them: NAME.yaml -> NAME.expected.cc, or NAME.expected.txt with the
// diagnostics. One is a real one: spec/aten/windows.yaml. With ONNXPORT_UPDATE_GOLDENS (a folder) in the environment
// the expected files are written there.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "codegen/check/check.h"
#include "codegen/declare/declare.h"
#include "codegen/emit/family.h"
#include "codegen/source/files.h"
#include "codegen/emit/template.h"
#include "codegen/load/libraries.h"
#include "codegen/load/load.h"
#include "codegen/specialize/specialize.h"

namespace onnxport::codegen {
namespace {

constexpr char kFolder[] = "tests/golden/codegen/";
constexpr char kSchemas[] = "tests/golden/codegen/argument_names_schemas.txt";
constexpr char kRealFamily[] = "windows";

struct Result {
  std::string suffix;  // ".expected.cc" or ".expected.txt"
  std::string text;
};

Libraries ReadAllLibraries() {
  Diagnostics diagnostics;
  Libraries libraries = ReadLibraries(LibraryFiles("."), &diagnostics);
  EXPECT_EQ(diagnostics.ToText(), "");
  return libraries;
}

// Of a file that is here, or of the workspace.
Result Generate(const std::string& name) {
  Diagnostics diagnostics;
  const Libraries libraries = ReadAllLibraries();
  const std::string shown = "spec/aten/" + name + ".yaml";
  const std::string path = name == kRealFamily ? shown : kFolder + name + ".yaml";
  const auto spec = LoadSpecFile(shown, ReadFile(path), &diagnostics, &libraries);
  const auto checked = spec ? Check(Specialize(*spec), {}, &diagnostics) : std::nullopt;
  if (!checked) return {".expected.txt", diagnostics.ToText()};
  Templates templates("templates");
  return {".expected.cc", WriteFamily(*checked, &templates).code};
}

std::vector<std::string> Names() {
  std::vector<std::string> names = {kRealFamily};
  for (const auto& item : std::filesystem::directory_iterator(kFolder))
    if (item.path().extension() == ".yaml") names.push_back(item.path().stem().string());
  std::ranges::sort(names);
  return names;
}

// What all specs may use, before any of them is read.
class Domains : public testing::Environment {
  void SetUp() override {
    Diagnostics diagnostics;
    Declarations domains;
    for (const std::string& path : DomainPaths("."))
      AddNodeSchemas(*LoadSpecFile(path, ReadFile(path), &diagnostics), &domains, &diagnostics);
    ReadAtenSchemas(kSchemas, ReadFile(kSchemas), &domains, &diagnostics);
    Declare(domains);
  }
};

[[maybe_unused]] const auto* const kDomains = testing::AddGlobalTestEnvironment(new Domains);

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

// As clang-format would have it, for whoever reads it.
TEST(RealFamilies, HaveNoLineOfMoreThan120Columns) {
  Diagnostics diagnostics;
  const Libraries libraries = ReadAllLibraries();
  Templates templates("templates");
  for (const std::string& path : SpecPaths(".")) {
    auto spec = LoadSpecFile(path, ReadFile(path), &diagnostics, &libraries);
    ASSERT_TRUE(spec);
    const auto checked = Check(Specialize(std::move(*spec)), {}, &diagnostics);
    ASSERT_TRUE(checked) << diagnostics.ToText();
    std::istringstream lines(WriteFamily(*checked, &templates).code);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 120u) << path << ": " << line;
  }
}

INSTANTIATE_TEST_SUITE_P(Codegen, Golden, testing::ValuesIn(Names()), [](const auto& info) { return info.param; });

}  // namespace
}  // namespace onnxport::codegen
