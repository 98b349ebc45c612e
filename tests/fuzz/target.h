// A fuzz target: a reader of text or bytes, with a maker of inputs that knows its grammar.
#ifndef ONNXPORT_TESTS_FUZZ_TARGET_H_
#define ONNXPORT_TESTS_FUZZ_TARGET_H_

#include <span>
#include <string>
#include <string_view>

#include "tests/fuzz/random.h"

namespace onnxport::fuzz {

struct Target {
  std::string_view name;
  // An input; the same for the same numbers.
  std::string (*make)(Random* random);
  // Reads it. Returns or throws Error for what the reader refuses; anything else is a finding, as is a property that
  // does not hold (Check).
  void (*run)(const std::string& input);
};

extern const Target kPickle;
extern const Target kSource;
extern const Target kJson;
extern const Target kExpression;
extern const Target kZip;
extern const Target kYaml;

// Ends the process with a message unless `holds`.
void Check(bool holds, std::string_view property, std::string_view input);

// The text with a few tokens taken out, doubled, exchanged, moved to another place, or replaced by one of `words` or of
// `other`. Tokens are words, numbers, quoted texts, line ends with the blanks after them, and single characters.
std::string Mutated(std::string_view text, std::string_view other, std::span<const std::string_view> words,
                    Random* random);

// A text from tests/fuzz/seeds/NAME, which has them one after the other between lines "----".
const std::string& Seed(std::string_view name, Random* random);

}  // namespace onnxport::fuzz

#endif  // ONNXPORT_TESTS_FUZZ_TARGET_H_
