// Makes calls that the exporter adds when one operator of PyTorch becomes several calls.
#ifndef ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_TENSOR_CALLS_H_
#define ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_TENSOR_CALLS_H_

#include <cstdint>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/ir/operator.h"
#include "runtime/trace/tracer.h"

namespace onnxport::pt2 {

// Returns the only result; None if the call has another number of results.
ir::Arg CallOne(trace::Tracer* tracer, const ir::Operator& op, std::vector<ir::Arg> args);

// Turns a bool tensor into its bool.
ir::Arg AsCondition(trace::Tracer* tracer, ir::Arg arg);

// Also true for an unknown value after a failure.
bool IsBool(const trace::Tracer& tracer, const ir::Arg& arg);

// Returns the size of the tensors' first axis, which a loop runs over.
ir::Arg Iterations(trace::Tracer* tracer, const std::vector<ir::Arg>& tensors);

// Returns an element of the first axis of each tensor.
std::vector<ir::Arg> ElementsOf(trace::Tracer* tracer, const std::vector<ir::Arg>& tensors, const ir::Arg& index);

// Returns a part of the first axis of each tensor.
std::vector<ir::Arg> RangeOf(trace::Tracer* tracer, const std::vector<ir::Arg>& tensors, int64_t start, int64_t end,
                             int64_t step);

}  // namespace onnxport::pt2

#endif  // ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_TENSOR_CALLS_H_
