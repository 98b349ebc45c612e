// The examples of spec/README.md are what the loader reads.
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "codegen/load/load.h"
#include "gtest/gtest.h"

namespace onnxport::codegen {
namespace {

// The blocks between ```yaml and ```.
std::vector<std::string> Examples() {
  std::ifstream in("spec/README.md");
  std::vector<std::string> examples;
  std::string line;
  bool inside = false;
  while (std::getline(in, line)) {
    if (line == "```yaml") examples.emplace_back();
    if (inside && line != "```") examples.back() += line + "\n";
    inside = line == "```yaml" || (inside && line != "```");
  }
  return examples;
}

int OperatorsOf(const std::string& text, const char* path) {
  Diagnostics diagnostics;
  const auto spec = LoadSpecFile(path, text, &diagnostics);
  EXPECT_FALSE(diagnostics.has_errors()) << diagnostics.ToText();
  return spec ? static_cast<int>(spec->ops.size()) : 0;
}

TEST(Readme, ExamplesLoad) {
  const auto examples = Examples();
  ASSERT_EQ(examples.size(), 3u);  // a whole file, entries, tests
  EXPECT_EQ(OperatorsOf(examples[0], "pointwise.yaml"), 1);
  EXPECT_GE(OperatorsOf("spec: 1\nfamily: x\nops:\n" + examples[1], "x.yaml"), 8);
  std::string tests;
  std::istringstream lines(examples[2]);
  for (std::string line; std::getline(lines, line);) tests += "  " + line + "\n";
  EXPECT_EQ(OperatorsOf("spec: 1\nfamily: x\nops:\n- op: aten::f\n  emit: x\n" + tests, "x.yaml"), 1);
}

}  // namespace
}  // namespace onnxport::codegen
