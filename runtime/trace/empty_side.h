// `if n > 0: y = x.view(n, -1, 4) else: y = x`: where there is nothing, the program leaves a tensor in another rank.
#ifndef ONNXPORT_RUNTIME_TRACE_EMPTY_SIDE_H_
#define ONNXPORT_RUNTIME_TRACE_EMPTY_SIDE_H_

#include <cstddef>
#include <optional>
#include <vector>

#include "runtime/ir/graph.h"

namespace onnxport::trace {

// Which side of an `if` on the result of this call runs when its number is 0: 1 of `n > 0`, `n >= 1` and `n != 0`, 0 of
// `n == 0`, `n < 1`, `n <= 0`. Nothing for any other call.
std::optional<size_t> EmptySide(const ir::Graph& source, const ir::Operator& op, const std::vector<ir::Arg>& args);

// A shape of no elements for the tensor of that side, with the rank of the other side's. Returns nothing where it has
// that rank, where the dtypes differ, or where all dimensions of one of them are known.
std::optional<ir::ArgList> EmptyLike(const ir::Value& tensor, const ir::Value& wanted);

}  // namespace onnxport::trace

#endif  // ONNXPORT_RUNTIME_TRACE_EMPTY_SIDE_H_
