// `x[i, :, mask]` with PyTorch's meaning: which dimensions are indexed, and where they are in the result.
#ifndef ONNXPORT_RUNTIME_LOWERING_DSL_INDEXING_H_
#define ONNXPORT_RUNTIME_LOWERING_DSL_INDEXING_H_

#include <vector>

#include "runtime/lowering/dsl/context.h"

namespace onnxport::lowering {

// The rules: a bool mask of rank r stands for r index tensors. Missing indices at the end are full slices. The index
// tensors are broadcast together to a shape B. If the indexed dimensions are adjacent, the result has B in their place.
// Otherwise B comes first, and then the dimensions that are not indexed.
class Indexing {
 public:
  // Adds nodes that turn masks into index tensors. Throws Refusal for too many indices, or other dtypes.
  Indexing(Context* context, const Val& self, const Val& indices);

  const std::vector<int64_t>& at() const { return at_; }      // indexed dimensions, in order
  const std::vector<int64_t>& rest() const { return rest_; }  // the others
  // The index tensor of the i-th indexed dimension: int64; negative elements count from the end.
  const Val& index(size_t i) const { return indices_[i]; }
  // How many dimensions of `rest` come before B in the result.
  size_t before() const { return adjacent_ ? static_cast<size_t>(at_.front()) : 0; }
  int64_t rank_of_b() const;

  // Brings the indexed dimensions of self to the front.
  Val perm() const;
  // Index tuples [B..., k]. With `normal`, negative ones are counted from the front.
  Val Tuples(bool normal) const;
  // One index of shape B into the indexed dimensions flattened to one; never negative.
  Val Flat() const;
  // Permutations from B + rest to the order of the result, and back; None if the orders are equal.
  Val to_result() const;
  Val from_result() const;

  // index(i), counted from the front.
  Val Normal(size_t i) const;

 private:
  void AddMask(const Val& mask, int64_t dim);
  void Add(const Val& index, int64_t dim, bool not_negative);
  Vals Broadcast(Vals tensors) const;

  Context& context_;
  Val self_;
  std::vector<int64_t> at_;
  std::vector<int64_t> rest_;
  Vals indices_;
  std::vector<bool> not_negative_;
  bool adjacent_ = true;
};

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_DSL_INDEXING_H_
