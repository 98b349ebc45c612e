// The examples of spec/README.md are what the loader reads.
#include <fstream>
#include <iterator>
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

const std::string kOperators =
    "spec: 1\nfamily: x\nops:\n- op: [aten::add.Tensor, aten::add.Scalar, aten::stack, aten::gelu]\n  emit: x\n";

TEST(Readme, ExamplesLoad) {
  const auto examples = Examples();
  // A whole file, the tutorial's twice, entries, definitions, traits, one that imports a library, operators of a
  // user's, a word that is an argument, tests, relations.
  ASSERT_EQ(examples.size(), 11u);
  EXPECT_EQ(OperatorsOf(examples[0], "pointwise.yaml"), 1);
  EXPECT_EQ(OperatorsOf(examples[1], "mine.yaml"), 1);
  EXPECT_EQ(OperatorsOf(examples[2], "mine.yaml"), 1);
  EXPECT_GE(OperatorsOf("spec: 1\nfamily: x\nops:\n" + examples[3], "x.yaml"), 8);
  EXPECT_EQ(OperatorsOf("spec: 1\nfamily: x\nops:\n" + examples[4], "x.yaml"), 1);
  EXPECT_EQ(OperatorsOf("spec: 1\nfamily: x\nops:\n" + examples[5], "x.yaml"), 1);
  EXPECT_EQ(OperatorsOf(examples[6], "mine.yaml"), 1);
  EXPECT_EQ(OperatorsOf("spec: 1\nfamily: x\nops:\n" + examples[7], "x.yaml"), 2);
  std::string tests;
  EXPECT_EQ(OperatorsOf("spec: 1\nfamily: x\nops:\n" + examples[8], "x.yaml"), 1);
  std::istringstream lines(examples[9]);
  for (std::string line; std::getline(lines, line);) tests += "  " + line + "\n";
  EXPECT_EQ(OperatorsOf(kOperators + tests, "x.yaml"), 1);
}

}  // namespace
}  // namespace onnxport::codegen
