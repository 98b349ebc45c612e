#include "tools/mutate/mutants.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "codegen/source/diagnostics.h"

namespace onnxport::mutate {
namespace {

using testing::ElementsAre;

Mutant At(const std::string& path, int line, std::vector<std::string> overloads) {
  const auto file = std::make_shared<codegen::SourceFile>(codegen::SourceFile{path, "- a: 1\n  b: 2\n"});
  return {.site = {.place = {file, line, 6},
                   .was = std::to_string(line),
                   .alternatives = {"7"},
                   .overloads = std::move(overloads)},
          .becomes = "7"};
}

TEST(Mutants, ABatchIsMutatedAtAllItsSites) {
  EXPECT_EQ(Mutated({At("a", 1, {}), At("a", 2, {})}), "- a: 7\n  b: 7\n");
}

TEST(Mutants, MembersOfABatchShareNoOperator) {
  const std::vector<Batch> batches =
      Batches({At("a", 1, {"x", "y"}), At("a", 2, {"y"}), At("a", 2, {"z"}), At("b", 1, {"v"})});
  std::vector<std::vector<std::string>> first_overloads;
  for (const Batch& batch : batches) {
    first_overloads.emplace_back();
    for (const Mutant& mutant : batch) first_overloads.back().push_back(mutant.site.overloads[0]);
  }
  EXPECT_THAT(first_overloads, ElementsAre(ElementsAre("x", "z"), ElementsAre("y"), ElementsAre("v")));
}

TEST(Mutants, EquivalentOnesAreNotChosen) {
  const Equivalents equivalents = ReadEquivalents("# comment\na: b: 7\n  seven is two\n  here\na: c: 7\n  gone\n");
  EXPECT_EQ(equivalents.at("a: b: 7"), "seven is two here");
  const std::vector<Site> sites = {At("a", 1, {}).site, At("a", 2, {}).site};
  const std::vector<Mutant> mutants = Choose(sites, 2, 1, equivalents);
  ASSERT_EQ(mutants.size(), 1U);
  EXPECT_EQ(ToText(mutants[0]), "a:1:6: `1` -> `7` in `- a: 1`");
  EXPECT_THAT(Outdated(equivalents, sites), ElementsAre("a: c: 7"));
}

TEST(Mutants, ThoseOfAPlace) {
  const std::vector<Site> sites = {At("a", 1, {}).site, At("a", 2, {}).site, At("aa", 1, {}).site};
  EXPECT_EQ(AllAt("a", sites, {}).size(), 2U);
  EXPECT_EQ(AllAt("a:2:6", sites, {}).size(), 1U);
  EXPECT_EQ(AllAt("a:2", sites, {{"a: b: 7", "seven is two"}}).size(), 0U);
}

TEST(Mutants, EquivalentOnesHaveAReason) { EXPECT_THROW(ReadEquivalents("a: b: 7\n"), std::runtime_error); }

}  // namespace
}  // namespace onnxport::mutate
