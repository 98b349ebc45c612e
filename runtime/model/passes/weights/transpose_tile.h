// Square tiles of items, transposed in vector registers.
#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_WEIGHTS_TRANSPOSE_TILE_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_WEIGHTS_TRANSPOSE_TILE_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

namespace onnxport::passes {

inline constexpr size_t kVectorBytes = 16;  // that every processor of 64 bits has

// Items in a vector, and so rows and columns of a tile: 4 of four bytes.
template <typename T>
inline constexpr size_t kTileSide = kVectorBytes / sizeof(T);

template <typename T>
struct VectorOf {
  typedef T type __attribute__((vector_size(kVectorBytes)));
};
template <typename T>
using Vector = typename VectorOf<T>::type;

// a0 b0 a1 b1 ... of the half of both vectors that begins at kFirst.
template <size_t kFirst, typename T, size_t... kIndex>
[[gnu::always_inline]] inline Vector<T> Interleave(Vector<T> a, Vector<T> b, std::index_sequence<kIndex...>) {
  return __builtin_shufflevector(a, b, (kFirst + kIndex / 2 + kIndex % 2 * kTileSide<T>)...);
}

// Like shuffling cards: kSide has some number of halvings. After as many perfect shuffles of row i with row i + kSide /
// 2, rows and columns have changed places for each item. For two rows, a0 a1 and b0 b1, one is enough: a0 b0, a1 b1.
// Everything is spelled out by templates, as vectors in an array that a loop walks over would not stay in registers.
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

// Rows `from_row` bytes apart become columns: rows of the result are `to_row` bytes apart.
template <typename T>
[[gnu::always_inline]] inline void TransposeTile(const std::byte* from, size_t from_row, std::byte* to, size_t to_row) {
  TransposeTile<T>(from, from_row, to, to_row, std::make_index_sequence<kTileSide<T>>());
}

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_WEIGHTS_TRANSPOSE_TILE_H_
