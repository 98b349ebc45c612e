#ifndef ONNXPORT_RUNTIME_VERIFY_PROGRAM_LIBTORCH_RELEASE_H_
#define ONNXPORT_RUNTIME_VERIFY_PROGRAM_LIBTORCH_RELEASE_H_

#include <cstdint>

namespace onnxport::verify {

// Throws CannotCompare if the loaded LibTorch is of another release than the one that this was compiled with. Its
// classes may have other members, and its results then say nothing about a model.
void CheckLibTorch();

// The same of what that LibTorch says of itself, written as TORCH_ABI_VERSION is. Patches of one release fit each
// other.
void CheckLibTorch(uint64_t loaded);

}  // namespace onnxport::verify

#endif  // ONNXPORT_RUNTIME_VERIFY_PROGRAM_LIBTORCH_RELEASE_H_
