// Words that stand at some places of a spec only, each with what it means. words_test holds them to what the generator
// takes.
#ifndef ONNXPORT_CODEGEN_HELP_WORDS_H_
#define ONNXPORT_CODEGEN_HELP_WORDS_H_

#include <span>
#include <string_view>
#include <vector>

namespace onnxport::codegen {

struct WordHelp {
  std::string_view word;
  std::string_view form;  // with its operands: "range(axis, start, end, step)"
  std::string_view doc;
};

// Of a trait: "alias". Empty for one that takes calls of operators.
std::span<const WordHelp> TraitWords(std::string_view key);
// In the calls of operators that `write_back`, `read_one` and `functional` take.
std::span<const WordHelp> TraitFunctions();
// In the order of kRefinements.
std::span<const WordHelp> RefinementWords();
std::span<const WordHelp> PromoteKinds();
// What follows `with` in a test.
std::span<const WordHelp> TestWords();

// float32, int64, bool ...
std::vector<std::string_view> DTypeWords();

// Null for another word.
const WordHelp* FindWord(std::span<const WordHelp> words, std::string_view word);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_HELP_WORDS_H_
