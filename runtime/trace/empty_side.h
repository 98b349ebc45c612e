// `if n > 0: y = x.view(n, -1, 4) else: y = x`: where there is nothing, the program leaves a tensor in another rank.
#ifndef ONNXPORT_RUNTIME_TRACE_EMPTY_SIDE_H_
#define ONNXPORT_RUNTIME_TRACE_EMPTY_SIDE_H_

#include <cstddef>
#include <optional>

#include "runtime/ir/graph.h"
#include "runtime/trace/state.h"

namespace onnxport::trace {

// Which side of an `if` runs when a number is 0: 1 of `n > 0`, `n >= 1` and `n != 0`, 0 of `n == 0`, `n < 1`, `n <= 0`.
// Nothing for any other condition.
std::optional<size_t> EmptySide(Tracer::State* state, const ir::Arg& condition);

// A shape of no elements that could be of that type; nothing when all its dimensions are known.
std::optional<ir::ArgList> EmptyShape(const ir::Value& type);

}  // namespace onnxport::trace

#endif  // ONNXPORT_RUNTIME_TRACE_EMPTY_SIDE_H_
