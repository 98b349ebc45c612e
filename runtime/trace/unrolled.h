// Detects loops over a free axis that a trace has unrolled.
#ifndef ONNXPORT_RUNTIME_TRACE_UNROLLED_H_
#define ONNXPORT_RUNTIME_TRACE_UNROLLED_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "runtime/ir/graph.h"

namespace onnxport::trace {

// Symbol -> the size that its axis had when the trace was taken.
using TracedSizes = std::map<std::string, int64_t>;

// For `for i in range(x.size(1)): x[:, i]` a trace has as many reads as there were elements. Returns a message for the
// call that reads the last of them, by its number, from a tensor of these dimensions. Returns nothing for any other
// call.
std::optional<std::string> WhyUnrolled(const TracedSizes& traced, const ir::Operator& op,
                                       const std::vector<ir::Arg>& args, const ir::Dims& dims);

}  // namespace onnxport::trace

#endif  // ONNXPORT_RUNTIME_TRACE_UNROLLED_H_
