#include "runtime/ir/same_bytes.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <memory>

namespace onnxport::ir {
namespace {

XXH128_hash_t HashOf(const TensorData& data) {
  const std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> hash(XXH3_createState(), XXH3_freeState);
  XXH3_128bits_reset(hash.get());
  data.bytes->Stream(
      [&](std::span<const std::byte> piece) { XXH3_128bits_update(hash.get(), piece.data(), piece.size()); });
  return XXH3_128bits_digest(hash.get());
}

}  // namespace

bool SameBytes(const TensorData& a, const TensorData& b) {
  if (a.dtype != b.dtype || a.shape != b.shape) return false;
  // Without elements only the storage decides: two fake tensors with one storage are the same weight.
  if (a.bytes->absent() || b.bytes->absent()) {
    return a.bytes->absent() == b.bytes->absent() && a.bytes->storage() == b.bytes->storage();
  }
  return XXH128_isEqual(HashOf(a), HashOf(b)) != 0;
}

}  // namespace onnxport::ir
