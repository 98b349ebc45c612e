// Restores slices that LibTorch leaves out because they are the whole axis.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCH_FULL_SLICES_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCH_FULL_SLICES_H_

#include <vector>

#include "runtime/sources/torch/compare_runs.h"

namespace onnxport::torch_export {

// Tensor::index({Slice(0, n)}) calls slice only if n is less than the size; otherwise it calls nothing, or alias. If
// one run has such a call, the others get a slice of the whole axis, which does the same as their code.
void AddFullSlices(std::vector<Run>* runs);

}  // namespace onnxport::torch_export

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCH_FULL_SLICES_H_
