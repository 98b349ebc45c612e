#include "runtime/onnx/permutation.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "runtime/ir/read_node.h"

namespace onnxport::onnx_ops {

bool IsPermutation(const Perm& perm) {
  Perm sorted = perm;
  std::ranges::sort(sorted);
  for (size_t i = 0; i < sorted.size(); ++i) {
    if (sorted[i] != static_cast<int64_t>(i)) return false;
  }
  return true;
}

std::optional<Perm> PermOf(const ir::Node& node, size_t rank) {
  if (node.op != "Transpose") return std::nullopt;
  if (FindAttribute(node, "perm") == nullptr) {
    Perm reversed(rank);
    std::iota(reversed.rbegin(), reversed.rend(), 0);
    return reversed;
  }
  std::optional<Perm> perm = IntsAttribute(node, "perm");
  return perm && perm->size() == rank && IsPermutation(*perm) ? perm : std::nullopt;
}

Perm Compose(const Perm& first, const Perm& second) {
  Perm perm;
  for (const int64_t axis : second) perm.push_back(first[static_cast<size_t>(axis)]);
  return perm;
}

Perm Inverse(const Perm& perm) {
  Perm inverse(perm.size());
  for (size_t i = 0; i < perm.size(); ++i) inverse[static_cast<size_t>(perm[i])] = static_cast<int64_t>(i);
  return inverse;
}

ir::Arg ToArg(const Perm& perm) {
  ir::ArgList list;
  for (const int64_t axis : perm) list.push_back({axis});
  return {std::move(list)};
}

}  // namespace onnxport::onnx_ops
