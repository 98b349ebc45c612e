// The good specs of this folder with tokens exchanged at random, by a fixed seed.
#ifndef ONNXPORT_TESTS_GOLDEN_CODEGEN_MUTATOR_H_
#define ONNXPORT_TESTS_GOLDEN_CODEGEN_MUTATOR_H_

#include <cstddef>
#include <random>
#include <string>
#include <vector>

namespace onnxport::codegen {

struct Mutant {
  std::string path;
  std::string text;
};

class Mutator {
 public:
  Mutator();
  Mutant Next();

 private:
  using Tokens = std::vector<std::string>;
  struct Source {
    std::string path;  // the family in the text is its stem
    Tokens tokens;
  };

  static std::vector<Source> Corpus();
  size_t Pick(size_t count) { return std::uniform_int_distribution<size_t>(0, count - 1)(random_); }
  void Change(size_t head, Tokens* tokens);

  std::mt19937 random_{20240501};
  std::vector<Source> corpus_;
  Tokens words_;
};

}  // namespace onnxport::codegen

#endif  // ONNXPORT_TESTS_GOLDEN_CODEGEN_MUTATOR_H_
