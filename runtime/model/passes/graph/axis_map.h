// Follows nodes that only reorder and reshape a tensor, from the result back to their source.
#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_GRAPH_AXIS_MAP_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_GRAPH_AXIS_MAP_H_

#include <cstddef>
#include <optional>
#include <vector>

#include "runtime/ir/dim.h"
#include "runtime/onnx/permutation.h"

namespace onnxport::passes {

// The axes of the result and of a tensor that it was made from, both as products of the same factors. For example, a
// Reshape turns [n, 2*c] into [n, c, 2], and a Transpose turns that into [n, 2, c]. The factors are 0: n, 1: 2 and 2:
// c. The result's axes are {0} {1} {2}, and the source's are {0} {2 1}. Axes of size 1 have no factors.
class AxisMap {
 public:
  using Axis = std::vector<size_t>;  // factors, outermost first
  using Axes = std::vector<Axis>;

  // Maps a tensor to itself.
  explicit AxisMap(const ir::Dims& result);

  // Continue at the operand of a node that makes the source. False if that is not possible; then ask nothing more.
  bool ThroughTranspose(const onnx_ops::Perm& perm);
  bool ThroughReshape(const ir::Dims& operand);

  const Axes& source() const { return source_; }
  const Axes& result() const { return result_; }
  const ir::Dim& size(size_t factor) const { return sizes_[factor]; }

  // Returns true if the elements have the same order.
  bool IsReshape() const;
  // The permutation that makes the result from the source; nothing if a Transpose is not enough.
  std::optional<onnx_ops::Perm> AsTranspose() const;
  // The permutation of the source after which only a Reshape is needed; nothing if parts of an axis are moved.
  std::optional<onnx_ops::Perm> TransposeBeforeReshape() const;

 private:
  // Splits a factor into one of size `outer` and one of size `inner`, and returns the second.
  size_t Split(size_t factor, const ir::Dim& outer, const ir::Dim& inner);

  Axes source_;
  Axes result_;
  std::vector<ir::Dim> sizes_;
};

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_GRAPH_AXIS_MAP_H_
