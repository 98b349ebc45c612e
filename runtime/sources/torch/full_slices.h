// Slices that LibTorch leaves out where they are the whole axis.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCH_FULL_SLICES_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCH_FULL_SLICES_H_

#include <vector>

#include "runtime/sources/torch/compare_runs.h"

namespace onnxport::torch_export {

// Tensor::index({Slice(0, n)}) calls slice in runs where n is less than the size, and nothing, or alias, in those where
// it is not. Where one run has such a call, the others get it: of the whole axis, which is what they did.
void AddFullSlices(std::vector<Run>* runs);

}  // namespace onnxport::torch_export

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCH_FULL_SLICES_H_
