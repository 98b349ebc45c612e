// Orders of axes, as in Transpose: axis i of the result is axis perm[i] of the operand.
#ifndef ONNXPORT_RUNTIME_ONNX_PERMUTATION_H_
#define ONNXPORT_RUNTIME_ONNX_PERMUTATION_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/ir/graph.h"

namespace onnxport::onnx_ops {

using Perm = std::vector<int64_t>;

// Returns true if it contains each number from 0 on once.
bool IsPermutation(const Perm& perm);

// Returns the order of a Transpose of a tensor of this rank. Returns nothing for another node, or if the order does not
// fit the rank.
std::optional<Perm> PermOf(const ir::Node& node, size_t rank);

// Returns the order of a Transpose by `first` and then by `second`.
Perm Compose(const Perm& first, const Perm& second);

// Returns the order that undoes `perm`.
Perm Inverse(const Perm& perm);

// Makes the value of the attribute.
ir::Arg ToArg(const Perm& perm);

}  // namespace onnxport::onnx_ops

#endif  // ONNXPORT_RUNTIME_ONNX_PERMUTATION_H_
