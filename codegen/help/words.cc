#include "codegen/help/words.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "codegen/load/names.h"
#include "runtime/ir/dtype.h"

namespace onnxport::codegen {
namespace {

constexpr auto kOfAlias = std::to_array<WordHelp>({
    {"same", "same", "all elements, in the argument's shape: a new tensor"},
    {"itself", "itself", "the same, or the argument itself"},
    {"reshaped", "reshaped", "all elements in the same order"},
    {"reversed", "reversed", "the axes in reversed order"},
    {"swapped", "swapped(a, b)", "two axes exchanged; without operands the last two"},
    {"permuted", "permuted(dims)", "the axes in this order"},
    {"range", "range(axis, start, end, step)", "a part of an axis"},
    {"element", "element(axis, index)", "one index of an axis, which is gone"},
    {"expanded", "expanded", "elements may repeat; a write is refused where they do"},
    {"strided", "strided", "counted in memory"},
    {"maybe", "maybe", "perhaps, in a way that is not known"},
});
constexpr auto kOfCopies = std::to_array<WordHelp>({
    {"strides", "strides", "when they allow no view of the sizes"},
    {"layout", "layout", "when it is not in the memory format that is asked for"},
    {"conversion", "conversion", "when the dtype or the memory format changes, or `copy` is true"},
    {"training", "training", "when `train` is true and `p` is not 0"},
});
constexpr auto kOfLayout = std::to_array<WordHelp>({
    {"contiguous", "contiguous", "row-major"},
    {"as_inputs", "as_inputs", "row-major when all tensors are"},
    {"other", "other", "neither"},
});
constexpr auto kOfQuantized = std::to_array<WordHelp>({
    {"kept", "kept", "values stay on the tensor's grid"},
    {"rounded", "rounded", "values are rounded to the tensor's grid"},
    {"grid", "grid(scale, quint8, qint8)", "values are on a grid of the operator's own: its scale and zero points"},
});
constexpr auto kOfWrites = std::to_array<WordHelp>({
    {"nothing", "nothing", "contents and shapes stay the same, though the schema marks a write"},
    {"when", "when(training)", "while this argument is true, to what its `functional` call has results for"},
});
constexpr auto kFunctions = std::to_array<WordHelp>({
    {"sizes", "sizes(base)", "the sizes of a tensor"},
    {"inverse_perm", "inverse_perm(dims)", "the permutation that undoes another"},
    {"end", "end(start, length)", "where a part of an axis ends"},
    {"piece_start", "piece_start(axis)", "where this one of several results begins"},
    {"piece_end", "piece_end(axis)", "where it ends"},
    {"row_major", "row_major(sizes)", "the strides of a tensor without gaps"},
});
constexpr auto kOfRefinements = std::to_array<WordHelp>({
    {"axis", "axis(tensor)", "an axis of that argument, counted from the front"},
    {"axis_list", "axis_list(tensor)", "the same for a list; an int counts as a list of one"},
    {"must", "must(constant)", "this constant; any other value is refused"},
    {"ignore", "ignore", "not used, and that is right"},
    {"enum", "enum({0: \"none\"})", "the value on the right; one that is not listed is refused"},
    {"repeat_to", "repeat_to(n)", "n numbers: one number, or a list of one, is repeated"},
});
constexpr auto kOfPromotion = std::to_array<WordHelp>({
    {"default", "default", "as PyTorch promotes operands"},
    {"float", "float", "integers become float32 first"},
    {"bool", "bool", "the dtype in which two operands are compared"},
});
constexpr auto kOfTests = std::to_array<WordHelp>({
    {"opset", "opset=[9, 11]", "runs at these opsets only"},
    {"tol", "tol=1e-3", "absolute and relative tolerance"},
    {"compare", "compare=\"shape\"", "compares dtype and shape only; or \"distribution\", of random results"},
    {"holds", "holds=[a == b]", "relations, for results that are not unique"},
    {"refuses", "refuses=\"text\"", "the export must fail with this text in its message"},
    {"special", "special=\"reason\"", "no special values, and why"},
    {"domain", "domain=\"com.microsoft\"", "exports with this domain"},
    {"training", "training=True", "exports in training mode"},
    {"why", "why=\"reason\"", "why the test cannot be stricter"},
});

}  // namespace

std::span<const WordHelp> TraitWords(std::string_view key) {
  if (key == "alias") return kOfAlias;
  if (key == "copies") return kOfCopies;
  if (key == "layout") return kOfLayout;
  if (key == "quantized") return kOfQuantized;
  if (key == "writes") return kOfWrites;
  return {};
}

std::span<const WordHelp> TraitFunctions() { return kFunctions; }
std::span<const WordHelp> RefinementWords() { return kOfRefinements; }
std::span<const WordHelp> PromoteKinds() { return kOfPromotion; }
std::span<const WordHelp> TestWords() { return kOfTests; }

std::vector<std::string_view> DTypeWords() {
  std::vector<std::string_view> words;
  for (int64_t number = 1; ir::DTypeOfNumber(number) != ir::DType::kUndefined; ++number) {
    const std::string_view word = ir::Name(ir::DTypeOfNumber(number));
    if (IsDTypeWord(word)) words.push_back(word);
  }
  return words;
}

const WordHelp* FindWord(std::span<const WordHelp> words, std::string_view word) {
  const auto found = std::ranges::find(words, word, &WordHelp::word);
  return found == words.end() ? nullptr : &*found;
}

}  // namespace onnxport::codegen
