#include "runtime/sources/torch/state_keeper.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/core/Tensor.h>

#include <cstring>
#include <mutex>

namespace onnxport::torch_export {
namespace {

at::Tensor RandomState() {
  at::Generator generator = at::detail::getDefaultCPUGenerator();
  const std::scoped_lock lock(generator.mutex());
  return generator.get_state();
}

}  // namespace

StateKeeper::StateKeeper() : random_(RandomState()) {}

StateKeeper::~StateKeeper() {
  Restore();
  at::Generator generator = at::detail::getDefaultCPUGenerator();
  const std::scoped_lock lock(generator.mutex());
  generator.set_state(random_);
}

void StateKeeper::Keep(const at::Tensor& tensor) {
  if (!tensor.has_storage() || !tensor.device().is_cpu()) return;
  const c10::StorageImpl* key = tensor.storage().unsafeGetStorageImpl();
  if (copies_.contains(key) || tensor.storage().nbytes() == 0) return;
  copies_.emplace(key, Copy{.storage = tensor.storage(),
                            .bytes = {static_cast<const char*>(tensor.storage().data()), tensor.storage().nbytes()}});
}

void StateKeeper::Restore() {
  for (auto& [_, copy] : copies_) {
    if (copy.storage.nbytes() != copy.bytes.size()) continue;  // resized by the user, not by an operator
    // Unchanged memory is not written to: it may be read-only, such as that of a mapped file.
    if (std::memcmp(copy.storage.data(), copy.bytes.data(), copy.bytes.size()) == 0) continue;
    std::memcpy(copy.storage.mutable_data(), copy.bytes.data(), copy.bytes.size());
  }
  copies_.clear();
}

}  // namespace onnxport::torch_export
