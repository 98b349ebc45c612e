// The words that traits are stated with: what each is for a reader of specs, for the runtime and in C++.
#ifndef ONNXPORT_CODEGEN_TRAITS_WORDS_H_
#define ONNXPORT_CODEGEN_TRAITS_WORDS_H_

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/aten/op_traits.h"

namespace onnxport::codegen {

// A row of the tables below. spec/README.md shows `word` with `operands` and `doc`; a test holds the two together.
template <typename E>
struct TraitWord {
  E value;
  std::string_view cpp;   // the enumerator
  std::string_view word;  // empty: not written in a spec
  std::string_view doc;
  std::string_view operands = "";  // what may follow in brackets: "axis, index"
  size_t least = 0, most = 0;      // how many of them
};

// An enumerator and its name.
#define ONNXPORT_NAMED(Enum, name) Enum::name, #name

inline constexpr auto kAliasWords = std::to_array<TraitWord<op_traits::Alias>>({
    {ONNXPORT_NAMED(op_traits::Alias, kUnknown), "", ""},
    {ONNXPORT_NAMED(op_traits::Alias, kSame), "same", "the argument's elements in its shape, as a new tensor"},
    {ONNXPORT_NAMED(op_traits::Alias, kItself), "itself", "the same, or the argument itself"},
    {ONNXPORT_NAMED(op_traits::Alias, kReshaped), "reshaped", "all elements in the same order"},
    {ONNXPORT_NAMED(op_traits::Alias, kReversed), "reversed", "the axes in reverse order"},
    {ONNXPORT_NAMED(op_traits::Alias, kSwapped), "swapped", "two axes exchanged; the last two if none are named",
     "a, b", 0, 2},
    {ONNXPORT_NAMED(op_traits::Alias, kPermuted), "permuted", "the axes in the order that is listed", "dims", 1, 1},
    {ONNXPORT_NAMED(op_traits::Alias, kRange), "range",
     "a part of an axis; leave out operands that the operator lacks. Several results follow each other on the axis",
     "axis, start, end, step", 1, 4},
    {ONNXPORT_NAMED(op_traits::Alias, kElement), "element",
     "one index of an axis, which is removed; several results are one index each", "axis, index", 1, 2},
    {ONNXPORT_NAMED(op_traits::Alias, kExpanded), "expanded",
     "elements may repeat; a write to some that do is refused"},
    {ONNXPORT_NAMED(op_traits::Alias, kStrided), "strided", "counted in memory"},
    {ONNXPORT_NAMED(op_traits::Alias, kPlaced), "placed",
     "elements, each once at most. A write goes where the call itself finds them, without a `write_back`"},
    {ONNXPORT_NAMED(op_traits::Alias, kWindows), "windows",
     "the same of windows, which overlap unless `step` is at least `size`"},
    {ONNXPORT_NAMED(op_traits::Alias, kMaybe), "maybe",
     "the result of a call with one tensor may be a view, in an unknown way. A read of one after a write to the "
     "other is refused"},
});

inline constexpr auto kCopiesWords = std::to_array<TraitWord<op_traits::Copies>>({
    {ONNXPORT_NAMED(op_traits::Copies, kNever), "", ""},
    {ONNXPORT_NAMED(op_traits::Copies, kStrides), "strides", "they allow no view"},
    {ONNXPORT_NAMED(op_traits::Copies, kLayout), "layout", "the memory format differs"},
    {ONNXPORT_NAMED(op_traits::Copies, kConversion), "conversion", "the dtype or memory format changes, or `copy`"},
    {ONNXPORT_NAMED(op_traits::Copies, kTraining), "training", "`train`, and `p` is not 0"},
    {ONNXPORT_NAMED(op_traits::Copies, kComplex), "complex", "complex tensors"},
});

inline constexpr auto kLayoutWords = std::to_array<TraitWord<op_traits::Layout>>({
    {ONNXPORT_NAMED(op_traits::Layout, kUnstated), "", ""},
    {ONNXPORT_NAMED(op_traits::Layout, kContiguous), "contiguous", "row-major"},
    {ONNXPORT_NAMED(op_traits::Layout, kAsInputs), "as_inputs", "row-major when all tensors are"},
    {ONNXPORT_NAMED(op_traits::Layout, kOther), "other", "any other"},
});

inline constexpr auto kQuantizedWords = std::to_array<TraitWord<op_traits::Quantized>>({
    {ONNXPORT_NAMED(op_traits::Quantized, kUnsupported), "", ""},
    {ONNXPORT_NAMED(op_traits::Quantized, kKept), "kept", "values stay on its grid"},
    {ONNXPORT_NAMED(op_traits::Quantized, kRounded), "rounded", "they are rounded to it"},
    {ONNXPORT_NAMED(op_traits::Quantized, kGrid), "grid", "to a grid of the operator's own",
     "scale, zero point of quint8, of qint8", 3, 3},
});

// The operands of a call in `write_back`, `read_one` or `functional`. Those with operands are functions.
inline constexpr auto kOperandWords = std::to_array<TraitWord<op_traits::Operand::Kind>>({
    {ONNXPORT_NAMED(op_traits::Operand::Kind, kBase), "base", "what the view was made of, as it is now"},
    {ONNXPORT_NAMED(op_traits::Operand::Kind, kPart), "part", "in `write_back`: the view's new value"},
    {ONNXPORT_NAMED(op_traits::Operand::Kind, kOutput), "output", "the number of the result"},
    {ONNXPORT_NAMED(op_traits::Operand::Kind, kNumber), "", ""},
    {ONNXPORT_NAMED(op_traits::Operand::Kind, kArgument), "", ""},
    {ONNXPORT_NAMED(op_traits::Operand::Kind, kSizes), "sizes", "the sizes of the base", "base", 1, 1},
    {ONNXPORT_NAMED(op_traits::Operand::Kind, kInversePerm), "inverse_perm", "the permutation that undoes this one",
     "dims", 1, 1},
    {ONNXPORT_NAMED(op_traits::Operand::Kind, kEnd), "end",
     "where a piece of this length ends; `start` may count from the end", "start, length", 2, 2},
    {ONNXPORT_NAMED(op_traits::Operand::Kind, kPieceStart), "piece_start",
     "of results that follow each other on an axis: where this one begins; `size` is the argument with the usual size",
     "axis, size", 1, 2},
    {ONNXPORT_NAMED(op_traits::Operand::Kind, kPieceEnd), "piece_end", "where it ends", "axis, size", 1, 2},
    {ONNXPORT_NAMED(op_traits::Operand::Kind, kRowMajor), "row_major",
     "the strides of a row-major tensor of these sizes", "sizes", 1, 1},
});

#undef ONNXPORT_NAMED

// Rows are found by their enumerators: none may be missing, up to the last one.
template <typename E, size_t n>
constexpr bool HasAll(const std::array<TraitWord<E>, n>& table, E last) {
  for (size_t i = 0; i < n; ++i)
    if (table[i].value != static_cast<E>(i)) return false;
  return n == static_cast<size_t>(last) + 1;
}
static_assert(HasAll(kAliasWords, op_traits::Alias::kMaybe) && HasAll(kCopiesWords, op_traits::Copies::kComplex) &&
              HasAll(kLayoutWords, op_traits::Layout::kOther) && HasAll(kQuantizedWords, op_traits::Quantized::kGrid) &&
              HasAll(kOperandWords, op_traits::Operand::Kind::kRowMajor));

template <typename E, size_t n>
constexpr std::string_view NameOf(const std::array<TraitWord<E>, n>& table, E value) {
  return table[static_cast<size_t>(value)].cpp;
}

// Null for a word that is not in the table.
template <typename E, size_t n>
constexpr const TraitWord<E>* FindWord(const std::array<TraitWord<E>, n>& table, std::string_view word) {
  const auto found = std::ranges::find(table, word, &TraitWord<E>::word);
  return word.empty() || found == table.end() ? nullptr : &*found;
}

// Those that can be written, for messages.
template <typename E, size_t n>
std::vector<std::string_view> WordsOf(const std::array<TraitWord<E>, n>& table) {
  std::vector<std::string_view> words;
  for (const TraitWord<E>& row : table)
    if (!row.word.empty()) words.push_back(row.word);
  return words;
}

// The mistake of another number of operands: "`element` takes 1 to 2 in brackets: axis, index"; empty if `count` is
// right.
template <typename E>
std::string WrongCount(const TraitWord<E>& row, size_t count) {
  if (count >= row.least && count <= row.most) return {};
  if (row.most == 0) return fmt::format("`{}` takes nothing in brackets", row.word);
  const std::string range = row.least == row.most ? "" : fmt::format("{} to ", row.least);
  return fmt::format("`{}` takes {}{} in brackets: {}", row.word, range, row.most, row.operands);
}

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_TRAITS_WORDS_H_
