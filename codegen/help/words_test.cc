#include "codegen/help/words.h"

#include <string_view>
#include <vector>

#include "codegen/load/load.h"
#include "codegen/model/spec.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace onnxport::codegen::words_test {
namespace {

using testing::ElementsAreArray;

std::vector<std::string_view> WordsOf(const WordList& words) {
  std::vector<std::string_view> list;
  for (const WordHelp& word : words) list.push_back(word.word);
  return list;
}

TEST(Words, OfRefinementsAreThoseThatAreTaken) {
  std::vector<std::string_view> names;
  for (size_t i = 0; i < kRefinements.size(); ++i) names.push_back(NameOf(static_cast<RefineKind>(i)));
  EXPECT_THAT(WordsOf(RefinementWords()), ElementsAreArray(names));
}

std::string MistakesOf(const std::string& entry) {
  Diagnostics diagnostics;
  LoadSpecFile("x.yaml", "spec: 1\nfamily: x\nops:\n- op: aten::relu\n  emit: self\n" + entry, &diagnostics);
  return diagnostics.ToText();
}

TEST(Words, OfTestsAndPromotionAreThoseThatAreTaken) {
  std::string list;
  for (const WordHelp& word : TestWords()) list += (list.empty() ? "" : ", ") + std::string(word.word);
  EXPECT_THAT(MistakesOf("  tests: ['relu(f32[2]) with nothing=1']\n"), testing::HasSubstr("(words: " + list + ")"));
  for (const WordHelp& word : PromoteKinds())
    EXPECT_EQ(MistakesOf("  promote: {of: [self], kind: " + std::string(word.word) + "}\n"), "");
  EXPECT_NE(MistakesOf("  promote: {of: [self], kind: other}\n"), "");
}

}  // namespace
}  // namespace onnxport::codegen::words_test
