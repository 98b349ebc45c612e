// yaml_test PAGE...: the YAML of the pages is what the generator reads: whole files of specs, entries, tests of
// entries, profiles of targets.
#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <regex>
#include <string>
#include <vector>

#include "codegen/load/load.h"
#include "codegen/targets/profile.h"

namespace onnxport::codegen {
namespace {

struct Block {
  std::string place;
  std::string text;
};

std::vector<std::string> pages;

// Returns the text between ```yaml and ```.
std::vector<Block> BlocksOf(const std::string& page) {
  std::ifstream in(page);
  EXPECT_TRUE(in) << page;
  std::vector<Block> blocks;
  std::string line;
  bool inside = false;
  for (int number = 1; std::getline(in, line); ++number) {
    if (line == "```yaml") blocks.push_back({page + ":" + std::to_string(number), ""});
    if (inside && line != "```") blocks.back().text += line + "\n";
    inside = line == "```yaml" || (inside && line != "```");
  }
  return blocks;
}

std::string Errors(const std::string& text, const std::string& path) {
  Diagnostics diagnostics;
  const auto spec = LoadSpecFile(path, text, &diagnostics);
  const bool empty = !spec || (spec->ops.empty() && spec->schemas.empty());
  return diagnostics.has_errors() ? diagnostics.ToText() : empty ? "there is no entry in it" : "";
}

std::string ErrorsOfProfile(const std::string& text) {
  Diagnostics diagnostics;
  LoadProfile(std::make_shared<SourceFile>(SourceFile{"spec/targets/a.yaml", text}), &diagnostics);
  return diagnostics.ToText();
}

std::string Indented(const std::string& text) { return std::regex_replace(text, std::regex("(^|\n)(?=.)"), "$1  "); }

// By what it begins with.
std::string ErrorsOf(const std::string& text) {
  std::smatch family;
  if (text.starts_with("title:")) return ErrorsOfProfile(text);
  if (text.starts_with("tests:")) {
    const std::string entry =
        "- op: [aten::add.Tensor, aten::add.Scalar, aten::stack, aten::gelu, aten::linalg_svd]\n  emit: x\n";
    return Errors("spec: 1\nfamily: x\nops:\n" + entry + Indented(text), "x.yaml");
  }
  if (std::regex_search(text, family, std::regex("^spec: 1[\\s\\S]*?\nfamily: (\\w+)"))) {
    return Errors(text, family.str(1) + ".yaml");
  }
  return Errors("spec: 1\nfamily: x\nops:\n" + text, "x.yaml");
}

TEST(Yaml, IsWhatTheGeneratorReads) {
  size_t count = 0;
  for (const std::string& page : pages) {
    for (const Block& block : BlocksOf(page)) {
      EXPECT_EQ(ErrorsOf(block.text), "") << block.place;
      ++count;
    }
  }
  EXPECT_GE(count, 15u);
}

TEST(Yaml, MistakesAreSeen) {
  EXPECT_NE(ErrorsOf("- op: aten::relu\n  emmit: Relu(self)\n"), "");
  EXPECT_NE(ErrorsOf("spec: 1\nfamily: a\n\nops:\n- op: aten::relu\n  emit: Relu(self\n"), "");
  EXPECT_NE(ErrorsOf("tests:\n  - add(f32[2\n"), "");
  EXPECT_NE(ErrorsOf("title: A\noperators:\n  Abs: 7\n"), "");
  EXPECT_NE(ErrorsOf("# nothing\n"), "");
}

}  // namespace
}  // namespace onnxport::codegen

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  for (int i = 1; i < argc; ++i) {
    if (std::string(argv[i]).ends_with(".md")) onnxport::codegen::pages.push_back(argv[i]);
  }
  return RUN_ALL_TESTS();
}
