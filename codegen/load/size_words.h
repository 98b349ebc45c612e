// Reads the sizes in `T[*lead, n, 2*k + 1]`.
#ifndef ONNXPORT_CODEGEN_LOAD_SIZE_WORDS_H_
#define ONNXPORT_CODEGEN_LOAD_SIZE_WORDS_H_

#include <set>
#include <string>
#include <vector>

#include "codegen/load/placed_text.h"
#include "codegen/source/diagnostics.h"

namespace onnxport::codegen {

// The names that sizes of results may use.
struct SizeNames {
  std::set<std::string> sizes;  // of axes of inputs, and int attributes
  std::set<std::string> lists;  // `*lead`, without the star
};

// Reads the sizes of an input: names, numbers, `?` and at most one `*name`. New names are added to `names`.
std::vector<std::string> ReadInputSizes(const PlacedText& text, SizeNames* names, Diagnostics* diagnostics);

// Reads the sizes of a result: expressions over those names (in the syntax of ir::Dim::Parse), `?`, and `*name`.
std::vector<std::string> ReadResultSizes(const PlacedText& text, const SizeNames& names, Diagnostics* diagnostics);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_LOAD_SIZE_WORDS_H_
