// Follows nodes that only reorder and reshape a tensor, from the result back to their source.
#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_GRAPH_AXIS_MAP_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_GRAPH_AXIS_MAP_H_

#include <cstddef>
#include <optional>
#include <vector>

#include "runtime/ir/dim.h"
#include "runtime/onnx/permutation.h"

namespace onnxport::passes {

// Axes of the result and of a tensor that it is made of, both as products of the same factors. For a Reshape of [n,
// 2*c] to [n, c, 2] and a Transpose to [n, 2, c] the factors are 0: n, 1: 2 and 2: c. The result's axes are {0} {1}
// {2}, and the source's {0} {2 1}. Axes of size 1 have no factors.
class AxisMap {
 public:
  using Axis = std::vector<size_t>;  // factors, the outermost first
  using Axes = std::vector<Axis>;

  // Maps a tensor to itself.
  explicit AxisMap(const ir::Dims& result);

  // Go on to the operand of a node that gives the source. False when that cannot be said: nothing may be asked then.
  bool ThroughTranspose(const onnx_ops::Perm& perm);
  bool ThroughReshape(const ir::Dims& operand);

  const Axes& source() const { return source_; }
  const Axes& result() const { return result_; }
  const ir::Dim& size(size_t factor) const { return sizes_[factor]; }

  // The elements have the same order.
  bool IsReshape() const;
  // The order of axes that makes the result of the source; nothing when it takes more.
  std::optional<onnx_ops::Perm> AsTranspose() const;
  // The order of the source's axes in which the elements have the order of the result, so that a Reshape is left;
  // nothing when parts of an axis are moved.
  std::optional<onnx_ops::Perm> TransposeBeforeReshape() const;

 private:
  // Makes a factor one of size `outer` and one of `inner`, which is given back.
  size_t Split(size_t factor, const ir::Dim& outer, const ir::Dim& inner);

  Axes source_;
  Axes result_;
  std::vector<ir::Dim> sizes_;
};

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_GRAPH_AXIS_MAP_H_
