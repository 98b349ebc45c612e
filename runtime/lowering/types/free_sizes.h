#ifndef ONNXPORT_RUNTIME_LOWERING_TYPES_FREE_SIZES_H_
#define ONNXPORT_RUNTIME_LOWERING_TYPES_FREE_SIZES_H_

namespace onnxport::lowering {

// The assumptions about free sizes.
enum class FreeSizes {
  kAsExported,  // as in torch.export: a free size is neither 0 nor 1
  kAsStated,    // only the ranges of the graph
};

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_TYPES_FREE_SIZES_H_
