// Handles `if n > 0: y = x.view(n, -1, 4) else: y = x`: for no elements, the program leaves a tensor of another rank.
#ifndef ONNXPORT_RUNTIME_TRACE_EMPTY_SIDE_H_
#define ONNXPORT_RUNTIME_TRACE_EMPTY_SIDE_H_

#include <cstddef>
#include <optional>
#include <vector>

#include "runtime/ir/graph.h"

namespace onnxport::trace {

// Returns which side of an `if` on the result of this call runs when its number is 0. It is side 1 for `n > 0`, `n >=
// 1` and `n != 0`, and side 0 for `n == 0`, `n < 1` and `n <= 0`. Nothing for any other call.
std::optional<size_t> EmptySide(const ir::Graph& source, const ir::Operator& op, const std::vector<ir::Arg>& args);

// Returns an empty shape for the tensor of that side, with the rank of the other side's tensor. Returns nothing if it
// has that rank already, if the dtypes differ, or if all dimensions of one of them are known.
std::optional<ir::ArgList> EmptyLike(const ir::Value& tensor, const ir::Value& wanted);

}  // namespace onnxport::trace

#endif  // ONNXPORT_RUNTIME_TRACE_EMPTY_SIDE_H_
