// The words that traits are stated with, in the order of the enumerators of runtime/op_traits.
#ifndef ONNXPORT_CODEGEN_TRAITS_WORDS_H_
#define ONNXPORT_CODEGEN_TRAITS_WORDS_H_

#include <array>
#include <string_view>

namespace onnxport::codegen {

// Index 0 cannot be written: nothing is stated. What they mean: runtime/aten/op_traits.h. A word is turned into its
// enumerator by its place, so a new one goes into both, at the same place, and into the names of table.cc.
inline constexpr auto kAliasWords =
    std::to_array<std::string_view>({"", "same", "itself", "reshaped", "reversed", "swapped", "permuted", "range",
                                     "element", "expanded", "strided", "maybe"});
inline constexpr auto kCopiesWords =
    std::to_array<std::string_view>({"", "strides", "layout", "conversion", "training"});
inline constexpr auto kLayoutWords = std::to_array<std::string_view>({"", "contiguous", "as_inputs", "other"});
inline constexpr auto kQuantizedWords = std::to_array<std::string_view>({"", "kept", "rounded", "grid"});

// In the order of op_traits::Operand::Kind, from kSizes on: functions of calls.
inline constexpr auto kCallFunctions =
    std::to_array<std::string_view>({"sizes", "inverse_perm", "end", "piece_start", "piece_end", "row_major"});

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_TRAITS_WORDS_H_
