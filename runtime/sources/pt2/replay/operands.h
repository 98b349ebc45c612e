// The arguments of calls that take graphs.
#ifndef ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_OPERANDS_H_
#define ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_OPERANDS_H_

#include <cstddef>
#include <vector>

#include "runtime/ir/graph.h"

namespace onnxport::pt2 {

std::vector<ir::Arg> Concat(std::vector<ir::Arg> args, const std::vector<ir::Arg>& more);

// What stands after the graphs, with its lists; a text there names the graph, a dict is for other tools.
std::vector<ir::Arg> OperandsOf(const ir::Node& call);

// The operands of a graph that takes so many, without lists. Options of the operator follow them.
std::vector<ir::Arg> FirstOf(const std::vector<ir::Arg>& operands, size_t count);

}  // namespace onnxport::pt2

#endif  // ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_OPERANDS_H_
