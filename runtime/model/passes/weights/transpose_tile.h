// Transposes square tiles of items in vector registers.
#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_WEIGHTS_TRANSPOSE_TILE_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_WEIGHTS_TRANSPOSE_TILE_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

namespace onnxport::passes {

inline constexpr size_t kVectorBytes = 16;  // every 64-bit processor has such vectors

// Items in a vector, which is also the number of rows and columns of a tile: 4 for items of four bytes.
template <typename T>
inline constexpr size_t kTileSide = kVectorBytes / sizeof(T);

template <typename T>
struct VectorOf {
  typedef T type __attribute__((vector_size(kVectorBytes)));
};
template <typename T>
using Vector = typename VectorOf<T>::type;

// Interleaves a0 b0 a1 b1 ... the halves of two vectors that begin at kFirst.
template <size_t kFirst, typename T, size_t... kIndex>
[[gnu::always_inline]] inline Vector<T> Interleave(Vector<T> a, Vector<T> b, std::index_sequence<kIndex...>) {
  return __builtin_shufflevector(a, b, (kFirst + kIndex / 2 + kIndex % 2 * kTileSide<T>)...);
}

// Like shuffling cards. kSide can be halved some number of times. After that many perfect shuffles of row i with row i
// + kSide / 2, rows and columns are exchanged. For two rows, a0 a1 and b0 b1, one shuffle is enough: a0 b0, a1 b1.
// Templates unroll everything, because vectors in an array with a loop would not stay in registers.
template <size_t kParts, typename T, size_t... kIndex>
[[gnu::always_inline]] inline void Shuffle(Vector<T>* rows, std::index_sequence<kIndex...> items) {
  if constexpr (kParts > 1) {
    constexpr size_t kHalf = sizeof...(kIndex) / 2;
    const Vector<T> shuffled[] = {
        Interleave<kIndex % 2 * kHalf, T>(rows[kIndex / 2], rows[kIndex / 2 + kHalf], items)...};
    ((rows[kIndex] = shuffled[kIndex]), ...);
    Shuffle<kParts / 2, T>(rows, items);
  }
}

template <typename T, size_t... kIndex>
[[gnu::always_inline]] inline void TransposeTile(const std::byte* from, size_t from_row, std::byte* to, size_t to_row,
                                                 std::index_sequence<kIndex...> items) {
  Vector<T> rows[sizeof...(kIndex)];
  (std::memcpy(&rows[kIndex], from + kIndex * from_row, kVectorBytes), ...);
  Shuffle<sizeof...(kIndex), T>(rows, items);
  (std::memcpy(to + kIndex * to_row, &rows[kIndex], kVectorBytes), ...);
}

// Transposes. Rows of the source are `from_row` bytes apart, rows of the result `to_row` bytes.
template <typename T>
[[gnu::always_inline]] inline void TransposeTile(const std::byte* from, size_t from_row, std::byte* to, size_t to_row) {
  TransposeTile<T>(from, from_row, to, to_row, std::make_index_sequence<kTileSide<T>>());
}

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_WEIGHTS_TRANSPOSE_TILE_H_
