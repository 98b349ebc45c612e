// Words that are valid only at some places of a spec, each with its meaning.
#ifndef ONNXPORT_CODEGEN_HELP_WORDS_H_
#define ONNXPORT_CODEGEN_HELP_WORDS_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace onnxport::codegen {

struct WordHelp {
  std::string_view word;
  std::string form;  // with its operands: "range(axis, start, end, step)"
  std::string_view doc;
};
using WordList = std::vector<WordHelp>;

// Returns the words for the value of a trait, such as `alias`. Empty for a trait that takes calls of operators.
WordList TraitWords(std::string_view key);
// Returns the words in the calls of operators that `write_back`, `read_one` and `functional` take.
WordList TraitOperands();
// Returns them in the order of kRefinements.
WordList RefinementWords();
WordList PromoteKinds();
// The words that may follow `with` in a test.
WordList TestWords();

// float32, int64, bool ...
std::vector<std::string_view> DTypeWords();

// Returns nothing for an unknown word.
std::optional<WordHelp> FindHelp(const WordList& words, std::string_view word);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_HELP_WORDS_H_
