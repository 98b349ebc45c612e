// Internal to RepairShapes: the rules for operators, one function each. A rule fills in unknown sizes of the results.
#ifndef ONNXPORT_RUNTIME_LOWERING_TYPES_SYMBOLIC_RULES_H_
#define ONNXPORT_RUNTIME_LOWERING_TYPES_SYMBOLIC_RULES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/ir/dim.h"
#include "runtime/lowering/types/inference.h"
#include "runtime/lowering/types/node_view.h"

namespace onnxport::lowering {

using Types = std::vector<InferredType>;

inline int64_t FromFront(int64_t axis, size_t rank) { return axis < 0 ? axis + static_cast<int64_t>(rank) : axis; }

// `dims` of the first result, made with `rank` unknown ones if there are none; null when the rank differs.
inline ir::Dims* Result(Types* types, size_t rank) {
  auto& dims = types->front().dims;
  if (!dims) dims.emplace(rank);
  return dims->size() == rank ? &*dims : nullptr;
}

inline void Set(ir::Dims* dims, size_t i, const ir::Dim& dim) {
  if ((*dims)[i].is_unknown()) (*dims)[i] = dim;
}

// symbolic_windows.cc: what slides over its input.
void ConvOrPool(const NodeView& node, Types* types);
void ConvTranspose(const NodeView& node, Types* types);
void Dft(const NodeView& node, Types* types);
void Stft(const NodeView& node, Types* types);

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_TYPES_SYMBOLIC_RULES_H_
