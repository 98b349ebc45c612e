#include "tools/mutate/sites.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "codegen/load/libraries.h"
#include "codegen/load/load.h"

namespace onnxport::mutate {
namespace {

constexpr char kSpec[] =
    "spec: 1\n"
    "family: a\n"
    "ops:\n"
    "- op: aten::foo\n"
    "  let:\n"
    "    n: len(x) + 1\n"
    "  cases:\n"
    "    - when: n < 3 and opset > 12\n"
    "      emit: Mul(x, 0.5)\n"
    "    - emit: Add(x, x)\n"
    "  tests: ['foo(f32[2,3])']\n";

// Each site as "line:column was -> alternatives".
std::vector<std::string> Written(const std::vector<Site>& sites) {
  std::vector<std::string> written;
  for (const Site& site : sites) {
    std::string text =
        std::to_string(site.place.line) + ":" + std::to_string(site.place.column) + " " + site.was + " ->";
    for (const std::string& other : site.alternatives) text += " " + other;
    written.push_back(text);
  }
  return written;
}

std::vector<Site> Sites(const std::string& text) {
  codegen::Diagnostics diagnostics;
  const auto spec = codegen::LoadSpecFile("spec/aten/a.yaml", text, &diagnostics);
  EXPECT_EQ(diagnostics.ToText(), "");
  return spec ? SitesOf(*spec) : std::vector<Site>{};
}

TEST(Sites, AreNumbersOperatorsAndNodes) {
  EXPECT_THAT(Written(Sites(kSpec)),
              testing::UnorderedElementsAre("6:15 + -> -", "6:17 1 -> 2 0", "8:19 and -> or",
                                            "8:15 < -> <= >=", "8:17 3 -> 4 2", "8:29 > -> >= <=", "8:31 12 -> 13 11",
                                            "9:13 Mul -> Add", "9:20 0.5 -> (2.0 * 0.5)", "10:13 Add -> Mul"));
}

TEST(Sites, ACoefficientMayHaveAnotherDigit) {
  const std::vector<Site> sites = Sites(
      "spec: 1\n"
      "family: a\n"
      "ops:\n"
      "- op: aten::foo\n"
      "  emit: '[0.7071067811865476, 0.25, 1.29e-3, 9999.0]'\n");
  EXPECT_THAT(Written(sites),
              testing::UnorderedElementsAre("5:11 0.7071067811865476 -> (2.0 * 0.7071067811865476) 0.7071167811865476",
                                            "5:31 0.25 -> (2.0 * 0.25)", "5:37 1.29e-3 -> (2.0 * 1.29e-3) 1.28e-3",
                                            "5:46 9999.0 -> (2.0 * 9999.0) 9999.1"));
}

TEST(Sites, ADefinitionIsOfTheEntriesThatCallIt) {
  const std::vector<Site> sites = Sites(
      "spec: 1\n"
      "family: a\n"
      "ops:\n"
      "- def: inner(x)\n"
      "  emit: Relu(x * 2)\n"
      "- def: outer(x)\n"
      "  emit: inner(x)\n"
      "- op: aten::direct\n"
      "  emit: inner(self)\n"
      "  tests: ['direct(f32[2])']\n"
      "- op: aten::indirect\n"
      "  emit: outer(self)\n"
      "  tests: ['indirect(f32[2])']\n"
      "- op: aten::other\n"
      "  emit: Abs(self)\n"
      "  tests: ['other(f32[2])']\n");
  for (const Site& site : sites) {
    if (site.was != "2") continue;
    EXPECT_THAT(site.overloads, testing::ElementsAre("aten::direct", "aten::indirect"));
    return;
  }
  FAIL() << "no such site";
}

TEST(Sites, ADefinitionOfALibraryIsOfTheFamiliesThatCallIt) {
  codegen::Diagnostics diagnostics;
  const auto load = [&](const std::string& path, const std::string& text, const codegen::Libraries* libraries) {
    const std::string family = std::filesystem::path(path).stem();
    return codegen::LoadSpecFile(path, "spec: 1\nfamily: " + family + "\n" + text, &diagnostics, libraries);
  };
  const auto read =
      load("spec/lib/sums.yaml", "ops:\n- {def: inner(x), emit: x * 2}\n- {def: twice(x), emit: inner(x)}\n", nullptr);
  ASSERT_TRUE(read) << diagnostics.ToText();
  const codegen::Libraries libraries({*read}, &diagnostics);
  const std::string header = "import: [sums]\nops:\n";
  const auto a = load("spec/aten/a.yaml",
                      header +
                          "- {op: aten::foo, emit: twice(x)}\n- {op: aten::bar, emit: inner(x)}\n"
                          "- {op: aten::no, emit: x}\n",
                      &libraries);
  const auto b = load("spec/aten/b.yaml", header + "- {op: aten::baz, emit: twice(x)}\n", &libraries);
  ASSERT_TRUE(a && b) << diagnostics.ToText();
  const std::vector<Site> sites = SitesOfLibrary(libraries.all()[0], {*a, *b});
  ASSERT_THAT(Written(sites), testing::UnorderedElementsAre("4:27 * -> + /", "4:29 2 -> 3 1"));
  const std::map<std::string, std::vector<std::string>> expected = {{"spec/aten/a.yaml", {"aten::foo", "aten::bar"}},
                                                                    {"spec/aten/b.yaml", {"aten::baz"}}};
  EXPECT_EQ(sites[0].elsewhere, expected);
}

}  // namespace
}  // namespace onnxport::mutate
