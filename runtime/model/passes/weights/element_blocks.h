// Reads the elements of a tensor, for any sizes of the pieces of its bytes.
#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_WEIGHTS_ELEMENT_BLOCKS_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_WEIGHTS_ELEMENT_BLOCKS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>

#include "runtime/ir/graph.h"

namespace onnxport::passes {

// A block of floats and its result fit the processor's second-level cache, and the result is written without another
// copy.
inline constexpr size_t kBlockElements = size_t{64} << 10;

// Calls `visit` with spans of at most kBlockElements elements. They are not copied, except for an element that begins
// in one piece and ends in the next. `read` gets a sink for the pieces.
template <typename T, typename Read, typename Visit>
void ForEachBlockOf(const Read& read, const Visit& visit) {
  T split;
  const std::span<std::byte> buffer = std::as_writable_bytes(std::span(&split, 1));
  size_t filled = 0;
  read([&](std::span<const std::byte> piece) {
    while (!piece.empty()) {
      size_t take = std::min(piece.size() / sizeof(T), kBlockElements) * sizeof(T);
      if (filled == 0 && take > 0 && reinterpret_cast<uintptr_t>(piece.data()) % alignof(T) == 0) {
        visit(std::span(reinterpret_cast<const T*>(piece.data()), take / sizeof(T)));
      } else {
        take = std::min(buffer.size() - filled, piece.size());
        std::memcpy(buffer.data() + filled, piece.data(), take);
        filled = (filled + take) % sizeof(T);
        if (filled == 0) visit(std::span<const T>(&split, 1));
      }
      piece = piece.subspan(take);
    }
  });
}

// The same for a whole tensor.
template <typename T, typename Visit>
void ForEachBlock(const ir::TensorBytes& bytes, const Visit& visit) {
  ForEachBlockOf<T>([&bytes](const auto& sink) { bytes.Stream(sink); }, visit);
}

// The elements of `item` bytes that contain bytes [begin, begin + size) of a tensor.
struct ElementRange {
  ElementRange(int64_t begin, int64_t size, int64_t item)
      : first(begin / item), count((begin + size + item - 1) / item - first), skipped(begin - first * item) {}
  int64_t first;
  int64_t count;
  int64_t skipped;  // unwanted bytes of the first element
};

// Skips `skipped` bytes, then passes on `size` bytes. `sink` must outlive the result.
inline auto Clipped(int64_t skipped, int64_t size, const ir::ByteSink& sink) {
  return [skipped, size, &sink](std::span<const std::byte> piece) mutable {
    const int64_t from = std::min(skipped, static_cast<int64_t>(piece.size()));
    const int64_t count = std::min(size, static_cast<int64_t>(piece.size()) - from);
    if (count > 0) sink(piece.subspan(static_cast<size_t>(from), static_cast<size_t>(count)));
    skipped -= from;
    size -= count;
  };
}

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_WEIGHTS_ELEMENT_BLOCKS_H_
