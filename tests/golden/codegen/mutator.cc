#include "tests/golden/codegen/mutator.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "codegen/source/files.h"

namespace onnxport::codegen {
namespace {

bool IsWord(char letter) { return std::isalnum(static_cast<unsigned char>(letter)) || letter == '_'; }

// Words and numbers whole, everything else letter by letter.
std::vector<std::string> Split(const std::string& text) {
  std::vector<std::string> tokens;
  for (char letter : text) {
    if (IsWord(letter) && !tokens.empty() && IsWord(tokens.back().back()))
      tokens.back() += letter;
    else
      tokens.emplace_back(1, letter);
  }
  return tokens;
}

}  // namespace

std::vector<Mutator::Source> Mutator::Corpus() {
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

Mutator::Mutator() : corpus_(Corpus()) {
  for (const Source& source : corpus_)
    for (const std::string& token : source.tokens)
      if (IsWord(token[0])) words_.push_back(token);
}

Mutant Mutator::Next() {
  const Source& source = corpus_[Pick(corpus_.size())];
  Tokens tokens = source.tokens;
  const size_t head = std::ranges::find(tokens, "ops") - tokens.begin() + 3;  // spec and family stay
  for (size_t count = 1 + Pick(3); count > 0; --count) Change(head, &tokens);
  Mutant mutant{source.path, {}};
  for (const std::string& token : tokens) mutant.text += token;
  return mutant;
}

void Mutator::Change(size_t head, Tokens* tokens) {
  size_t at = head + Pick(tokens->size() - head);
  while (at + 1 < tokens->size() && !IsWord((*tokens)[at][0])) ++at;
  if (Pick(8) == 0)
    tokens->erase(tokens->begin() + static_cast<std::ptrdiff_t>(at));
  else
    (*tokens)[at] = words_[Pick(words_.size())];
}

}  // namespace onnxport::codegen
