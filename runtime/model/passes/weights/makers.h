// Makers, which make weights from other weights.
#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_WEIGHTS_MAKERS_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_WEIGHTS_MAKERS_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

#include "runtime/model/passes/weights/byte_layout.h"
#include "runtime/model/passes/weights/recipe.h"

namespace onnxport::passes {

extern const Maker kViewed;      // as another type: ["int32", [4, 3]]
extern const Maker kTransposed;  // a permutation: [1, 0]
extern const Maker kCast;        // "float16"
extern const Maker kRounded;     // the same, for a weight whose numbers all fit
extern const Maker kPieces;      // of several: {"type": ["float32", [4, 3]], "ranges": [[source, begin, size], ...]}
// The weight and the bias of a layer into which a batch norm was folded. They are made from weight, scale, bias, mean,
// variance and perhaps the layer's own bias. {"axis": 0, "epsilon": 1e-5}
extern const Maker kBatchNorm;
extern const Maker kWeightNorm;  // from direction and size: the axis
extern const Maker kUnstated;    // in a way that no recipe describes

nlohmann::json TypeJson(ir::DType dtype, const std::vector<int64_t>& shape);
nlohmann::json PiecesJson(const ByteLayout& layout);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_WEIGHTS_MAKERS_H_
