// Specs with tokens exchanged at random, by a fixed seed: whatever the loader accepts, checking it ends without a
// crash, and what the checks accept can be emitted.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "codegen/check/check.h"
#include "codegen/emit/cases.h"
#include "codegen/emit/family.h"
#include "codegen/emit/files.h"
#include "codegen/emit/template.h"
#include "codegen/load/load.h"
#include "codegen/specialize/specialize.h"

namespace onnxport::codegen {
namespace {

using Tokens = std::vector<std::string>;

bool IsWord(char letter) { return std::isalnum(static_cast<unsigned char>(letter)) || letter == '_'; }

// Words and numbers whole, everything else letter by letter.
Tokens Split(const std::string& text) {
  Tokens tokens;
  for (char letter : text) {
    if (IsWord(letter) && !tokens.empty() && IsWord(tokens.back().back()))
      tokens.back() += letter;
    else
      tokens.emplace_back(1, letter);
  }
  return tokens;
}

struct Source {
  std::string path;  // the family in the text is its stem
  Tokens tokens;
};

std::vector<Source> Corpus() {
  std::vector<std::string> paths;
  for (const auto& item : std::filesystem::directory_iterator("tests/golden/codegen"))
    if (item.path().extension() == ".yaml" && !item.path().stem().string().starts_with("bad_"))
      paths.push_back(item.path().string());
  std::ranges::sort(paths);
  std::vector<Source> corpus;
  for (const std::string& path : paths)
    corpus.push_back({"spec/aten/" + std::filesystem::path(path).filename().string(), Split(ReadFile(path))});
  return corpus;
}

class Mutator {
 public:
  Mutator() : corpus_(Corpus()) {
    for (const Source& source : corpus_)
      for (const std::string& token : source.tokens)
        if (IsWord(token[0])) words_.push_back(token);
  }

  struct Mutant {
    std::string path;
    std::string text;
  };
  Mutant Next() {
    const Source& source = corpus_[Pick(corpus_.size())];
    Tokens tokens = source.tokens;
    const size_t head = std::ranges::find(tokens, "ops") - tokens.begin() + 3;  // spec and family stay
    for (size_t count = 1 + Pick(3); count > 0; --count) Change(head, &tokens);
    Mutant mutant{source.path, {}};
    for (const std::string& token : tokens) mutant.text += token;
    return mutant;
  }

 private:
  size_t Pick(size_t count) { return std::uniform_int_distribution<size_t>(0, count - 1)(random_); }

  void Change(size_t head, Tokens* tokens) {
    size_t at = head + Pick(tokens->size() - head);
    while (at + 1 < tokens->size() && !IsWord((*tokens)[at][0])) ++at;
    if (Pick(8) == 0)
      tokens->erase(tokens->begin() + at);
    else
      (*tokens)[at] = words_[Pick(words_.size())];
  }

  std::mt19937 random_{20240501};
  std::vector<Source> corpus_;
  Tokens words_;
};

TEST(Mutants, AreRefusedOrEmitted) {
  const char* wanted = std::getenv("MUTANTS");
  const int count = wanted ? std::atoi(wanted) : 1500;
  Mutator mutator;
  Templates templates("templates");
  int loaded = 0;
  int emitted = 0;
  for (int i = 0; i < count; ++i) {
    const auto mutant = mutator.Next();
    SCOPED_TRACE(mutant.text);
    Diagnostics diagnostics;
    const auto spec = LoadSpecFile(mutant.path, mutant.text, &diagnostics);
    if (!spec) continue;
    ++loaded;
    std::optional<CheckedSpec> checked;
    ASSERT_NO_THROW(checked = Check(Specialize(*spec, {}), {}, &diagnostics));
    ASSERT_NE(checked.has_value(), diagnostics.has_errors());
    if (!checked) continue;
    ++emitted;
    FamilyCode family;
    ASSERT_NO_THROW(family = WriteFamily(*checked, &templates));
    ASSERT_NO_THROW(CasesText(*checked, family, &templates));
  }
  EXPECT_GT(loaded, count / 10);
  EXPECT_GT(emitted, count / 100);
}

}  // namespace
}  // namespace onnxport::codegen
