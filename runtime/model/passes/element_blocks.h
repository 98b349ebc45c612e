// Elements of a tensor, whatever the pieces in which its bytes come.
#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_ELEMENT_BLOCKS_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_ELEMENT_BLOCKS_H_

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

#include "runtime/ir/graph.h"

namespace onnxport::passes {

inline constexpr size_t kBlockElements = 4096;

// Calls `visit` with spans of elements, which it may change.
// Pieces may end within an element, as a reader takes what its buffer holds; here they are filled up. All blocks but
// the last have kBlockElements.
template <typename T, typename Visit>
void ForEachBlock(const ir::TensorBytes& bytes, const Visit& visit) {
  std::vector<T> block(kBlockElements);
  const std::span<std::byte> buffer = std::as_writable_bytes(std::span(block));
  size_t filled = 0;
  bytes.Stream([&](std::span<const std::byte> piece) {
    while (!piece.empty()) {
      const size_t take = std::min(buffer.size() - filled, piece.size());
      std::memcpy(buffer.data() + filled, piece.data(), take);
      piece = piece.subspan(take);
      filled += take;
      if (filled < buffer.size()) return;
      visit(std::span(block));
      filled = 0;
    }
  });
  if (filled > 0) visit(std::span(block).first(filled / sizeof(T)));
}

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_ELEMENT_BLOCKS_H_
