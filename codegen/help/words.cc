#include "codegen/help/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "codegen/load/names.h"
#include "codegen/traits/words.h"
#include "runtime/ir/dtype.h"

namespace onnxport::codegen {
namespace {

template <typename E, size_t n>
WordList OfTable(const std::array<TraitWord<E>, n>& table) {
  WordList words;
  for (const TraitWord<E>& row : table) {
    if (row.word.empty()) continue;
    const std::string operands = row.operands.empty() ? "" : fmt::format("({})", row.operands);
    words.push_back({row.word, std::string(row.word) + operands, row.doc});
  }
  return words;
}

}  // namespace

WordList TraitWords(std::string_view key) {
  if (key == "alias") return OfTable(kAliasWords);
  if (key == "copies") return OfTable(kCopiesWords);
  if (key == "layout") return OfTable(kLayoutWords);
  if (key == "quantized") return OfTable(kQuantizedWords);
  if (key != "writes") return {};
  return {{"nothing", "nothing", "contents and shapes stay the same, though the schema marks a write"},
          {"when", "when(training)", "while this argument is true, to what its `functional` call has results for"}};
}

WordList TraitOperands() { return OfTable(kOperandWords); }

WordList RefinementWords() {
  return {{"axis", "axis(tensor)", "an axis of that argument, counted from the front"},
          {"axis_list", "axis_list(tensor)", "the same for a list; an int counts as a list of one"},
          {"must", "must(constant)", "this constant; any other value is refused"},
          {"ignore", "ignore", "not used, and that is right"},
          {"enum", "enum({0: \"none\"})", "the value on the right; one that is not listed is refused"},
          {"repeat_to", "repeat_to(n)", "n numbers: one number, or a list of one, is repeated"}};
}

WordList PromoteKinds() {
  return {{"default", "default", "as PyTorch promotes operands"},
          {"float", "float", "integers become float32 first"},
          {"bool", "bool", "the dtype in which two operands are compared"}};
}

WordList TestWords() {
  return {{"opset", "opset=[9, 11]", "runs at these opsets only"},
          {"tol", "tol=1e-3", "absolute and relative tolerance"},
          {"compare", "compare=\"shape\"", "compares dtype and shape only; or \"distribution\", of random results"},
          {"holds", "holds=[a == b]", "relations, for results that are not unique"},
          {"refuses", "refuses=\"text\"", "the export must fail with this text in its message"},
          {"special", "special=\"reason\"", "no special values, and why"},
          {"domain", "domain=\"com.microsoft\"", "exports with this domain"},
          {"keep", "keep=\"Attention\"", "exports with this operator kept"},
          {"training", "training=True", "exports in training mode"},
          {"why", "why=\"reason\"", "why the test cannot be stricter"}};
}

std::vector<std::string_view> DTypeWords() {
  std::vector<std::string_view> words;
  for (int64_t number = 1; ir::DTypeOfNumber(number) != ir::DType::kUndefined; ++number) {
    const std::string_view word = ir::Name(ir::DTypeOfNumber(number));
    if (IsDTypeWord(word)) words.push_back(word);
  }
  return words;
}

std::optional<WordHelp> FindHelp(const WordList& words, std::string_view word) {
  const auto found = std::ranges::find(words, word, &WordHelp::word);
  return found == words.end() ? std::nullopt : std::optional(*found);
}

}  // namespace onnxport::codegen
