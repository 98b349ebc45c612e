#include "runtime/model/passes/recipes/hash_of.h"

#define XXH_INLINE_ALL
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <xxhash.h>

#include <memory>
#include <span>

namespace onnxport::passes {

std::string HashOf(const ir::TensorData& data) {
  const std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> hash(XXH3_createState(), XXH3_freeState);
  XXH3_128bits_reset(hash.get());
  const std::string type = fmt::format("{}[{}]", ir::Name(data.dtype), fmt::join(data.shape, ","));
  XXH3_128bits_update(hash.get(), type.data(), type.size());
  data.bytes->Stream(
      [&](std::span<const std::byte> piece) { XXH3_128bits_update(hash.get(), piece.data(), piece.size()); });
  const XXH128_hash_t digest = XXH3_128bits_digest(hash.get());
  return fmt::format("{:016x}{:016x}", digest.high64, digest.low64);
}

}  // namespace onnxport::passes
