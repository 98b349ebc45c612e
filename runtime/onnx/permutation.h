// Orders of axes, as Transpose has them: axis i of the result is axis perm[i] of the operand.
#ifndef ONNXPORT_RUNTIME_ONNX_PERMUTATION_H_
#define ONNXPORT_RUNTIME_ONNX_PERMUTATION_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/ir/graph.h"

namespace onnxport::onnx_ops {

using Perm = std::vector<int64_t>;

// Returns true if each number from 0 on is in it once.
bool IsPermutation(const Perm& perm);

// The order of a Transpose of a tensor of this rank; nothing for another node, or when it does not fit.
std::optional<Perm> PermOf(const ir::Node& node, size_t rank);

// That of a Transpose by `second` of one by `first`.
Perm Compose(const Perm& first, const Perm& second);

// That which undoes `perm`.
Perm Inverse(const Perm& perm);

// The value of the attribute.
ir::Arg ToArg(const Perm& perm);

}  // namespace onnxport::onnx_ops

#endif  // ONNXPORT_RUNTIME_ONNX_PERMUTATION_H_
