#ifndef ONNXPORT_RUNTIME_VERIFY_LIBTORCH_RELEASE_H_
#define ONNXPORT_RUNTIME_VERIFY_LIBTORCH_RELEASE_H_

#include <cstdint>

namespace onnxport::verify {

// Throws CannotCompare if the LibTorch that was loaded is of another release than the one that this was compiled with:
// its classes may have other members, and what it then computes says nothing of a model.
void CheckLibTorch();

// The same of what that LibTorch says of itself, written as TORCH_ABI_VERSION is. Patches of one release fit each
// other.
void CheckLibTorch(uint64_t loaded);

}  // namespace onnxport::verify

#endif  // ONNXPORT_RUNTIME_VERIFY_LIBTORCH_RELEASE_H_
