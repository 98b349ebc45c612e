// Sorts the arguments and results of calls that take graphs.
#ifndef ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_OPERANDS_H_
#define ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_OPERANDS_H_

#include <cstddef>
#include <vector>

#include "runtime/ir/graph.h"

namespace onnxport::pt2 {

std::vector<ir::Arg> Concat(std::vector<ir::Arg> args, const std::vector<ir::Arg>& more);

// Returns the operands after the graphs. Lists are kept. Names of the graphs, and dicts (for other tools), are left
// out.
std::vector<ir::Arg> OperandsOf(const ir::Node& call);

// Flattens lists of results.
std::vector<ir::Arg> Flat(std::vector<ir::Arg> results);

// Returns the first `count` operands, without lists: those of a graph. Options of the operator follow them.
std::vector<ir::Arg> FirstOf(const std::vector<ir::Arg>& operands, size_t count);

}  // namespace onnxport::pt2

#endif  // ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_OPERANDS_H_
